// @ts-check
/* The draft of a class set: exercises in their order, as the lesson editor makes a set of them. It
   is kept for a visit, so that other parts of the page can add to it before the editor is opened. */
import { recallInVisit, rememberInVisit } from "../js/visit.js";
/** @typedef {{item: any[], words: string}} Entry */

const NAME = "hallascope-class-set";
/** The event by which the editor hears that another part of the page has changed the draft. */
export const CHANGED = "hallascope:class-set";

/** @returns {Entry[]} */
export const readDraft = () => {
  const kept = recallInVisit(NAME);
  return Array.isArray(kept) ? kept.filter((entry) => entry && Array.isArray(entry.item)) : [];
};

/** @param {Entry[]} entries */
export const writeDraft = (entries) => rememberInVisit(NAME, entries);

/**
 * Add exercises at the end; those that are in it already are left out.
 * @param {Entry[]} added
 * @returns {{added: number, total: number}} how many were new, and how many there are now
 */
export const addToDraft = (added) => {
  const entries = readDraft();
  const known = new Set(entries.map(({ item }) => JSON.stringify(item)));
  const fresh = added.filter(({ item }) => !known.has(JSON.stringify(item)));
  writeDraft([...entries, ...fresh]);
  document.dispatchEvent(new CustomEvent(CHANGED));
  return { added: fresh.length, total: entries.length + fresh.length };
};
