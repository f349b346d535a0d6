// @ts-check
/* Two runs, models or judges image by image. What is compared stands in the address; `submit` tells
   Python that it names others. A button of changed images fires `select`. */
import { changeAddress, readAddress, RETURN } from "../js/address.js";
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  element.addEventListener("click", (event) => {
    const changed = closest(event, "[data-changed]");
    if (changed) trigger("select", { change: changed.dataset.changed });
  });
  /** @returns {Record<string, string>} what is compared, by its name in the address */
  const readCompared = () => {
    /** @type {HTMLElement | null} */
    const compared = element.querySelector("[data-kind]");
    if (!compared) return {};
    const { kind, one, other } = compared.dataset;
    return { compare: kind, first: one, second: other };
  };
  watch("value", () => changeAddress(readCompared()));
  document.addEventListener(RETURN, () => {
    const query = readAddress();
    if (!element.isConnected || query.get("part") !== "runs" || !query.get("second")) return;
    const compared = readCompared();
    const isOther = ["compare", "first", "second"].some(
      (name) => query.get(name) !== compared[name],
    );
    if (isOther) trigger("submit");
  });
};
