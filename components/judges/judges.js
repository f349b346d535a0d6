// @ts-check
/* The table of judges: a person chooses one by a click here, by a judge's chip elsewhere or by the
   address; Python is told which. The button of a judge that was not tried asks Python to try it. */
import { changeAddress, readAddress, RETURN } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  const buttons = () => findAll(element, "button[data-judge]");
  /** @type {string | null} */
  let reported = null; // what Python was told last

  const refresh = () => {
    const judge = readAddress().get("judge");
    buttons().forEach((button) => {
      const on = button.dataset.judge === judge;
      button.setAttribute("aria-pressed", String(on));
      button.closest("tr").classList.toggle("chosen", on);
    });
    const state = `${judge} ${element.textContent.length}`;
    if (!judge || !buttons().length || state === reported) return;
    reported = state;
    trigger("select", { judge });
  };

  element.addEventListener("click", (event) => {
    const offer = closest(event, "button[data-try]");
    if (offer) {
      changeAddress({ judge: offer.dataset.try });
      refresh();
      trigger("submit", { judge: offer.dataset.try });
      document.querySelector("#judges-status")?.scrollIntoView({ block: "center" });
      return;
    }
    const button = closest(event, "button[data-judge]");
    if (!button) return;
    changeAddress({ judge: button.dataset.judge });
    refresh();
  });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const focused = buttons().findIndex((button) => button === document.activeElement);
    const next = step && focused >= 0 && buttons()[focused + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener(RETURN, refresh);
  watch("value", refresh);
  refresh();
};
