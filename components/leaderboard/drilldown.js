// @ts-check
/* Things to pick from a leaderboard: buttons with `data-pick`. What is picked stands in the address,
   and Python is told all of it. `data-keeps` of a button names what else stays picked; a button with
   `data-event` only turns the page. Words that are typed into the table's search stay when the table
   is drawn again. */
import { readAddress, writeAddress } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { PICKS, PREFIX } from "./board_address.js";
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

/** @returns {Record<string, string[]>} what the address says is chosen above the figure */
const readChoices = () => {
  const query = readAddress();
  const names = [...new Set(query.keys())]
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
  const chosen = names.filter((name) => !PICKS.includes(name));
  return Object.fromEntries(chosen.map((name) => [name, query.getAll(PREFIX + name)]));
};

/** @param {HTMLElement} button */
const isPicked = (button) => {
  const picks = readPicks();
  return Object.entries(pickOf(button)).every(([name, value]) => picks[name] === String(value));
};

/**
 * @param {EventTarget} target
 * @returns {target is HTMLInputElement}
 */
const isSearch = (target) => target instanceof HTMLInputElement && target.type === "search";

/**
 * Keep what is typed into the search of a table, which hides the rows without these words.
 * @param {HTMLElement} element
 * @returns {() => void} puts the words into a table that was drawn again
 */
const keepSearch = (element) => {
  let words = "";
  let isTyping = false;
  const filter = () => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    findAll(element, "tbody tr").forEach((row) => {
      row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
    });
  };
  element.addEventListener("input", ({ target }) => {
    if (!isSearch(target)) return;
    words = target.value;
    filter();
  });
  element.addEventListener("focusin", ({ target }) => {
    isTyping = isSearch(target);
  });
  element.addEventListener("focusout", ({ target }) => {
    // a field that is taken away with its table was not left by the person
    if (target instanceof Node && target.isConnected) isTyping = false;
  });
  return () => {
    const field = element.querySelector("input[type=search]");
    if (!(field instanceof HTMLInputElement) || !words) return;
    field.value = words;
    filter();
    if (isTyping && document.activeElement === document.body) field.focus();
  };
};

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  const restoreSearch = keepSearch(element);
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
    restoreSearch();
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
    const query = readAddress();
    const keeps = JSON.parse(button.dataset.keeps || "[]");
    PICKS.filter((name) => !keeps.includes(name)).forEach((name) => query.delete(PREFIX + name));
    Object.entries(pickOf(button)).forEach(([name, value]) =>
      query.set(PREFIX + name, String(value)),
    );
    writeAddress(query);
    show();
    report(button.dataset.event || "select");
  });
  // A click on a bar of the figure is a click on the button of its row.
  document.addEventListener("hallascope:bar", ({ detail: { model, group } }) => {
    const bar = JSON.stringify({ model, group });
    buttons()
      .find((button) => JSON.stringify(pickOf(button)) === bar)
      ?.click();
  });
  // Other bars are shown: what was picked behind the old ones is no longer picked.
  document.addEventListener("hallascope:board", refresh);
  watch("value", refresh);
  refresh();
};
