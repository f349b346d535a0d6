// @ts-check
/* Chips with check boxes: the value is the list of chosen ids; a value set from Python is shown in
   the boxes. What a person chooses in a shared picker holds in all others of its role, also in those
   of tabs that are opened later. */
import { findAll } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/**
 * What a person chose last, by role.
 * @type {Map<string, string>}
 */
const choices = new Map();

/** @param {HTMLElement} element */
const sharedRole = (element) => {
  /** @type {HTMLElement | null} */
  const row = element.querySelector("[data-shared]");
  return row?.dataset.shared ?? "";
};

/**
 * Choose a value in a picker, if it is offered there and not chosen yet.
 * @param {Element} row
 * @param {string} value
 */
const adopt = (row, value) => {
  /** @type {HTMLInputElement[]} */
  const boxes = findAll(row, "input");
  const box = boxes.find((input) => input.value === value);
  if (!box || box.disabled || box.checked) return;
  box.checked = true;
  box.dispatchEvent(new Event("change", { bubbles: true }));
};

/**
 * @param {HTMLElement} element the picker in which a person chose
 * @param {string} role
 * @param {string} value
 */
const share = (element, role, value) => {
  choices.set(role, value);
  for (const row of document.querySelectorAll(`[data-shared="${role}"]`))
    if (!element.contains(row)) adopt(row, value);
};

/** @param {Component} component */
export const mount = ({ element, props, trigger, watch }) => {
  /** @returns {HTMLInputElement[]} */
  const boxes = () => findAll(element, "input");
  const chosen = () =>
    boxes()
      .filter((box) => box.checked)
      .map((box) => box.value);
  const isShown = () => JSON.stringify(chosen()) === JSON.stringify(props.value);
  /** @returns {string[]} what Python and Gradio take for chosen */
  const known = () => (Array.isArray(props.value) ? props.value : []);
  const show = () => {
    const value = known();
    boxes().forEach((box) => {
      box.checked = value.includes(box.value);
    });
  };

  // What the person chose, until it comes back: a late echo must not undo a newer choice.
  /** @type {string[]} */
  const sent = [];
  const send = () => {
    if (isShown()) return;
    sent.push(JSON.stringify(chosen()));
    props.value = chosen();
    trigger("change");
  };
  /** @param {HTMLInputElement} box the one that a person chose */
  const shareChoice = (box) => {
    const role = sharedRole(element);
    if (role && box.type === "radio") share(element, role, box.value);
  };
  element.addEventListener("change", (event) => {
    send();
    // one that this script chose is no choice of a person
    if (event.isTrusted) shareChoice(/** @type {HTMLInputElement} */ (event.target));
  });
  watch("value", () => {
    const echo = sent.indexOf(JSON.stringify(props.value));
    if (echo < 0) {
      choices.delete(sharedRole(element));
      show();
      return;
    }
    sent.splice(0, echo + 1);
    if (!isShown()) props.value = chosen();
  });
  // Gradio fits the old boxes to the new chips; what was checked stays checked. While a tab is drawn,
  // Gradio 6.31 may pass on new chips and lose the value that came with them: the chips tell it, too.
  watch("body", () =>
    requestAnimationFrame(() => {
      const marked = boxes().filter((box) => box.defaultChecked);
      const value = known();
      const isLost = marked.some((box) => !value.includes(box.value));
      if (isLost && !sent.length) {
        props.value = marked.map((box) => box.value);
        trigger("change");
      }
      show();
    }),
  );
  // Chips can be chosen as soon as they are drawn, before this listens: that choice counts, too.
  const early = boxes().filter((box) => box.checked !== box.defaultChecked);
  if (early.length) {
    send();
    early.filter((box) => box.checked).forEach(shareChoice);
  } else show();
  const earlier = choices.get(sharedRole(element));
  if (earlier !== undefined) adopt(element, earlier);
  element.dataset.ready = "true";
};
