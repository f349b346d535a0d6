// @ts-check
/* The gallery of judged images: a list of any length of which only what is in sight is in the page.
   It is told which images to show by its value, and asks the server for what it shows of them. */
import { closest, make } from "../js/dom.js";
import { openTags } from "./tag_dialog.js";
import {
  createDetails,
  drawStrip,
  makeThumbnail,
  revealCell,
  revealEvidence,
} from "./image_details.js";
import { mountVirtualCells } from "./virtual_cells.js";
/** @import { Component } from "../js/types.js" */

const LEAST_WIDTH = 150;
const BELOW = 66; // pixels below an image, for its answers, its model and its tags

/** @param {Component} component */
export const mount = ({ element, props, server, trigger, watch }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".gallery");
  /** @type {HTMLElement} */
  const list = root.querySelector(".gallery-list");
  /** @type {HTMLElement} */
  const title = root.querySelector(".gallery-title");
  /** @type {HTMLElement} */
  const count = root.querySelector(".gallery-count");
  /** @type {HTMLButtonElement} */
  const clearButton = root.querySelector(".gallery-clear");
  /** @type {Record<string, string>} */
  const icons = JSON.parse(root.dataset.icons);
  /** @type {number[]} */
  let ids = [];
  /** @type {Set<number>} */
  const selected = new Set();
  let active = 0; // the place of the image that the keys act on
  let anchor = 0; // where a range begins
  let opened = -1; // the place of the image whose evidence is shown

  const columns = () => Math.max(2, Math.floor(list.clientWidth / LEAST_WIDTH));
  const width = () => Math.max(1, Math.floor(list.clientWidth / columns()));
  const height = () => width() + BELOW;
  /** @param {number} index */
  const optionId = (index) => `${element.id}-image-${index}`;

  /** @param {string} words */
  const say = (words) => {
    count.textContent = words;
  };
  const showCount = () => {
    const images = ids.length === 1 ? "1 image" : `${ids.length.toLocaleString("en")} images`;
    say(selected.size ? `${images}, ${selected.size.toLocaleString("en")} selected` : images);
    clearButton.disabled = selected.size === 0;
  };

  /**
   * @param {HTMLElement} cell
   * @param {number} index
   */
  const mark = (cell, index) => {
    cell.classList.toggle("active", index === active);
    cell.classList.toggle("opened", index === opened);
    cell.setAttribute("aria-selected", String(selected.has(ids[index])));
  };

  /**
   * @param {HTMLElement} cell
   * @param {number} index
   */
  const fill = (cell, index) => {
    const image = details.get(ids[index]);
    if (image === undefined) return;
    if (image === null) {
      cell.replaceChildren(make("span", { class: "cell-missing" }, "not stored any more"));
      cell.setAttribute("aria-label", "An image that is not stored any more");
      return;
    }
    const tags = image.tags.length ? `Tags: ${image.tags.join(", ")}. ` : "";
    cell.setAttribute(
      "aria-label",
      `${image.model}, seed ${image.seed}: ${image.verdict}. ${tags}${image.prompt}`,
    );
    cell.title = image.prompt;
    cell.replaceChildren(
      make("span", { class: "cell-frame" }, makeThumbnail(image)),
      drawStrip(image, icons),
      make(
        "span",
        { class: "cell-line" },
        make("span", { class: "cell-model" }, image.model),
        make("span", { class: "cell-score" }, image.score),
      ),
      make("span", { class: "cell-tags" }, image.tags.join(" · ")),
      make("span", { class: "cell-check", "data-check": true }),
    );
  };

  const cells = mountVirtualCells(list, {
    layout: () => ({
      rows: Math.ceil(ids.length / columns()),
      columns: columns(),
      width: width(),
      height: height(),
    }),
    makeCell: (row, column) => {
      const index = row * columns() + column;
      if (index >= ids.length) return null;
      const cell = make("div", {
        class: "gallery-cell",
        role: "option",
        id: optionId(index),
        "data-index": index,
        "aria-posinset": index + 1,
        "aria-setsize": ids.length,
      });
      mark(cell, index);
      fill(cell, index);
      return cell;
    },
    onRange: ({ top, bottom }) => {
      details.want(ids.slice(top * columns(), bottom * columns()));
    },
  });
  /** @param {(cell: HTMLElement, index: number) => void} change */
  const eachCell = (change) =>
    list.querySelectorAll(".gallery-cell").forEach((cell) => {
      if (cell instanceof HTMLElement) change(cell, Number(cell.dataset.index));
    });
  const details = createDetails(server, say, (read) => {
    const known = new Set(read);
    eachCell((cell, index) => {
      if (known.has(ids[index])) fill(cell, index);
    });
  });
  const showMarks = () => {
    eachCell(mark);
    showCount();
  };

  /** @param {number} index */
  const reveal = (index) => {
    active = Math.min(Math.max(index, 0), ids.length - 1);
    cells.reveal(Math.floor(active / columns()), active % columns());
    list.setAttribute("aria-activedescendant", optionId(active));
    eachCell(mark);
    revealCell(document.getElementById(optionId(active)));
  };

  /** @param {number} index */
  const open = (index) => {
    details.whenRead(ids[index], ({ id, run, key }) => {
      if (ids[index] !== id) return; // others are shown by now
      opened = index;
      eachCell(mark);
      revealEvidence(root.dataset.evidence);
      trigger("select", { run, key });
    });
  };

  /** @param {number} step */
  const openNext = (step) => {
    reveal(active + step);
    anchor = active;
    open(active);
  };

  /** @param {number} index */
  const toggle = (index) => {
    const id = ids[index];
    if (!selected.delete(id)) selected.add(id);
    anchor = index;
    showMarks();
  };
  /** @param {number} index */
  const selectTo = (index) => {
    const [first, last] = [Math.min(anchor, index), Math.max(anchor, index)];
    ids.slice(first, last + 1).forEach((id) => selected.add(id));
    showMarks();
  };
  const selectAll = () => {
    ids.forEach((id) => selected.add(id));
    showMarks();
  };
  const clear = () => {
    selected.clear();
    showMarks();
  };

  const openTagDialog = () => {
    if (!ids.length) return;
    // those that are selected, in their order, else the one that the keys are on
    const chosen = selected.size ? ids.filter((id) => selected.has(id)) : [ids[active]];
    void openTags(server, chosen, (words) => {
      showCount();
      say(`${count.textContent} · ${words}`);
      details.reload(chosen);
    });
  };

  /** @param {KeyboardEvent} event @returns {number | null} where a key leads */
  const targetOf = (event) => {
    const page = columns() * Math.max(1, Math.floor(list.clientHeight / height()));
    /** @type {Record<string, number>} */
    const targets = {
      ArrowRight: active + 1,
      ArrowLeft: active - 1,
      ArrowDown: active + columns(),
      ArrowUp: active - columns(),
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: ids.length - 1,
    };
    return targets[event.key] ?? null;
  };

  list.addEventListener("keydown", (event) => {
    if (!ids.length || event.altKey) return;
    const isShortcut = event.ctrlKey || event.metaKey;
    const target = isShortcut ? null : targetOf(event);
    if (target !== null) {
      if (!event.shiftKey) anchor = Math.min(Math.max(target, 0), ids.length - 1);
      reveal(target);
      if (event.shiftKey) selectTo(active);
    } else if (isShortcut && event.key.toLowerCase() === "a") selectAll();
    else if (isShortcut) return;
    else if (event.key.toLowerCase() === "t") openTagDialog();
    else if (event.key.toLowerCase() === "j") openNext(1);
    else if (event.key.toLowerCase() === "k") openNext(-1);
    else if (event.key === "Enter") open(active);
    else if (event.key === " ") toggle(active);
    else if (event.key === "Escape" && selected.size) clear();
    else return;
    event.preventDefault();
  });
  list.addEventListener("focus", () => {
    if (ids.length) list.setAttribute("aria-activedescendant", optionId(active));
  });
  list.addEventListener("click", (event) => {
    const cell = closest(event, ".gallery-cell");
    if (!cell) return;
    const index = Number(cell.dataset.index);
    active = index;
    list.setAttribute("aria-activedescendant", optionId(active));
    if (event.shiftKey) selectTo(index);
    else if (event.ctrlKey || event.metaKey || closest(event, "[data-check]")) toggle(index);
    else {
      anchor = index;
      open(index);
    }
    eachCell(mark);
  });
  root.querySelector(".gallery-tag").addEventListener("click", openTagDialog);
  root.querySelector(".gallery-all").addEventListener("click", selectAll);
  clearButton.addEventListener("click", clear);

  /** @param {{title: string, evaluations: number[]} | null} value */
  const show = (value) => {
    root.hidden = !value;
    if (!value) return;
    ids = value.evaluations;
    selected.clear();
    active = 0;
    anchor = 0;
    opened = -1;
    title.textContent = value.title;
    list.hidden = ids.length === 0;
    list.scrollTop = 0;
    list.removeAttribute("aria-activedescendant");
    showCount();
    cells.renew();
  };
  let widthBefore = 0;
  new ResizeObserver(() => {
    if (list.clientWidth === widthBefore) cells.update();
    else cells.renew();
    widthBefore = list.clientWidth;
  }).observe(list);
  watch("value", () => show(props.value));
  // from another part of the page, which need not wait for the server
  document.addEventListener("hallascope:images", ({ detail }) => {
    if (!element.isConnected || !element.closest(`#${CSS.escape(detail.gallery)}`)) return;
    const isOpen = opened >= 0;
    show(detail.evaluations.length ? detail : null);
    if (isOpen) trigger("change");
  });
  show(props.value);
};
