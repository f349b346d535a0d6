// @ts-check
/* The choice of judged images stands in the address: the conditions as `slice`, everything else under
   names that begin with `errors-`. Python sets the value after each choice, and is told by `submit`
   when Back or Forward, or a slice that becomes a filter, lead to another one. */
import { RETURN, readAddress, writeAddress } from "../js/address.js";
/** @import { Component } from "../js/types.js" */
/** @typedef {Record<string, string[]>} Choices */

const PREFIX = "errors-";
const CONDITIONS = "slice";

/** @param {string} name */
const isOwn = (name) => name === CONDITIONS || name.startsWith(PREFIX);

/** @param {Component} component */
export const mount = ({ element, props, trigger, watch }) => {
  const write = () => {
    /** @type {Choices | null} */
    const choices = props.value;
    if (!choices) return; // the address stays until Python has read it
    const query = readAddress();
    [...query.keys()].filter(isOwn).forEach((name) => query.delete(name));
    Object.entries(choices).forEach(([name, values]) =>
      values.forEach((value) => query.append(name === CONDITIONS ? name : PREFIX + name, value)),
    );
    writeAddress(query);
  };
  /** @param {Choices} choices */
  const choose = (choices) => {
    props.value = choices;
    write();
    trigger("submit");
  };

  document.addEventListener("hallascope:conditions", ({ detail }) => {
    if (element.isConnected) choose({ ...props.value, [CONDITIONS]: [detail] });
  });
  document.addEventListener(RETURN, () => {
    const query = readAddress();
    if (!element.isConnected || query.get("tab") !== "errors") return;
    const names = [...new Set(query.keys())].filter(isOwn);
    choose(Object.fromEntries(names.map((name) => [name.replace(PREFIX, ""), query.getAll(name)])));
  });
  watch("value", write);
  write();
  element.dataset.ready = "true";
};
