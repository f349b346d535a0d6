// @ts-check
/* The line that names the settings of a run; its button shows and hides them. */
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, watch }) => {
  let isOpen = false;

  const show = () => {
    const button = element.querySelector(".settings-toggle");
    if (!button) return;
    button.setAttribute("aria-expanded", String(isOpen));
    document
      .getElementById(button.getAttribute("aria-controls"))
      ?.classList.toggle("unfolded", isOpen);
  };

  element.addEventListener("click", (event) => {
    if (!closest(event, ".settings-toggle")) return;
    isOpen = !isOpen;
    show();
  });
  watch("value", show);
  show();
};
