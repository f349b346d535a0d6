// @ts-check
/* The grid of judged images: rows and columns of which only what is in sight is in the page. All
   images have one size, which zooms; the names of rows and columns stay in sight. What changed from
   a chosen column is marked. */
import { changeAddress, readAddress } from "../js/address.js";
import { closest, findAll, make } from "../js/dom.js";
import {
  createDetails,
  drawStrip,
  makeThumbnail,
  revealCell,
  revealEvidence,
} from "./image_details.js";
import { openTags } from "./tag_dialog.js";
import { mountVirtualCells } from "./virtual_cells.js";
/** @import { Component } from "../js/types.js" */
/** @import { ImageDetails } from "./image_details.js" */

/**
 * What the grid shows, as `pages/error_analysis/grid_view.py` makes it.
 * @typedef {object} GridValue
 * @property {{name: string, title: string}[]} axes what rows and columns can be
 * @property {string} rows the axis of the rows
 * @property {string} columns
 * @property {{name: string, title: string, about: string}[]} row_lines
 * @property {{name: string, title: string, about: string}[]} column_lines
 * @property {[number, number, number[]][]} cells row, column, and the evaluations there
 * @property {string} words
 */

const SIZES = { least: 56, first: 128, most: 384 };
const STEP = 1.25;
const BELOW = 50; // pixels below an image, for its answers and what changed
const COMPACT = 84; // a smaller image has no line of words below it
const STRIP = 26;
const SCROLLBAR = 16;
const BASELINE = "grid-baseline"; // in the address

/** @param {string} kind */
const outcomeOf = (kind) => (kind === "correct" ? 1 : 0);

/**
 * Return the questions whose outcome is another one than in the image of the baseline.
 * @param {ImageDetails | null | undefined} before
 * @param {ImageDetails} after
 */
const findChanges = (before, after) => {
  const changed = new Set();
  let better = 0;
  let worse = 0;
  if (!before || before.prompt !== after.prompt) return { changed, better, worse };
  const kinds = new Map(before.answers.map(([kind, , question]) => [question, kind]));
  after.answers.forEach(([kind, , question]) => {
    const was = kinds.get(question);
    if (was === undefined || was === kind) return;
    changed.add(question);
    better += Number(outcomeOf(kind) > outcomeOf(was));
    worse += Number(outcomeOf(kind) < outcomeOf(was));
  });
  return { changed, better, worse };
};

/** @param {{changed: Set<string>, better: number, worse: number}} changes */
const changeWords = ({ changed, better, worse }) => {
  const other = changed.size - better - worse;
  const parts = [
    better ? `${better} better` : "",
    worse ? `${worse} worse` : "",
    other ? `${other} changed` : "",
  ];
  return parts.filter(Boolean).join(", ");
};

