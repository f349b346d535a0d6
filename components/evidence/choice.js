// @ts-check
/* Names what is chosen of an image in the address: "question=2", or, of a further metric,
   "fig.finding=2". */
import { readAddress } from "../js/address.js";

/** The event of the document when the evidence of an image came, or none is shown any more. */
export const EVIDENCE_SHOWN = "hallascope:evidence";

const KINDS = ["question", "fact", "finding", "segment", "node", "edge"];

/** @param {string} name of the address, with the metric before the kind where it is a further one */
const isChoice = (name) => KINDS.includes(name.slice(name.lastIndexOf(".") + 1));

/** @returns {string[]} the keys that the address names */
export const namedKeys = () =>
  [...readAddress()].filter(([name]) => isChoice(name)).map(([name, at]) => `${name}=${at}`);

/**
 * Return what to change in the address, so that it names this choice and no other.
 * @param {string | null} chosen a key, or null for nothing
 * @returns {Record<string, string | null>}
 */
export const choiceChanges = (chosen) => {
  /** @type {Record<string, string | null>} */
  const changes = {};
  [...readAddress().keys()].filter(isChoice).forEach((name) => {
    changes[name] = null;
  });
  if (chosen) {
    const [name, number] = chosen.split("=");
    changes[name] = number;
  }
  return changes;
};
