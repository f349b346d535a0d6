// @ts-check
/* Two runs image by image. "Compare" fires `submit` with both runs, which stand in the address too; a
   button of changed images fires `select` with the runs that are compared, not with those that are
   chosen since. */
import { changeAddress, readAddress } from "../js/address.js";
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  let compared = { one: "", other: "" };

  /** @param {string} field @returns {HTMLSelectElement | null} */
  const listOf = (field) => element.querySelector(`select[data-run="${field}"]`);

  /** @param {{one: string, other: string}} pair */
  const compare = (pair) => {
    compared = pair;
    trigger("submit", pair);
  };

  /** Compare the runs that the address names, where they can be chosen and nothing is shown yet. */
  const restore = () => {
    const [address, one, other] = [readAddress(), listOf("one"), listOf("other")];
    if (!one || !other || element.querySelector("[data-compared]")) return;
    const pair = { one: address.get("first-run") ?? "", other: address.get("second-run") ?? "" };
    const choices = [...one.options].map(({ value }) => value);
    if (!choices.includes(pair.one) || !choices.includes(pair.other)) return;
    one.value = pair.one;
    other.value = pair.other;
    compare(pair);
  };

  element.addEventListener("click", (event) => {
    if (closest(event, "[data-compare]")) {
      const pair = { one: listOf("one").value, other: listOf("other").value };
      changeAddress({ "first-run": pair.one, "second-run": pair.other });
      compare(pair);
      return;
    }
    const changed = closest(event, "[data-changed]");
    if (changed) trigger("select", { ...compared, change: changed.dataset.changed });
  });
  watch("value", restore);
  restore();
};
