// @ts-check
/* Judged images as tiles, in a list or a grid: keys and clicks move among them, open their evidence,
   select and tag them. Python draws a page of them; what is selected stays so on the other pages. */
import { changeAddress } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { openTags } from "./tag_dialog.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, server, trigger, watch }) => {
  /** @type {Set<number>} */
  const selected = new Set();
  let all = ""; // the images of all pages, as JSON
  let active = 0; // the place on the page of the tile that the keys act on
  let anchor = 0; // where a range begins
  let size = "150";

  const tiles = () => findAll(element, ".tile");
  /** @param {HTMLElement} tile */
  const idOf = (tile) => Number(tile.dataset.evaluation);
  /** @param {string} words */
  const say = (words) => {
    element.querySelector(".gallery-count").textContent = words;
  };

  const showMarks = () => {
    tiles().forEach((tile, place) => {
      tile.classList.toggle("active", place === active);
      tile.setAttribute("aria-selected", String(selected.has(idOf(tile))));
    });
    /** @type {HTMLElement} */
    const root = element.querySelector(".gallery");
    const { words } = root.dataset;
    say(selected.size ? `${words} · ${selected.size.toLocaleString("en")} selected` : words);
    findAll(element, "[data-do]").forEach((button) => {
      button.hidden = selected.size === 0;
    });
  };

  /** @param {number} place */
  const moveTo = (place) => {
    active = Math.min(Math.max(place, 0), tiles().length - 1);
    const tile = tiles()[active];
    element.querySelector(".tiles").setAttribute("aria-activedescendant", tile.id);
    tile.scrollIntoView({ block: "nearest", inline: "nearest" });
    showMarks();
  };
  /**
   * Return the place of the nearest tile above (-1) or below (1).
   * @param {number} way
   */
  const findBeyond = (way) => {
    const shown = tiles();
    const { offsetLeft, offsetTop } = shown[active];
    const beyond = shown.filter((tile) => (tile.offsetTop - offsetTop) * way > 0);
    /** @param {HTMLElement} tile */
    const distance = (tile) =>
      4 * Math.abs(tile.offsetTop - offsetTop) + Math.abs(tile.offsetLeft - offsetLeft);
    beyond.sort((one, other) => distance(one) - distance(other));
    return beyond.length ? shown.indexOf(beyond[0]) : active;
  };

  /** Bring the evidence into sight once it is there; some tiles stay in sight above it. */
  const revealEvidence = () => {
    const viewer = document.getElementById(`${element.closest("[id^=errors-]").id}-evidence`);
    const observer = new MutationObserver(() => {
      if (!viewer.querySelector(".exhibit")) return;
      observer.disconnect();
      const { top } = viewer.getBoundingClientRect();
      if (top > innerHeight * 0.6) scrollBy(0, top - innerHeight * 0.4);
    });
    observer.observe(viewer, { childList: true, subtree: true });
  };
  const open = () => {
    const tile = tiles()[active];
    findAll(element, ".opened").forEach((other) => other.classList.remove("opened"));
    tile.classList.add("opened");
    revealEvidence();
    trigger("select", { run: tile.dataset.run, key: tile.dataset.key, evaluation: idOf(tile) });
  };
  /** @param {number} way */
  const openNext = (way) => {
    moveTo(active + way);
    open();
  };
  const toggle = () => {
    const id = idOf(tiles()[active]);
    if (!selected.delete(id)) selected.add(id);
    anchor = active;
    showMarks();
  };
  const selectRange = () => {
    const [first, last] = [Math.min(anchor, active), Math.max(anchor, active)];
    tiles()
      .slice(first, last + 1)
      .forEach((tile) => selected.add(idOf(tile)));
    showMarks();
  };
  const selectAll = () => {
    JSON.parse(all).forEach((/** @type {number} */ id) => selected.add(id));
    showMarks();
  };
  const clear = () => {
    selected.clear();
    showMarks();
  };
  const tag = () => {
    const chosen = selected.size ? [...selected] : [idOf(tiles()[active])];
    void openTags(server, chosen, (words, tags) => {
      tiles().forEach((tile) => {
        const own = tags[idOf(tile)];
        if (own !== undefined) tile.querySelector(".tile-tags").textContent = own;
      });
      showMarks();
      say(`${element.querySelector(".gallery-count").textContent} · ${words}`);
    });
  };

  /** @type {Record<string, () => void>} */
  const tools = { tag, all: selectAll, clear };
  /** @type {Record<string, () => number>} */
  const targets = {
    ArrowRight: () => active + 1,
    ArrowLeft: () => active - 1,
    ArrowDown: () => findBeyond(1),
    ArrowUp: () => findBeyond(-1),
    Home: () => 0,
    End: () => tiles().length - 1,
  };
  /** @type {Record<string, () => void>} */
  const actions = {
    " ": toggle,
    Enter: open,
    Escape: clear,
    j: () => openNext(1),
    k: () => openNext(-1),
    t: tag,
  };
  element.addEventListener("keydown", (event) => {
    if (event.altKey || !closest(event, ".tiles") || !tiles().length) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key !== "a") return;
      selectAll();
    } else if (targets[key]) {
      moveTo(targets[key]());
      if (event.shiftKey) selectRange();
      else anchor = active;
    } else if (actions[key]) actions[key]();
    else return;
    event.preventDefault();
  });
  element.addEventListener("click", (event) => {
    const button = closest(event, "button");
    const tile = closest(event, ".tile");
    if (button?.dataset.page) trigger("submit", { page: Number(button.dataset.page) });
    else if (button?.dataset.do) tools[button.dataset.do]();
    if (!tile) return;
    active = tiles().indexOf(tile);
    if (event.shiftKey) selectRange();
    else if (event.ctrlKey || event.metaKey || closest(event, "[data-check]")) toggle();
    else {
      anchor = active;
      showMarks();
      open();
    }
  });
  element.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    size = target.value;
    element.style.setProperty("--tile", `${size}px`);
  });

  const refresh = () => {
    /** @type {HTMLElement | null} */
    const root = element.querySelector(".gallery");
    if (!root) return;
    if (root.dataset.all !== all) selected.clear();
    all = root.dataset.all;
    active = 0;
    anchor = 0;
    /** @type {HTMLInputElement} */
    const slider = root.querySelector("[data-size]");
    slider.value = size;
    if (root.dataset.address) changeAddress(JSON.parse(root.dataset.address));
    showMarks();
  };
  watch("value", refresh);
  refresh();
};
