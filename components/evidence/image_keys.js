// @ts-check
/* The keys of the evidence viewer, and the controls that do the same by mouse. Keys go to the viewer
   that is in sight; none is taken while a person types, and none where a dialog is open. */
import { closest, drawFolded, findAll } from "../js/dom.js";
import { changeTag, openKeys, openTag, openVerdict } from "./dialogs.js";
/** @import { Component } from "../js/types.js" */

/**
 * What the keys need of a viewer.
 * @typedef {object} ViewerControls
 * @property {() => ShownImage | null} shown the first image that is shown
 * @property {(key: string) => void} choose
 * @property {(words: string) => void} say
 */
/**
 * @typedef {object} ShownImage
 * @property {HTMLElement} root
 * @property {string} run
 * @property {string} key
 * @property {string | null} chosen
 * @property {boolean} isSuggested
 * @property {Map<HTMLElement, {keys: string[], own?: string}>} items
 * @property {Map<string, HTMLElement>} rowsByKey
 */

const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const IMAGES = ".pictures .pick, .head-cell";
const NO_ERRORS = "No error is found in this image.";

/**
 * @param {Pick<Component, "element" | "server">} component
 * @param {ViewerControls} viewer
 */
export const mountKeys = ({ element, server }, viewer) => {
  /** @param {number} step */
  const showImage = (step) => {
    const panel = element.closest("[role=tabpanel]") ?? document;
    const images = findAll(panel, IMAGES).filter((image) => image.checkVisibility());
    const at = images.findIndex((image) => image.getAttribute("aria-pressed") === "true");
    if (images.length) images[(at + step + images.length) % images.length].click();
  };

  const showError = () => {
    const shown = viewer.shown();
    const rows = findAll(shown.root, "[data-kind=incorrect][data-said]").filter(
      (row) => row.querySelector(".lead-button") && row.checkVisibility(),
    );
    if (!rows.length) {
      viewer.say(NO_ERRORS);
      return;
    }
    const keys = rows.map((row) => shown.items.get(row).own || shown.items.get(row).keys[0]);
    const at = keys.indexOf(shown.chosen);
    const next = at >= 0 && shown.isSuggested ? at : (at + 1) % rows.length;
    viewer.choose(keys[next]);
    /** @type {HTMLElement} */
    const button = rows[next].querySelector(".lead-button");
    button.focus({ preventScroll: true });
    rows[next].scrollIntoView({ block: "nearest" });
  };

  /** @param {HTMLElement | null} card */
  const giveVerdict = (card) => {
    const shown = viewer.shown();
    if (card) openVerdict(server, { run: shown.run, key: shown.key }, card);
  };
  const findCard = () => {
    const shown = viewer.shown();
    const chosen = shown.rowsByKey.get(shown.chosen);
    if (chosen?.querySelector("[data-override]")) return chosen;
    findAll(shown.root, ".question").forEach(drawFolded);
    /** @type {HTMLElement | null} */
    const first = shown.root.querySelector(".question:has([data-override])");
    return first;
  };
  /** @returns {HTMLElement | null} */
  const findChips = () => viewer.shown().root.querySelector(".tag-chips");
  const addTag = () => {
    const { run, key } = viewer.shown();
    const chips = findChips();
    if (chips) openTag(server, { run, key }, chips);
  };
  /** @param {string} tag */
  const removeTag = async (tag) => {
    const { run, key } = viewer.shown();
    const fault = await changeTag(server, { run, key, tag, remove: true }, findChips());
    if (fault) viewer.say(fault);
    /** @type {HTMLElement} */
    const button = element.querySelector(".add-tag");
    button.focus(); // the chip that had the focus is gone
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    j: () => showImage(1),
    k: () => showImage(-1),
    n: showError,
    h: () => giveVerdict(findCard()),
    t: addTag,
    "?": openKeys,
  };

  document.addEventListener("keydown", (event) => {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (isShortcut || event.defaultPrevented || closest(event, TYPING)) return;
    if (document.querySelector("dialog[open]") || !element.checkVisibility()) return;
    const action = actions[event.key.toLowerCase()];
    if (!action || !viewer.shown()) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
  element.addEventListener("click", (event) => {
    const removed = closest(event, "[data-remove-tag]");
    if (closest(event, ".add-tag")) addTag();
    else if (closest(event, ".show-keys")) openKeys();
    else if (removed) void removeTag(removed.dataset.removeTag);
    else if (closest(event, "[data-override]")) giveVerdict(closest(event, ".question"));
  });
};
