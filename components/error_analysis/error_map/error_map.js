// @ts-check
/* The map of judged images. Its value names the choice of images; the points come from the server in
   one answer, once the map is in sight. A lasso, a box or a group of the legend selects images, which
   the event `select` names to Python. What the map shows stands in the address, too. */
import { changeAddress, readAddress } from "../../js/address.js";
import { closest, findAll, make } from "../../js/dom.js";
import { ask } from "../../js/server.js";
import { drawMark } from "./marks.js";
import { createPointMap } from "./point_map.js";
/** @import { Component } from "../../js/types.js" */
/** @import { Spot } from "./point_map.js" */

/** @typedef {{label: string, color: string, shape: number, words: string}} Group */
/** @typedef {{name: string, title: string, of: string, groups: Group[]}} Coloring */
/**
 * @typedef {{x: string, y: string, evaluations: string, colorings: Coloring[], missing: number,
 *   embed: boolean, note: string, words: string}} MapData
 */

const STEP = 40; // pixels that an arrow key moves the map
const ZOOM = 1.5;
const NEAR = 4; // pixels between the corners of a lasso
const CLICK = 5; // pixels within which a drag is a click
const PATIENCE = 70; // milliseconds that the mouse rests on a point before its image is asked for
const TRUTH = "truth"; // the coloring that the server computes only when it is chosen

/** @param {string} text bytes in base64 */
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {string} text numbers of two bytes in base64, as shares of the largest */
const shares = (text) =>
  Float32Array.from(new Uint16Array(bytes(text).buffer), (number) => number / 65535);

