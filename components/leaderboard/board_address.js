// @ts-check
/* What a leaderboard shows stands in the address. The value holds what is chosen, as lists by name;
   Python sets it after each choice, and is told when Back or Forward lead to another one. What is
   picked behind a bar stays picked while the bars stay the same. */
import { RETURN, readAddress, writeAddress } from "../js/address.js";
/** @import { Component } from "../js/types.js" */
/** @typedef {Record<string, string[]>} Choices */

/** What every name of the leaderboard begins with. */
export const PREFIX = "board-";
/** What a person can pick behind the bars. */
export const PICKS = ["model", "group", "page", "prompt", "picture"];
// These change how numbers are shown, and no number.
const DISPLAY_ONLY = ["view", "published", "corrected", "plan", "one", "other"];

/**
 * Say whether two values are the same as JSON.
 * @param {unknown} left
 * @param {unknown} right
 */
const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/** @returns {Choices} what the address says is chosen */
export const readChoices = () => {
  const query = readAddress();
  const names = [...query.keys()]
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
  const chosen = names.filter((name) => !PICKS.includes(name));
  return Object.fromEntries(chosen.map((name) => [name, query.getAll(PREFIX + name)]));
};

/**
 * Say whether both choices show the same bars.
 * @param {Choices} before
 * @param {Choices} after
 */
const haveSameBars = (before, after) => {
  const isSplit = [before, after].map(({ view }) => isSame(view, ["apart"]));
  const names = Object.keys({ ...before, ...after });
  const counted = names.filter((name) => !DISPLAY_ONLY.includes(name));
  return isSplit[0] === isSplit[1] && counted.every((name) => isSame(before[name], after[name]));
};

/** @param {Component} component */
export const mount = ({ element, props, trigger, watch }) => {
  /** @type {Choices | null} */
  let current = null; // what Python said last; at first the picks of the address stay

  const write = () => {
    /** @type {Choices} */
    const choices = props.value || {};
    if (!Object.keys(choices).length || isSame(choices, current)) return;
    const query = readAddress();
    const dropped = !current || haveSameBars(current, choices) ? [] : PICKS;
    [...Object.keys(readChoices()), ...dropped].forEach((name) => query.delete(PREFIX + name));
    Object.entries(choices).forEach(([name, values]) =>
      values.forEach((value) => query.append(PREFIX + name, value)),
    );
    writeAddress(query);
    current = choices;
    document.dispatchEvent(new CustomEvent("hallascope:board"));
  };

  document.addEventListener(RETURN, () => {
    const named = readChoices();
    if (!element.isConnected || isSame(named, current)) return;
    current = null;
    props.value = named;
    if (readAddress().get("tab") === "leaderboard") trigger("submit");
  });
  watch("value", write);
  write();
  element.dataset.ready = "true";
};
