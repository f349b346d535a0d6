// @ts-check
/* Prompts to try: buttons that fill the text field, and a list of completions beneath it (the ARIA
   combobox pattern). */
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

const MOST = 8; // completions that are shown at once

/** @param {Component} component */
export const mount = ({ element }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector("[data-target]");
  /** @type {HTMLElement} */
  const list = root.querySelector("[role=listbox]");
  const options = /** @type {HTMLElement[]} */ ([...list.children]);
  let active = -1; // among the options that are shown
  /** @type {HTMLInputElement | null} */
  let box = null;

  const shownOptions = () => options.filter((option) => !option.hidden);

  const close = () => {
    list.hidden = true;
    active = -1;
    if (!box) return;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  /** @param {HTMLElement} item */
  const take = (item) => {
    box.value = item.dataset.prompt;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  };

  /** Press the button that the examples start, once Gradio has read the field. */
  const start = () => {
    const { starts } = root.dataset;
    if (!starts) return;
    requestAnimationFrame(() => document.getElementById(starts)?.click());
  };

  /** @param {number} index */
  const activate = (index) => {
    const shown = shownOptions();
    active = shown.length ? (index + shown.length) % shown.length : -1;
    options.forEach((option) => option.setAttribute("aria-selected", "false"));
    if (active < 0) return;
    shown[active].setAttribute("aria-selected", "true");
    shown[active].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", shown[active].id);
  };

  const open = () => {
    const typed = box.value.trim().toLowerCase();
    /** @param {string} prompt */
    const completes = (prompt) =>
      prompt !== typed && [prompt, ...prompt.split(" ")].some((words) => words.startsWith(typed));
    const matches = options
      .filter((option) => typed.length > 1 && completes(option.dataset.prompt.toLowerCase()))
      .slice(0, MOST);
    options.forEach((option) => {
      option.hidden = !matches.includes(option);
    });
    active = -1;
    list.hidden = matches.length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
  };

  /** @param {KeyboardEvent} event */
  const steer = (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      activate(active + 1);
    } else if (event.key === "ArrowUp") {
      event.preventDefault();
      activate(active < 0 ? -1 : active - 1);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      event.stopImmediatePropagation();
      take(shownOptions()[active]);
    } else if (event.key === "Escape" || event.key === "Enter") {
      close();
    }
  };

  const attach = () => {
    const { target } = root.dataset;
    box = document.querySelector(`#${target} input, #${target} textarea`);
    if (!box) return false;
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-controls", list.id);
    box.setAttribute("aria-expanded", "false");
    box.setAttribute("autocomplete", "off");
    box.addEventListener("input", (event) => {
      if (event.isTrusted) open();
    });
    box.addEventListener("blur", () => setTimeout(close, 150));
    box.addEventListener("keydown", steer, true);
    return true;
  };

  const observer = new MutationObserver(() => {
    if (attach()) observer.disconnect();
  });
  if (!attach()) observer.observe(document.body, { childList: true, subtree: true });

  element.addEventListener("mousedown", (event) => {
    const option = closest(event, "[role=option]");
    if (!option) return;
    event.preventDefault();
    take(option);
  });
  element.addEventListener("click", (event) => {
    const button = closest(event, "button[data-prompt]");
    if (!button || !box) return;
    take(button);
    start();
  });
};
