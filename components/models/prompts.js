// @ts-check
/* Prompts to try: buttons anywhere on the page fill the prompt and start the run. The completions of
   the field are fetched when somebody comes to it, or to an example, for the first time. */
import { closest, make } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

/**
 * Press a button as soon as it can be pressed.
 * @param {HTMLElement | null} button
 */
const pressWhenEnabled = (button) => {
  if (!(button instanceof HTMLButtonElement)) return;
  if (button.disabled) requestAnimationFrame(() => pressWhenEnabled(button));
  else button.click();
};

/** Open the panel of keys, and put the keyboard into its first field once Gradio has drawn it. */
const openKeys = () => {
  /** @type {HTMLElement | null} */
  const closed = document.querySelector("#terms button.label-wrap:not(.open)");
  closed?.click();
  /** @type {HTMLElement | null} */
  const field = document.querySelector("#terms input");
  if (field?.checkVisibility()) field.focus();
  else requestAnimationFrame(openKeys);
};

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  const { target, starts } = props;
  const completions = `${target}-completions`;

  /** @param {Event} event */
  const fetchCompletions = async (event) => {
    if (!closest(event, `#${target}, .example`)) return;
    document.removeEventListener("focusin", fetchCompletions);
    document.removeEventListener("pointerover", fetchCompletions);
    document.querySelector(`#${target} input`).setAttribute("list", completions);
    const prompts = await ask(server, "known_prompts", {});
    if (prompts.wrong) return; // one can type without completions
    const options = prompts.map((/** @type {string} */ value) => make("option", { value }));
    element.append(make("datalist", { id: completions }, ...options));
  };
  document.addEventListener("focusin", fetchCompletions);
  document.addEventListener("pointerover", fetchCompletions);

  document.addEventListener("click", (event) => {
    const button = closest(event, "button[data-prompt], button[data-opens-keys]");
    if (!button) return;
    if (button.dataset.prompt === undefined) {
      openKeys();
      return;
    }
    /** @type {HTMLInputElement} */
    const field = document.querySelector(`#${target} input`);
    field.value = button.dataset.prompt;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    // once Gradio has read the field
    requestAnimationFrame(() => pressWhenEnabled(document.getElementById(starts)));
  });
  element.dataset.ready = "true";
};
