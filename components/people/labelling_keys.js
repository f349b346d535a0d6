// @ts-check
/* The keys of the labeling desk: what each does, and the list of them. It knows no image. */
import { make } from "../js/dom.js";

/** @typedef {"previous" | "next" | "up" | "down" | "unfinished" | "skip" | "undo" | "help"} Command */

/** @type {Record<string, Command>} by `event.key` in lower case */
const COMMANDS = {
  arrowleft: "previous",
  p: "previous",
  arrowright: "next",
  n: "next",
  arrowup: "up",
  arrowdown: "down",
  f: "unfinished",
  s: "skip",
  0: "skip",
  u: "undo",
  backspace: "undo",
  "?": "help",
};

/**
 * Return the command of a key, or null.
 * @param {KeyboardEvent} event
 * @returns {Command | null}
 */
export const readCommand = (event) => COMMANDS[readDigit(event) || event.key.toLowerCase()] || null;

/**
 * Return the choice of a key, from 0 on, or -1.
 * @param {KeyboardEvent} event
 */
export const readChoice = (event) => (Number(readDigit(event)) || 0) - 1;

/**
 * Return the digit of a key, "" without one. French keyboards have digits on shifted keys; there the
 * place of the key counts.
 * @param {KeyboardEvent} event
 */
const readDigit = (event) => {
  if (/^[0-9]$/.test(event.key)) return event.key;
  const place = /^Digit([0-9])$/.exec(event.code);
  return place && !event.shiftKey ? place[1] : "";
};

/**
 * Return the list of keys, folded up.
 * @param {number} choices how many keys answer a question
 * @param {boolean} isQueue
 */
export const makeKeyHelp = (choices, isQueue) => {
  const lines = [
    [["1", String(choices)], "to", "Answer the marked question"],
    isQueue ? [["S", "0"], "or", "Skip the image"] : [["F"], "", "Open the next unfinished image"],
    [["U", "Backspace"], "or", "Take back the last answer"],
    [["←", "→"], "and", "Open the previous or the next image"],
    [["↑", "↓"], "and", "Mark the question above or below"],
    [["?"], "", "Show or hide this list"],
  ];
  const terms = lines.map(([keys, between, meaning]) =>
    make(
      "div",
      {},
      make("dt", {}, ...makeKeys([...keys], String(between))),
      make("dd", {}, String(meaning)),
    ),
  );
  return make(
    "details",
    { class: "keys" },
    make("summary", {}, "Keys", make("kbd", { "aria-hidden": "true" }, "?")),
    make("dl", {}, ...terms),
  );
};

/**
 * @param {string[]} keys
 * @param {string} between
 * @returns {(Node | string)[]}
 */
const makeKeys = (keys, between) =>
  keys.flatMap((key, index) => [index ? ` ${between} ` : "", make("kbd", {}, key)]);
