// @ts-check
/* Help with a prompt that the built-in models do not draw: near prompts to click, all concepts in a
   dialog, and the ways to the keys, the login and the upload. `server.browse` gives the concepts. */
import { closest } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { openConcepts } from "../teach/concept_dialog.js";
/** @import { Component } from "../js/types.js" */

/** @param {string} selector */
const byQuery = (selector) => {
  /** @type {HTMLElement | null} */
  const found = document.querySelector(selector);
  return found;
};

/** @param {string} selector */
const reveal = (selector) => {
  const found = byQuery(selector);
  found?.scrollIntoView({ block: "center" });
  return found;
};

/** Unfold the panel of keys and put the keyboard into its first field. */
const openKeys = () => {
  const panel = reveal("#terms");
  /** @type {HTMLElement | null} */
  const label = panel?.querySelector("button.label-wrap");
  if (label && !label.classList.contains("open")) label.click();
  focusWhenShown("#terms input, #terms textarea", 300);
};

/**
 * Put the keyboard into a field once it is shown, which Gradio does some frames later.
 * @param {string} selector
 * @param {number} frames how many are waited for at most
 */
const focusWhenShown = (selector, frames) => {
  const field = byQuery(selector);
  if (field?.checkVisibility()) field.focus();
  else if (frames) requestAnimationFrame(() => focusWhenShown(selector, frames - 1));
};

/** Unfold the settings and open the choice of a file. */
const openUpload = () => {
  const toggle = byQuery(".settings-toggle");
  if (toggle?.getAttribute("aria-expanded") === "false") toggle.click();
  const upload = reveal("#upload");
  /** @type {HTMLElement | null} */
  const button = upload?.querySelector("button");
  button?.focus();
  button?.click();
};

/**
 * Press a button, at once or as soon as the run that goes on has ended.
 * @param {HTMLElement | null} button
 */
const pressWhenEnabled = (button) => {
  if (!(button instanceof HTMLButtonElement)) return;
  if (!button.disabled) {
    button.click();
    return;
  }
  document.getElementById("stop")?.click();
  const observer = new MutationObserver(() => {
    if (button.disabled) return;
    observer.disconnect();
    button.click();
  });
  observer.observe(button, { attributes: true, attributeFilter: ["disabled"] });
};

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  /** @param {string} prompt */
  const run = (prompt) => {
    const { target, starts } = props;
    /** @type {HTMLInputElement | null} */
    const box = document.querySelector(`#${target} input, #${target} textarea`);
    if (!box) return;
    box.value = prompt;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    // once Gradio has read the field
    requestAnimationFrame(() => pressWhenEnabled(document.getElementById(starts)));
  };

  const browse = async () => {
    const reply = await askServer(server, "browse", {});
    /** @type {HTMLElement | null} */
    const place = element.querySelector(".dialog-place");
    if (!place) return;
    if (reply.wrong) {
      place.replaceChildren(reply.wrong);
      return;
    }
    /** @type {{concepts: import("../teach/concept_dialog.js").Concept[]}} */
    const { concepts } = reply;
    /** @param {string} name */
    const choose = (name) => run(concepts.find((concept) => concept.name === name).prompt);
    openConcepts(place, concepts, "", choose, "Choose a concept");
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    browse,
    keys: openKeys,
    login: () => reveal("#login")?.click(),
    upload: openUpload,
  };

  element.addEventListener("click", (event) => {
    const suggestion = closest(event, "button[data-prompt]");
    if (suggestion) run(suggestion.dataset.prompt);
    const button = closest(event, "button[data-action]");
    if (button) actions[button.dataset.action]?.();
  });
};
