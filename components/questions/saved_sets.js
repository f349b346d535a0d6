// @ts-check
/* The list of saved sets: the person gets a file of them from the server; Python is told to open or
   remove one. */
import { handOut } from "../html/fields/file_button.js";
import { closest, findAll } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = (component) => {
  const { element, trigger } = component;
  element.addEventListener("click", (event) => {
    const button = closest(event, "button");
    if (!button) return;
    const { form, of, action } = button.dataset;
    if (form) {
      handOut(component, "export_sets", { prompt: of, form });
      return;
    }
    /** @type {HTMLElement} */
    const set = button.closest(".set");
    trigger("select", { action, prompt: set.dataset.prompt });
  });
  element.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".filter")) return;
    const words = target.value.trim().toLowerCase();
    findAll(element, ".set").forEach((set) => {
      set.hidden = !set.dataset.prompt.toLowerCase().includes(words);
    });
  });
};
