// @ts-check
/* The table of answers: a person chooses a cell or a column; the address and the other views
   follow. */
import { readAddress } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { showTruth } from "../html/truth.js";
/** @import { Component } from "../js/types.js" */

const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/**
 * Return the buttons of a row that no filter hides.
 * @param {HTMLElement} row
 */
const visibleButtons = (row) => findAll(row, "button").filter((button) => button.checkVisibility());

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  const buttons = () => findAll(element, "button[data-key]");
  const currentRun = () => {
    /** @type {HTMLElement | null} */
    const table = element.querySelector(".compare");
    return table && (table.dataset.pageRun || table.dataset.run);
  };
  /** @type {string | null} */
  let key = null;
  /** @type {string | null} */
  let chosen = null; // the key of what is chosen of the image, such as question=2
  /** @type {string | null} */
  let reported = null; // what Python was told last

  const show = () =>
    buttons().forEach((button) => {
      const isPicture = button.dataset.key === key;
      const isPart = button.dataset.chosen === undefined || button.dataset.chosen === chosen;
      button.setAttribute("aria-pressed", String(isPicture && isPart));
      button.parentElement.classList.toggle("chosen", isPicture);
    });

  const report = () => {
    const state = `${currentRun()} ${key} ${element.textContent.length}`;
    if (!key || state === reported) return;
    reported = state;
    trigger("select", { run: currentRun(), key });
  };

  const refresh = () => {
    showTruth();
    const run = currentRun();
    if (!run) return;
    const query = readAddress();
    const keys = buttons().map((button) => button.dataset.key);
    const isNamed = query.get("run") === run && keys.includes(query.get("image"));
    key = isNamed ? query.get("image") : keys[0];
    chosen = query.has("question") ? `question=${query.get("question")}` : null;
    show();
    report();
  };

  element.addEventListener("click", (event) => {
    const button = closest(event, "button[data-key]");
    if (!button) return;
    key = button.dataset.key;
    chosen = button.dataset.chosen ?? null;
    show();
    const isUnnamed = element.querySelector("[data-unnamed]") !== null;
    const detail = { source: element, run: currentRun(), key, chosen, isUnnamed };
    document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
    report();
  });
  element.addEventListener("keydown", (event) => {
    const focused = closest(event, "button[data-key]");
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!focused || !step) return;
    const row = focused.closest("tr");
    const rows = findAll(element, "tr").filter((line) => visibleButtons(line).length);
    const nextRow = rows[rows.indexOf(row) + step[0]];
    const column = visibleButtons(row).indexOf(focused) + step[1];
    const next = nextRow && visibleButtons(nextRow)[column];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener("hallascope:choose", ({ detail }) => {
    if (detail.source === element || !currentRun() || detail.run !== currentRun()) return;
    key = detail.key;
    chosen = detail.chosen;
    show();
    report();
  });
  watch("value", refresh);
  refresh();
};