/** @param {Component} component */
export const mount = ({ element, props, server, trigger, watch }) => {
  /** @type {HTMLElement} */
  const stage = element.querySelector(".map-stage");
  /** @type {HTMLElement} */
  const status = element.querySelector(".map-status");
  /** @type {HTMLElement} */
  const keys = element.querySelector(".map-keys");
  /** @type {HTMLElement} */
  const words = element.querySelector(".map-words");
  /** @type {HTMLElement} */
  const legend = element.querySelector(".map-legend");
  /** @type {HTMLElement} */
  const box = element.querySelector(".map-hover");
  /** @type {HTMLButtonElement} */
  const clearButton = element.querySelector(".map-clear");
  const outline = element.querySelector(".map-path path");
  /** @type {HTMLSelectElement[]} */
  const lists = findAll(element, "select[data-map]");
  const map = createPointMap(
    stage,
    element.querySelector(".map-points"),
    element.querySelector(".map-selected"),
  );
  /** @type {MapData | null} */
  let data = null;
  let evaluations = new Int32Array();
  let groups = new Uint8Array();
  let selected = new Int32Array();
  let mode = "lasso";
  let inSight = false;
  let loaded = ""; // the request whose answer is shown or awaited
  let drawn = false; // since the points or their colors changed
  /** @type {Map<number, {src: string | null, words: string} | null>} */
  const described = new Map();

  /** @param {string} name */
  const listOf = (name) => lists.find((list) => list.dataset.map === name);
  /** @param {string} name */
  const chosen = (name) => listOf(name)?.value || "";
  /** @param {string} name */
  const defaultOf = (name) => listOf(name)?.options[0]?.value || "";

  /** @param {string} sentence */
  const say = (sentence) => {
    status.textContent = sentence;
  };

  // --- points ---

  const request = () => ({
    choice: props.value?.choice || {},
    layout: chosen("layout"),
    embedder: chosen("embedder"),
  });

  const load = async () => {
    if (!inSight || !props.value) return;
    const asked = JSON.stringify([request(), props.value.computed]);
    if (asked === loaded) return;
    loaded = asked;
    say("Loading the map");
    const answer = await ask(server, "read_map", request());
    if (asked !== loaded) return;
    if (answer.wrong) {
      say(answer.wrong);
      return;
    }
    show(answer);
  };

  /** @param {MapData} answer */
  const show = (answer) => {
    data = answer;
    evaluations = new Int32Array(bytes(data.evaluations).buffer);
    described.clear();
    stage.hidden = evaluations.length === 0;
    keys.hidden = stage.hidden;
    map.setPoints(shares(data.x), shares(data.y));
    say(data.note);
    words.textContent = data.words;
    offerColors();
    forget();
    color();
    if (data.embed) trigger("submit", { missing: data.missing });
  };

  const offerColors = () => {
    const list = listOf("color");
    const before = list.value || readAddress().get("map-color") || "";
    list.replaceChildren(
      ...data.colorings.map(({ name, title }) => make("option", { value: name }, title)),
    );
    const isThere = data.colorings.some(({ name }) => name === before);
    list.value = isThere ? before : defaultOf("color");
  };

  const color = async () => {
    const coloring = data.colorings.find(({ name }) => name === chosen("color"));
    if (!coloring) return;
    if (coloring.name === TRUTH && !coloring.of) {
      say("Comparing the judge with the truth");
      const asked = loaded;
      const answer = await ask(server, "read_truth", request());
      if (asked !== loaded) return;
      say(answer.wrong || data.note);
      if (answer.wrong) return;
      Object.assign(coloring, answer);
      if (chosen("color") !== TRUTH) return;
    }
    groups = bytes(coloring.of);
    map.setGroups(groups, coloring.groups);
    map.setSelected(selected);
    showLegend(coloring);
    element.dataset.drawn = coloring.name;
    drawn = true;
  };

  /** @param {Coloring} coloring */
  const showLegend = (coloring) => {
    const density = Math.min(2, window.devicePixelRatio || 1);
    legend.setAttribute(
      "aria-label",
      `Groups by ${coloring.title}: choose one to select its images`,
    );
    legend.replaceChildren(
      ...coloring.groups.map((group, number) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", "data-group": String(number), "aria-pressed": "false" },
            drawMark(group.color, group.shape, 5, density),
            make("span", {}, group.label),
            make("span", { class: "n" }, group.words),
          ),
        ),
      ),
    );
  };

  // --- selecting ---

  /**
   * Select points, and tell Python which images they are.
   * @param {Int32Array<ArrayBuffer>} indexes
   * @param {string} title
   */
  const select = (indexes, title) => {
    selected = indexes;
    const ids = Array.from(indexes, (index) => evaluations[index]);
    const count = `${ids.length.toLocaleString("en")} ${ids.length === 1 ? "image" : "images"}`;
    trigger("select", { title, evaluations: ids });
    showSelected();
    say(ids.length ? `${count} selected, shown below the map.` : data.note);
  };

  const showSelected = () => {
    stage.classList.toggle("has-selection", selected.length > 0);
    clearButton.disabled = selected.length === 0;
    map.setSelected(selected);
  };

  /** Forget what is selected, since the points are others. */
  const forget = () => {
    selected = new Int32Array();
    showSelected();
    press(null);
  };

  const clear = () => {
    if (!selected.length) return;
    press(null);
    select(new Int32Array(), "Selected on the map");
  };

  /** @param {HTMLElement | null} button */
  const press = (button) =>
    findAll(legend, "[data-group]").forEach((other) =>
      other.setAttribute("aria-pressed", String(other === button)),
    );

  /** @param {HTMLElement} button */
  const selectGroup = (button) => {
    if (button.getAttribute("aria-pressed") === "true") return clear();
    const number = Number(button.dataset.group);
    /** @type {number[]} */
    const found = [];
    groups.forEach((group, index) => {
      if (group === number) found.push(index);
    });
    press(button);
    return select(Int32Array.from(found), button.querySelector("span").textContent);
  };

  // --- the mouse ---

  /** @type {Spot[]} */
  let line = [];
  let dragging = false;
  let adding = false;

  /** @param {PointerEvent} event @returns {Spot} */
  const spotOf = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  const corners = () => {
    if (mode !== "box" || line.length < 2) return line;
    const [from] = line;
    const to = line[line.length - 1];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  };

  const drawLine = () => {
    const path = corners().map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    outline.setAttribute("d", path.length > 1 ? `M${path.join("L")}Z` : "");
  };

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stage.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    dragging = true;
    adding = event.shiftKey;
    line = [spotOf(event)];
    box.hidden = true;
  });
  stage.addEventListener("pointermove", (event) => {
    const spot = spotOf(event);
    if (!dragging) {
      hover(spot, event);
      return;
    }
    const last = line[line.length - 1];
    if (mode === "move") {
      map.move(spot.x - last.x, spot.y - last.y);
      line = [spot];
    } else if (Math.abs(spot.x - last.x) + Math.abs(spot.y - last.y) >= NEAR) {
      line.push(spot);
      drawLine();
    }
  });
  stage.addEventListener("pointerup", (event) => {
    if (!dragging) return;
    dragging = false;
    const [from] = line;
    const to = spotOf(event);
    const isClick = Math.abs(from.x - to.x) + Math.abs(from.y - to.y) <= CLICK && line.length < 3;
    if (mode !== "move" || isClick)
      finish(isClick ? clicked(to) : map.findWithin(corners()), isClick);
    line = [];
    drawLine();
  });
  stage.addEventListener("pointercancel", () => {
    dragging = false;
    line = [];
    drawLine();
  });

  /** @param {Spot} spot */
  const clicked = (spot) => {
    const index = map.findAt(spot);
    return Int32Array.from(index < 0 ? [] : [index]);
  };

  /**
   * @param {Int32Array<ArrayBuffer>} found
   * @param {boolean} isClick
   */
  const finish = (found, isClick) => {
    press(null);
    const all = adding ? Int32Array.from(new Set([...selected, ...found])) : found;
    if (!all.length && !selected.length) return;
    select(all, isClick && all.length === 1 ? "Chosen on the map" : "Selected on the map");
  };

  // --- the image under the mouse ---

  let under = -1;
  let waiting = 0;

  /**
   * @param {Spot} spot
   * @param {MouseEvent} event
   */
  const hover = (spot, event) => {
    const index = map.findAt(spot);
    if (index !== under) {
      under = index;
      clearTimeout(waiting);
      box.hidden = true;
      if (index >= 0) waiting = window.setTimeout(() => describe(index), PATIENCE);
    }
    const left = Math.min(event.clientX + 18, innerWidth - 190);
    const top = Math.min(event.clientY + 18, innerHeight - 230);
    box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  };

  /** @param {number} index */
  const describe = async (index) => {
    const id = evaluations[index];
    if (!described.has(id)) {
      const answer = await ask(server, "describe", { evaluation: id });
      described.set(id, answer.wrong ? null : answer);
    }
    const image = described.get(id);
    if (under !== index || !image) return;
    const picture = box.querySelector("img");
    picture.hidden = !image.src;
    if (image.src) picture.src = image.src;
    box.querySelector("p").textContent = image.words;
    box.hidden = false;
  };

  stage.addEventListener("pointerleave", () => {
    under = -1;
    clearTimeout(waiting);
    box.hidden = true;
  });
  stage.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && mode !== "move") return; // else the page scrolls
      event.preventDefault();
      const { left, top } = stage.getBoundingClientRect();
      const spot = { x: event.clientX - left, y: event.clientY - top };
      map.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, spot);
    },
    { passive: false },
  );

  // --- keys and buttons ---

  /** @type {Record<string, () => void>} */
  const onKey = {
    ArrowLeft: () => map.move(STEP, 0),
    ArrowRight: () => map.move(-STEP, 0),
    ArrowUp: () => map.move(0, STEP),
    ArrowDown: () => map.move(0, -STEP),
    "+": () => map.zoom(ZOOM),
    "-": () => map.zoom(1 / ZOOM),
    0: () => map.fit(),
    Escape: clear,
  };
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !onKey[event.key]) return;
    event.preventDefault();
    onKey[event.key]();
  });

  /** @type {Record<string, () => void>} */
  const onZoom = {
    in: () => map.zoom(ZOOM),
    out: () => map.zoom(1 / ZOOM),
    fit: () => map.fit(),
  };

  /** @param {string} name */
  const setMode = (name) => {
    mode = name;
    stage.dataset.mode = name;
    findAll(element, "[data-mode]")
      .filter((button) => button !== stage)
      .forEach((button) =>
        button.setAttribute("aria-pressed", String(button.dataset.mode === name)),
      );
  };

  element.addEventListener("click", (event) => {
    const button = closest(event, "button");
    if (!button) return;
    if (button.dataset.mode) setMode(button.dataset.mode);
    else if (button.dataset.zoom) onZoom[button.dataset.zoom]();
    else if (button.dataset.group) selectGroup(button);
    else if (button === clearButton) clear();
  });
  element.addEventListener("change", (event) => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const name = event.target.dataset.map;
    const value = event.target.value;
    changeAddress({ [`map-${name}`]: value === defaultOf(name) ? null : value });
    if (name === "color") {
      press(null);
      if (data) color();
      return;
    }
    props.value = { ...props.value, embedder: chosen("embedder") };
    load();
  });

  // --- when it is drawn ---

  const redraw = () => {
    if (!data || !drawn || !stage.clientWidth) return;
    const coloring = data.colorings.find(({ name }) => name === chosen("color"));
    map.resize();
    if (coloring?.of) showLegend(coloring);
  };
  new ResizeObserver(() => drawn && stage.clientWidth && map.resize()).observe(stage);
  new MutationObserver(redraw).observe(document.body, { attributeFilter: ["class"] });
  new IntersectionObserver(([entry]) => {
    inSight = entry.isIntersecting;
    load();
  }).observe(element);
  lists.forEach((list) => {
    const named = readAddress().get(`map-${list.dataset.map}`);
    if (named && [...list.options].some(({ value }) => value === named)) list.value = named;
  });
  watch("value", load);
  setMode(mode);
  element.dataset.ready = "true";
};