/** @param {Component} component */
export const mount = ({ element, props, server, trigger, watch }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".image-grid");
  /** @type {HTMLElement} */
  const list = root.querySelector(".grid-cells");
  /** @type {HTMLElement} */
  const frame = root.querySelector(".grid-frame");
  /** @type {HTMLElement} */
  const columnNames = root.querySelector(".grid-columns > div");
  /** @type {HTMLElement} */
  const rowNames = root.querySelector(".grid-rows > div");
  /** @type {HTMLElement} */
  const status = root.querySelector(".gallery-count");
  /** @type {Record<string, string>} */
  const icons = JSON.parse(root.dataset.icons);
  /** @param {string} name @returns {HTMLSelectElement} */
  const control = (name) => root.querySelector(`[data-grid=${name}]`);
  /** @type {GridValue | null} */
  let grid = null;
  /** @type {Map<string, number[]>} */
  let places = new Map();
  let size = SIZES.first;
  let row = 0; // of the image that the keys act on
  let column = 0;
  let opened = "";
  let baseline = -1; // the column that others are compared with

  const isCompact = () => size < COMPACT;
  const layout = () => ({
    rows: grid ? grid.row_lines.length : 0,
    columns: grid ? grid.column_lines.length : 0,
    width: size + 8,
    height: size + (isCompact() ? STRIP : BELOW),
  });
  /** @param {number} atRow @param {number} atColumn */
  const idsAt = (atRow, atColumn) => places.get(`${atRow} ${atColumn}`) ?? [];
  /** @param {number} atRow @param {number} atColumn */
  const cellId = (atRow, atColumn) => `${element.id}-${atRow}-${atColumn}`;

  /** @param {string} words */
  const say = (words) => {
    status.textContent = words;
  };

  /** @param {HTMLElement} cell */
  const placeOf = (cell) => ({
    row: Number(cell.dataset.row),
    column: Number(cell.dataset.column),
  });

  /** @param {HTMLElement} cell */
  const mark = (cell) => {
    const at = placeOf(cell);
    const isActive = at.row === row && at.column === column;
    cell.classList.toggle("active", isActive);
    cell.classList.toggle("baseline", at.column === baseline);
    cell.classList.toggle("opened", `${at.row} ${at.column}` === opened);
    cell.setAttribute("aria-selected", String(isActive));
  };

  /** @param {HTMLElement} cell */
  const fill = (cell) => {
    const at = placeOf(cell);
    const ids = idsAt(at.row, at.column);
    const image = details.get(ids[0]);
    if (image === undefined) return;
    const rowTitle = grid.row_lines[at.row].title;
    const columnTitle = grid.column_lines[at.column].title;
    const where = `${rowTitle}, ${columnTitle}`;
    if (image === null) {
      cell.setAttribute("aria-label", `${where}: not stored any more`);
      cell.replaceChildren(make("span", { class: "cell-missing" }, "not stored any more"));
      return;
    }
    const [before] = baseline >= 0 && baseline !== at.column ? idsAt(at.row, baseline) : [];
    const changes = findChanges(details.get(before), image);
    const words = changeWords(changes);
    const several = ids.length > 1 ? `, one of ${ids.length} images` : "";
    const compared = words ? `, ${words} than ${grid.column_lines[baseline].title}` : "";
    cell.setAttribute("aria-label", `${where}: ${image.verdict}${several}${compared}`);
    cell.title = `${image.prompt}\n${image.model}, seed ${image.seed}`;
    cell.classList.toggle("changed", changes.changed.size > 0);
    const mood = changes.worse > changes.better ? "worse" : "better";
    const line = make(
      "span",
      { class: "cell-line" },
      make("span", { class: `cell-change ${mood}` }, words),
      make("span", { class: "cell-score" }, image.score),
    );
    cell.replaceChildren(
      make("span", { class: "cell-frame" }, makeThumbnail(image)),
      drawStrip(image, icons, changes.changed),
      isCompact() ? "" : line,
      ids.length > 1 ? make("span", { class: "cell-number" }, ids.length) : "",
    );
  };

  const allCells = () => findAll(list, ".grid-cell");
  /** @type {Map<string, HTMLElement>} */
  const names = new Map(); // those in sight, of rows and columns
  /** @param {number} at */
  const makeColumnName = (at) => {
    const { width } = layout();
    const line = grid.column_lines[at];
    const name = make("div", { class: "grid-name", title: `${line.title}: ${line.about}` });
    name.classList.toggle("baseline", at === baseline);
    name.style.cssText = `width:${width}px;transform:translateX(${at * width}px)`;
    name.append(make("span", {}, line.title));
    return name;
  };
  /** @param {number} at */
  const makeRowName = (at) => {
    const { height } = layout();
    const line = grid.row_lines[at];
    const name = make("div", { class: "grid-name", title: `${line.title}: ${line.about}` });
    name.style.cssText = `height:${height}px;transform:translateY(${at * height}px)`;
    name.append(make("span", {}, line.title));
    if (!isCompact()) name.append(make("span", { class: "soft" }, line.about));
    return name;
  };
  /**
   * Keep only the names in sight in the page.
   * @param {HTMLElement} holder
   * @param {string} kind
   * @param {number} from
   * @param {number} to
   * @param {(at: number) => HTMLElement} makeName
   */
  const showNames = (holder, kind, from, to, makeName) => {
    names.forEach((name, key) => {
      const [keyKind, at] = key.split(" ");
      if (keyKind !== kind || (Number(at) >= from && Number(at) < to)) return;
      name.remove();
      names.delete(key);
    });
    for (let at = from; at < to; at += 1) {
      const key = `${kind} ${at}`;
      if (!names.has(key)) {
        names.set(key, makeName(at));
        holder.append(names.get(key));
      }
    }
  };
  const scrollNames = () => {
    columnNames.style.transform = `translateX(${-list.scrollLeft}px)`;
    rowNames.style.transform = `translateY(${-list.scrollTop}px)`;
  };

  const cells = mountVirtualCells(list, {
    layout,
    makeCell: (atRow, atColumn) => {
      if (!idsAt(atRow, atColumn).length) return null;
      const cell = make("div", {
        class: "gallery-cell grid-cell",
        role: "option",
        id: cellId(atRow, atColumn),
        "data-row": atRow,
        "data-column": atColumn,
      });
      mark(cell);
      fill(cell);
      return cell;
    },
    onRange: ({ top, bottom, left, right }) => {
      const { rows, height } = layout();
      frame.style.setProperty("--all-rows", `${rows * height + SCROLLBAR}px`);
      showNames(columnNames, "column", left, right, makeColumnName);
      showNames(rowNames, "row", top, bottom, makeRowName);
      const ids = [];
      for (let atRow = top; atRow < bottom; atRow += 1) {
        if (baseline >= 0) ids.push(...idsAt(atRow, baseline).slice(0, 1));
        for (let atColumn = left; atColumn < right; atColumn += 1) {
          ids.push(...idsAt(atRow, atColumn).slice(0, 1));
        }
      }
      details.want([...new Set(ids)]);
    },
  });
  const details = createDetails(server, say, () => allCells().forEach(fill));

  /** Make all cells and names anew. */
  const renew = () => {
    names.clear();
    columnNames.replaceChildren();
    rowNames.replaceChildren();
    cells.renew();
  };

  /**
   * Zoom so that what is at the pointer, else in the middle, stays where it is.
   * @param {number} factor
   * @param {{x: number, y: number}} [at] in pixels within the list
   */
  const zoom = (factor, at = { x: list.clientWidth / 2, y: list.clientHeight / 2 }) => {
    const before = layout();
    const x = (list.scrollLeft + at.x) / before.width;
    const y = (list.scrollTop + at.y) / before.height;
    size = Math.round(Math.min(SIZES.most, Math.max(SIZES.least, size * factor)));
    const after = layout();
    renew(); // the sheet has its new size before it is scrolled
    list.scrollLeft = x * after.width - at.x;
    list.scrollTop = y * after.height - at.y;
    cells.update();
    scrollNames();
  };

  /**
   * Move to the next place with an image in a direction; stay where there is none.
   * @param {number} down
   * @param {number} right
   */
  const move = (down, right) => {
    const { rows, columns } = layout();
    let atRow = row + down;
    let atColumn = column + right;
    while (atRow >= 0 && atRow < rows && atColumn >= 0 && atColumn < columns) {
      if (idsAt(atRow, atColumn).length) {
        goTo(atRow, atColumn);
        return;
      }
      atRow += Math.sign(down);
      atColumn += Math.sign(right);
    }
  };
  /** @param {number} atRow @param {number} atColumn */
  const goTo = (atRow, atColumn) => {
    const before = cells.cellAt(row, column);
    row = atRow;
    column = atColumn;
    if (before) mark(before);
    cells.reveal(row, column);
    list.setAttribute("aria-activedescendant", cellId(row, column));
    const now = cells.cellAt(row, column);
    if (now) mark(now);
    revealCell(now);
  };
  const open = () => {
    const [atRow, atColumn] = [row, column];
    details.whenRead(idsAt(atRow, atColumn)[0], ({ id, run, key }) => {
      if (idsAt(atRow, atColumn)[0] !== id) return; // others are shown by now
      opened = `${atRow} ${atColumn}`;
      allCells().forEach(mark);
      revealEvidence(root.dataset.evidence);
      trigger("select", { run, key });
    });
  };
  const tag = () => {
    const ids = idsAt(row, column).slice(0, 1);
    if (!ids.length) return;
    void openTags(server, ids, (words) => {
      say(words);
      details.reload(ids);
    });
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowUp: () => move(-1, 0),
    ArrowDown: () => move(1, 0),
    ArrowLeft: () => move(0, -1),
    ArrowRight: () => move(0, 1),
    Home: () => goTo(row, 0),
    End: () => goTo(row, layout().columns - 1),
    PageUp: () => move(-Math.min(row, 5), 0),
    PageDown: () => move(Math.min(layout().rows - 1 - row, 5), 0),
    Enter: open,
    t: tag,
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    0: () => zoom(SIZES.first / size),
  };
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !grid) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  list.addEventListener(
    "wheel",
    (event) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const { left, top } = list.getBoundingClientRect();
      const delta = Math.min(60, Math.max(-60, event.deltaY));
      zoom(Math.exp(-delta / 150), { x: event.clientX - left, y: event.clientY - top });
    },
    { passive: false },
  );
  list.addEventListener("scroll", scrollNames, { passive: true });
  list.addEventListener("focus", () => {
    if (grid) list.setAttribute("aria-activedescendant", cellId(row, column));
  });
  list.addEventListener("click", (event) => {
    const cell = closest(event, ".grid-cell");
    if (!cell) return;
    ({ row, column } = placeOf(cell));
    list.setAttribute("aria-activedescendant", cellId(row, column));
    open();
  });

  root.addEventListener("click", (event) => {
    const button = closest(event, "[data-grid-zoom]");
    if (button && grid) zoom(button.dataset.gridZoom === "in" ? STEP : 1 / STEP);
  });
  root.addEventListener("change", (event) => {
    const changed = closest(event, "[data-grid]");
    if (!changed || !grid) return;
    if (changed.dataset.grid === "baseline") {
      baseline = Number(control("baseline").value);
      const line = grid.column_lines[baseline];
      changeAddress({ [BASELINE]: line ? line.name : null });
      renew();
      return;
    }
    const choice = { rows: control("rows").value, columns: control("columns").value };
    // what the other one was: rows and columns change places
    if (choice.rows === choice.columns && changed.dataset.grid === "rows")
      choice.columns = grid.rows;
    else if (choice.rows === choice.columns) choice.rows = grid.columns;
    changeAddress({ "grid-rows": choice.rows, "grid-columns": choice.columns });
    trigger("submit", choice);
  });

  /**
   * @param {HTMLSelectElement} select
   * @param {{name: string | number, title: string}[]} options
   * @param {string | number} chosen
   */
  const showOptions = (select, options, chosen) => {
    select.replaceChildren(
      ...options.map(({ name, title }) =>
        make("option", { value: name, selected: name === chosen }, title),
      ),
    );
  };
  const refresh = () => {
    grid = props.value;
    root.hidden = !grid;
    if (!grid) return;
    places = new Map(grid.cells.map(([atRow, atColumn, ids]) => [`${atRow} ${atColumn}`, ids]));
    const [first] = grid.cells;
    row = first ? first[0] : 0;
    column = first ? first[1] : 0;
    opened = "";
    const named = readAddress().get(BASELINE);
    baseline = named === null ? -1 : grid.column_lines.findIndex(({ name }) => name === named);
    showOptions(control("rows"), grid.axes, grid.rows);
    showOptions(control("columns"), grid.axes, grid.columns);
    const columns = grid.column_lines.map(({ title }, name) => ({ name, title }));
    showOptions(control("baseline"), [{ name: -1, title: "nothing" }, ...columns], baseline);
    say(grid.words);
    list.scrollTo(0, 0);
    list.removeAttribute("aria-activedescendant");
    renew();
    scrollNames();
  };
  new ResizeObserver(() => {
    if (grid) cells.update();
  }).observe(list);
  watch("value", refresh);
  refresh();
};
