// @ts-check
/* The choice of judged images that all parts of the Errors tab share. The value holds what is chosen,
   as lists by name, and stands in the address: the conditions as `slice`, everything else under names
   that begin with `errors-`. Other parts of the page set the conditions by the event
   `hallascope:conditions`, whose detail is their written form. */
import { RETURN, readAddress, writeAddress } from "../js/address.js";
import { isSame, readField, writeField } from "../js/choice_fields.js";
import { closest, findAll } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */
/** @typedef {Record<string, string[]>} Choices */

const PREFIX = "errors-";
const CONDITIONS = "slice";
const BETWEEN = ";";

/** @param {string} name */
const addressName = (name) => (name === CONDITIONS ? name : `${PREFIX}${name}`);

/** @param {Component} component */
export const mount = ({ element, props, trigger, watch }) => {
  const fields = () => findAll(element, "[data-field]");
  /** @type {Choices} */
  let current = props.value || {};

  /** @returns {string[]} the written conditions, one by one */
  const conditions = () => (current[CONDITIONS]?.[0] || "").split(BETWEEN).filter(Boolean);

  /**
   * Return what the controls hold, defaults left out, with these conditions.
   * @param {string[]} written
   * @returns {Choices}
   */
  const choicesWith = (written) => {
    const chosen = fields()
      .map((field) => ({ field, values: readField(field) }))
      .filter(({ field, values }) => values.length && !isSame(values, [field.dataset.default]))
      .map(({ field, values }) => [field.dataset.field, values]);
    const once = [...new Set(written)];
    if (once.length) chosen.push([CONDITIONS, [once.join(BETWEEN)]]);
    return Object.fromEntries(chosen);
  };

  const show = () =>
    fields().forEach((field) =>
      writeField(field, current[field.dataset.field] || [field.dataset.default]),
    );

  /** @param {Choices} choices */
  const choose = (choices) => {
    if (isSame(choices, current)) return;
    const query = readAddress();
    const names = [...fields().map((field) => field.dataset.field), ...Object.keys(current)];
    [...names, CONDITIONS].forEach((name) => query.delete(addressName(name)));
    Object.entries(choices).forEach(([name, values]) =>
      values.forEach((value) => query.append(addressName(name), value)),
    );
    writeAddress(query);
    current = choices;
    props.value = choices;
    trigger("change");
  };

  element.addEventListener("change", (event) => {
    const added = closest(event, "select[data-add]");
    if (!(added instanceof HTMLSelectElement)) return choose(choicesWith(conditions()));
    const written = added.value;
    added.selectedIndex = 0;
    return choose(choicesWith([...conditions(), written].filter(Boolean)));
  });
  element.addEventListener("click", (event) => {
    const removed = closest(event, "[data-remove]");
    if (!removed) return;
    const place = findAll(element, "[data-remove]").indexOf(removed);
    choose(choicesWith(conditions().filter((_, number) => number !== place)));
  });
  document.addEventListener("hallascope:conditions", (event) => {
    if (element.isConnected) choose(choicesWith(event.detail.split(BETWEEN).filter(Boolean)));
  });
  document.addEventListener(RETURN, () => {
    if (!element.isConnected) return;
    /** @type {Choices} */
    const named = {};
    readAddress().forEach((value, name) => {
      const own = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
      if (name === CONDITIONS || own !== name) named[own] = [...(named[own] || []), value];
    });
    if (isSame(named, current)) return;
    current = named;
    props.value = named;
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
