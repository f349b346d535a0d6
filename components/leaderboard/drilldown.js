// @ts-check
/* Things to pick from a leaderboard: buttons with `data-pick`. What is picked stands in the address,
   as a new entry of the browser's history, and Python is told all of it. `data-keeps` of a button
   names what else stays picked; a button with `data-event` only turns the page. */
import { pushAddress, readAddress, RETURN } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { PICKS, PREFIX, readChoices } from "./board_address.js";
/** @import { Component } from "../js/types.js" */

/**
 * @param {HTMLElement} button
 * @returns {Record<string, unknown>}
 */
const pickOf = (button) => JSON.parse(button.dataset.pick);

/** @returns {Record<string, string>} what the address says is picked */
const readPicks = () => {
  const query = readAddress();
  const names = PICKS.filter((name) => query.has(PREFIX + name));
  return Object.fromEntries(names.map((name) => [name, query.get(PREFIX + name)]));
};

/** @param {HTMLElement} button */
const isPicked = (button) => {
  const picks = readPicks();
  return Object.entries(pickOf(button)).every(([name, value]) => picks[name] === String(value));
};

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  const buttons = () => findAll(element, "[data-pick]");
  /** @type {string | null} */
  let reported = null; // what Python was told last

  const show = () =>
    buttons().forEach((button) => {
      const on = isPicked(button);
      button.setAttribute("aria-pressed", String(on));
      const line = button.closest("tr, li");
      if (line) line.classList.toggle("chosen", on);
    });

  const state = () => `${JSON.stringify(readPicks())} ${element.textContent.length}`;

  /** @param {string} event */
  const report = (event) => {
    reported = state();
    // with the choices: on opening the page the controls may get theirs after the table
    trigger(event, { ...readPicks(), choices: readChoices() });
  };

  const refresh = () => {
    show();
    if (buttons().some((button) => !button.dataset.event && isPicked(button))) {
      if (reported !== state()) report("select");
    } else if (reported) {
      reported = null;
      trigger("select", {});
    }
  };

  element.addEventListener("click", (event) => {
    const button = closest(event, "[data-pick]");
    if (!button) return;
    const keeps = JSON.parse(button.dataset.keeps || "[]");
    const dropped = PICKS.filter((name) => !keeps.includes(name)).map((name) => [name, null]);
    const picked = Object.entries(pickOf(button)).map(([name, value]) => [name, String(value)]);
    pushAddress(
      Object.fromEntries([...dropped, ...picked].map(([name, value]) => [PREFIX + name, value])),
    );
    show();
    report(button.dataset.event || "select");
  });
  // A click on a bar of the figure is a click on the button of its row, beneath which the prompts open.
  document.addEventListener("hallascope:bar", ({ detail: { model, group } }) => {
    const bar = JSON.stringify({ model, group });
    const button = buttons().find((each) => JSON.stringify(pickOf(each)) === bar);
    button?.scrollIntoView({ block: "center" });
    button?.click();
  });
  // Other bars are shown: what was picked behind the old ones is no longer picked.
  document.addEventListener("hallascope:board", refresh);
  document.addEventListener(RETURN, refresh);
  watch("value", refresh);
  refresh();
};
