// @ts-check
/* Chips with check boxes: the value is the list of chosen ids; a value set from Python is shown in
   the boxes. */
import { findAll } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, props, trigger, watch }) => {
  /** @returns {HTMLInputElement[]} */
  const boxes = () => findAll(element, "input");
  const chosen = () =>
    boxes()
      .filter((box) => box.checked)
      .map((box) => box.value);
  const isShown = () => JSON.stringify(chosen()) === JSON.stringify(props.value);
  const show = () => {
    const value = Array.isArray(props.value) ? props.value : [];
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
  element.addEventListener("change", send);
  watch("value", () => {
    const echo = sent.indexOf(JSON.stringify(props.value));
    if (echo < 0) {
      show();
      return;
    }
    sent.splice(0, echo + 1);
    if (!isShown()) props.value = chosen();
  });
  // Gradio fits the old boxes to the new chips; what was checked stays checked.
  watch("body", () => requestAnimationFrame(show));
  // Chips can be chosen as soon as they are drawn, before this listens: that choice counts, too.
  if (boxes().some((box) => box.checked !== box.defaultChecked)) send();
  else show();
  element.dataset.ready = "true";
};
