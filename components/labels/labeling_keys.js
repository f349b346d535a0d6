// @ts-check
/* The keys of the labeling desk, and what each does. */

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
