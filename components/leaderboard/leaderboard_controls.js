// @ts-check
/* What a leaderboard shows. The value holds what is chosen, as lists by name; it stands in the
   address, too. Of new boxes those are checked that were before; what they do not have counts as not
   chosen, and Python sees it so. What is picked behind a bar stays picked while the bars stay the
   same. The value of a field with `data-kept` stands in the address also where it is the default,
   which may be another one tomorrow. */
import { readAddress, writeAddress } from "../js/address.js";
import { isSame, readField, writeField } from "../js/choice_fields.js";
import { findAll } from "../js/dom.js";
import { PICKS, PREFIX } from "./board_address.js";
/** @import { Component } from "../js/types.js" */
/** @typedef {Record<string, string[]>} Choices */

// These change how numbers are shown, and no number.
const DISPLAY_ONLY = ["view", "published", "corrected", "plan", "one", "other"];

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
  const fields = () => findAll(element, "[data-field]");
  /** @type {Choices} */
  let current = props.value || {};

  /** @returns {Choices} what is chosen, defaults left out */
  const readFields = () =>
    Object.fromEntries(
      fields()
        .map((field) => ({ field, values: readField(field) }))
        .filter(
          ({ field, values }) =>
            values.length && ("kept" in field.dataset || !isSame(values, [field.dataset.default])),
        )
        .map(({ field, values }) => [field.dataset.field, values]),
    );

  /** @returns {Choices} what is shown, with the defaults that the address is to name */
  const withKept = () => {
    const kept = fields().filter((field) => "kept" in field.dataset);
    const defaults = kept.map((field) => [field.dataset.field, [field.dataset.default]]);
    return { ...Object.fromEntries(defaults), ...current };
  };

  const show = () =>
    fields().forEach((field) =>
      writeField(field, current[field.dataset.field] || [field.dataset.default]),
    );

  /** @param {Choices} choices */
  const writeChoices = (choices) => {
    const query = readAddress();
    const replaced = [...fields().map((field) => field.dataset.field), ...Object.keys(current)];
    if (!haveSameBars(withKept(), choices)) replaced.push(...PICKS);
    replaced.forEach((name) => query.delete(PREFIX + name));
    Object.entries(choices).forEach(([name, values]) =>
      values.forEach((value) => query.append(PREFIX + name, value)),
    );
    writeAddress(query);
    document.dispatchEvent(new CustomEvent("hallascope:board"));
  };

  element.addEventListener("change", () => {
    const choices = readFields();
    if (isSame(choices, current)) return;
    writeChoices(choices);
    current = choices;
    props.value = choices;
    trigger("change");
  });
  watch("value", () => {
    if (isSame(props.value, current)) return;
    current = props.value || {};
    show();
  });
  watch("body", () => requestAnimationFrame(show));
  show();
  element.dataset.ready = "true";
};
