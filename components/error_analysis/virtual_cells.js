// @ts-check
/* Keeps only those cells of a large table in the page that are in sight. All have one size; a cell
   is made when it comes into sight and taken away when it leaves. */
import { make } from "../js/dom.js";

const MARGIN = 1; // rows and columns beyond those in sight

/**
 * @typedef {object} Layout
 * @property {number} rows
 * @property {number} columns
 * @property {number} width of a cell in pixels
 * @property {number} height of a cell in pixels
 */

/**
 * The rows and columns in sight; the last ones are not in it.
 * @typedef {object} Range
 * @property {number} top
 * @property {number} bottom
 * @property {number} left
 * @property {number} right
 */

/**
 * @param {HTMLElement} viewport scrolls
 * @param {object} source
 * @param {() => Layout} source.layout
 * @param {(row: number, column: number) => HTMLElement | null} source.makeCell null: no cell there
 * @param {(range: Range) => void} [source.onRange] is told what came into sight
 */
export const mountVirtualCells = (viewport, { layout, makeCell, onRange }) => {
  const sheet = make("div", { class: "virtual-sheet", role: "presentation" });
  viewport.replaceChildren(sheet);
  /** @type {Map<string, HTMLElement | null>} */
  const cells = new Map();
  let shown = "";
  let isAwaited = false;

  /** @returns {Range} */
  const readRange = () => {
    const { rows, columns, width, height } = layout();
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = viewport;
    return {
      top: Math.max(0, Math.floor(scrollTop / height) - MARGIN),
      bottom: Math.min(rows, Math.ceil((scrollTop + clientHeight) / height) + MARGIN),
      left: Math.max(0, Math.floor(scrollLeft / width) - MARGIN),
      right: Math.min(columns, Math.ceil((scrollLeft + clientWidth) / width) + MARGIN),
    };
  };

  const update = () => {
    isAwaited = false;
    if (!viewport.clientWidth) return; // in a tab that is not open
    const { rows, columns, width, height } = layout();
    const range = readRange();
    const state = JSON.stringify([range, rows, columns, width, height]);
    if (state === shown) return;
    shown = state;
    sheet.style.width = `${columns * width}px`;
    sheet.style.height = `${rows * height}px`;
    const wanted = new Set();
    const fresh = document.createDocumentFragment();
    for (let row = range.top; row < range.bottom; row += 1) {
      for (let column = range.left; column < range.right; column += 1) {
        const name = `${row} ${column}`;
        wanted.add(name);
        if (!cells.has(name)) {
          const cell = makeCell(row, column);
          cells.set(name, cell);
          if (cell) {
            cell.style.cssText = `width:${width}px;height:${height}px;transform:translate(${column * width}px,${row * height}px)`;
            fresh.append(cell);
          }
        }
      }
    }
    cells.forEach((cell, name) => {
      if (wanted.has(name)) return;
      cell?.remove();
      cells.delete(name);
    });
    sheet.append(fresh);
    onRange?.(range);
  };

  const plan = () => {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(update);
  };

  /** Make all cells in sight anew. */
  const renew = () => {
    cells.clear();
    sheet.replaceChildren();
    shown = "";
    update();
  };

  /**
   * Scroll so that a cell is in sight, and make it.
   * @param {number} row
   * @param {number} column
   */
  const reveal = (row, column) => {
    const { width, height } = layout();
    const { clientWidth, clientHeight } = viewport;
    const scroll = (
      /** @type {number} */ at,
      /** @type {number} */ size,
      /** @type {number} */ from,
      /** @type {number} */ room,
    ) => {
      if (at < from) return at;
      return at + size > from + room ? at + size - room : from;
    };
    viewport.scrollTop = scroll(row * height, height, viewport.scrollTop, clientHeight);
    viewport.scrollLeft = scroll(column * width, width, viewport.scrollLeft, clientWidth);
    update();
  };

  viewport.addEventListener("scroll", plan, { passive: true });
  return {
    renew,
    reveal,
    update,
    /**
     * @param {number} row
     * @param {number} column
     */
    cellAt: (row, column) => cells.get(`${row} ${column}`) ?? null,
    range: readRange,
  };
};
