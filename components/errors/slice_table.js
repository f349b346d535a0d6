// @ts-check
/* Slices of judged images. "Show images" fires `select` with the conditions of a slice; "Use as filter"
   gives them to the bar of the Errors tab, and is a link where it is opened elsewhere. */
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger }) => {
  element.addEventListener("click", (event) => {
    const images = closest(event, "[data-slice-images]");
    if (images) {
      trigger("select", { conditions: images.dataset.sliceImages });
      return;
    }
    const filter = closest(event, "[data-slice-filter]");
    if (!filter || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const detail = filter.dataset.sliceFilter;
    document.dispatchEvent(new CustomEvent("hallascope:conditions", { detail }));
  });
};
