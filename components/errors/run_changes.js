// @ts-check
/* Two runs, models or judges image by image. What is compared stands in the address; a button of
   changed images fires `select`. */
import { changeAddress } from "../js/address.js";
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  element.addEventListener("click", (event) => {
    const changed = closest(event, "[data-changed]");
    if (changed) trigger("select", { change: changed.dataset.changed });
  });
  watch("value", () => {
    /** @type {HTMLElement | null} */
    const compared = element.querySelector("[data-kind]");
    if (!compared) return;
    const { kind, one, other } = compared.dataset;
    changeAddress({ compare: kind, first: one, second: other });
  });
};
