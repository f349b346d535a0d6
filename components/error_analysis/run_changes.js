// @ts-check
/* Two runs image by image. "Compare" fires `submit` with both runs; a button of changed images fires
   `select` with the runs that are compared, not with those that are chosen since. */
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger }) => {
  let compared = { one: "", other: "" };

  /** @param {string} field */
  const chosen = (field) => {
    const list = element.querySelector(`select[data-run="${field}"]`);
    return list instanceof HTMLSelectElement ? list.value : "";
  };

  element.addEventListener("click", (event) => {
    if (closest(event, "[data-compare]")) {
      compared = { one: chosen("one"), other: chosen("other") };
      trigger("submit", compared);
      return;
    }
    const changed = closest(event, "[data-changed]");
    if (changed) trigger("select", { ...compared, change: changed.dataset.changed });
  });
};
