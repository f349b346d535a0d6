// @ts-check
/* Exercises of a learner: a picture with one wrong fact. The learner marks the place (by mouse, by
   arrows and Enter, or by name), chooses the fact, and sees the truth. `server` has begin, show,
   check, judge and practice: Python functions on the dashboard; on a page without a server they read
   what the page brings along. */
import { mount as mountViewer } from "../evidence/viewer.js";
import { readAddress } from "../js/address.js";
import { findAll, make } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { recall, remember } from "../js/storage.js";
/** @import { Component } from "../js/types.js" */

/** @typedef {{at?: [number, number], part?: string}} Mark a place in shares of the picture, or a part */
/** @typedef {{items: any[], title: string, token: string, wanted: Record<string, string>}} Work */
/**
 * The exercise that is shown.
 * @typedef {object} Sheet
 * @property {string} picture
 * @property {number} width
 * @property {number} height
 * @property {string} prompt
 * @property {boolean} place whether the place is asked for
 * @property {string[]} parts
 * @property {string[]} facts
 */
/**
 * What became of an answer.
 * @typedef {object} Result
 * @property {boolean | null} place whether it is right; null: it is not asked for
 * @property {boolean} fact
 * @property {number} answer the wrong fact
 * @property {string} viewer HTML of the truth
 * @property {any} standing
 * @property {number} chosen the fact that the learner chose
 * @property {Mark | null} mark
 */

const NAME = "hallascope-learner";
const STEP = 0.02; // of the picture, that an arrow moves the crosshair
const MISSING = "something is missing";
/** @type {Record<string, string>} */
const TITLES = { level: "Level", coi: "Composition", category: "Category" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {boolean} right */
const makeSign = (right) => {
  const sign = make("span", { class: `sign ${right ? "correct" : "incorrect"}` });
  const path = right ? "M3.2 8.6 6.5 12 12.8 4.6" : "M4 4 12 12M12 4 4 12";
  sign.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"
    fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>`;
  return sign;
};

/**
 * @param {boolean} right
 * @param {string} words
 */
const makeLine = (right, words) => make("li", {}, makeSign(right), make("span", {}, words));

/** @param {Result} result */
const verdictTitle = (result) => {
  if (result.fact && result.place !== false) return "Found";
  return result.fact || result.place ? "Half of it" : "Not this time";
};

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;

/** @param {number} value */
const clamp = (value) => Math.min(1, Math.max(0, value));

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".teach");
  /** @type {Record<string, [string, string][]> | null} */
  const sorts = props.sorts || null; // null: only the set, nothing to choose from
  /** @type {Work | null} */
  let work = null;
  let arrived = ""; // the work as it came last
  let position = 0;
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Mark | null} */
  let mark = null;
  let crosshair = [0.5, 0.5];
  /** @type {Result[]} */
  let results = []; // by position
  let turn = 0; // counts what is shown, so that a late reply meets no other exercise
  /** @type {(() => void)[]} */
  const viewerRefreshers = [];

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  const find = (selector) => root.querySelector(selector);
  /** @param {string} selector */
  const findButton = (selector) => /** @type {HTMLButtonElement} */ (find(selector));
  /**
   * @param {string} name
   * @param {unknown} request
   */
  const ask = (name, request) => askServer(server, name, request);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };

  /* --- the place -------------------------------------------------------------------------------- */

  const paintMark = () => {
    const pin = find(".pin");
    if (!pin) return;
    const [x, y] = mark && mark.at ? mark.at : [0, 0];
    pin.hidden = !(mark && mark.at);
    pin.style.left = `${x * 100}%`;
    pin.style.top = `${y * 100}%`;
    find(".field").style.setProperty("--x", `${crosshair[0] * 100}%`);
    find(".field").style.setProperty("--y", `${crosshair[1] * 100}%`);
    const part = mark && mark.part;
    find(".missing").setAttribute("aria-pressed", String(part === MISSING));
    const list = /** @type {HTMLSelectElement} */ (find(".parts"));
    list.value = part && part !== MISSING ? part : "";
  };
  /** @param {Mark | null} next */
  const setMark = (next, words = "") => {
    if (results[position]) return;
    mark = next;
    paintMark();
    say(words);
  };
  /** @param {string} part */
  const markPart = (part) => setMark({ part }, `Marked: ${part}.`);
  /**
   * @param {number} x
   * @param {number} y
   */
  const markAt = (x, y) => {
    crosshair = [x, y];
    const words = `Marked: ${percent(x)} from the left, ${percent(y)} from the top.`;
    setMark({ at: [x, y] }, words);
  };
  /** @param {KeyboardEvent} event */
  const steer = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || results[position]) return;
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    if (event.key === "Enter" || event.key === " ") {
      markAt(crosshair[0], crosshair[1]);
    } else if (arrow) {
      const step = STEP * (event.shiftKey ? 4 : 1);
      crosshair = crosshair.map((share, axis) => clamp(share + arrow[axis] * step));
      paintMark();
      const [left, top] = crosshair.map(percent);
      say(`${left} from the left, ${top} from the top; Enter marks.`);
    } else {
      return;
    }
    event.preventDefault();
  };
  /** @param {MouseEvent} event */
  const markByMouse = (event) => {
    const { left, top, width, height } = find(".field").getBoundingClientRect();
    markAt(clamp((event.clientX - left) / width), clamp((event.clientY - top) / height));
  };

  const makeField = () => {
    const markable = {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "image to mark",
      "aria-label":
        "The image. Arrows move the crosshair, with Shift further; Enter marks the place.",
      onclick: markByMouse,
      onkeydown: steer,
    };
    const picture = make("img", {
      src: sheet.picture,
      width: sheet.width,
      height: sheet.height,
      draggable: "false",
      alt: `An image that was to show ${sheet.prompt}`,
    });
    return make(
      "div",
      { class: "field", ...(sheet.place ? markable : {}) },
      picture,
      make("span", { class: "crosshair", "aria-hidden": "true" }),
      make("span", { class: "pin", hidden: true, "aria-hidden": "true" }),
    );
  };
  const makePlaces = () => {
    const legend = make("legend", {}, "1. Where is it wrong?");
    if (!sheet.place) {
      return make(
        "fieldset",
        { class: "where" },
        legend,
        make("p", { class: "soft" }, "The place is not known exactly, so it is not asked for."),
        make("select", { class: "parts", hidden: true }),
        make("button", { class: "missing", hidden: true, type: "button" }),
      );
    }
    const list = make(
      "select",
      { class: "parts", "aria-label": "Name the part" },
      ...["", ...sheet.parts].map((part) =>
        make("option", { value: part }, part || "choose a part"),
      ),
    );
    list.addEventListener("change", () => (list.value ? markPart(list.value) : setMark(null)));
    const toggleMissing = () => (mark && mark.part === MISSING ? setMark(null) : markPart(MISSING));
    const missing = make(
      "button",
      { type: "button", class: "missing", "aria-pressed": "false", onclick: toggleMissing },
      "Something is missing",
    );
    return make(
      "fieldset",
      { class: "where" },
      legend,
      make("p", { class: "soft" }, "Click the place in the image, or name it:"),
      make("div", { class: "named" }, list, missing),
    );
  };

  /* --- the fact --------------------------------------------------------------------------------- */

  const makeFacts = () => {
    const name = `${element.id || "teach"}-fact`;
    return make(
      "fieldset",
      { class: "which" },
      make("legend", {}, "2. Which fact is wrong?"),
      ...sheet.facts.map((fact, value) =>
        make(
          "label",
          { class: "mark" },
          make("input", { type: "radio", name, value }),
          make("span", {}, fact),
        ),
      ),
    );
  };
  const chosenFact = () => {
    /** @type {HTMLInputElement | null} */
    const radio = root.querySelector(".which input:checked");
    return radio ? Number(radio.value) : null;
  };

  /* --- the answer ------------------------------------------------------------------------------- */

  const lock = () => {
    findAll(root, ".asks input, .asks select, .asks .missing, .check").forEach((node) =>
      node.setAttribute("disabled", ""),
    );
    find(".field").removeAttribute("tabindex");
  };
  /** @param {Result} result */
  const markFacts = (result) => {
    const facts = findAll(root, ".which .mark");
    facts[result.answer].classList.add("gold");
    facts[result.answer].append(make("span", { class: "about" }, "this is wrong"));
    const isMissed = result.chosen !== null && result.chosen !== result.answer;
    if (isMissed) facts[result.chosen].classList.add("missed");
  };
  /** @param {Result} result */
  const showTruth = (result) => {
    find(".truth").innerHTML = result.viewer; // escaped where Python builds the evidence viewer
    viewerRefreshers.forEach((refresh) => refresh());
    const canvas = find(".truth .canvas");
    if (!canvas || !mark || !mark.at) return;
    const [left, top] = mark.at.map((share) => `${share * 100}%`);
    const style = `left:${left};top:${top}`;
    canvas.append(make("span", { class: "pin yours", "aria-hidden": "true", style }));
  };
  /** @param {Result} result */
  const reveal = (result) => {
    const wrongFact = sheet.facts[result.answer];
    const placeWords = result.place ? "The place is right." : "The place is not right.";
    const factWords = result.fact
      ? "The fact is right."
      : `The fact is not right: it is “${wrongFact}”`;
    find(".verdict").replaceChildren(
      make("h3", { tabindex: "-1" }, verdictTitle(result)),
      make(
        "ul",
        {},
        ...(result.place === null ? [] : [makeLine(result.place, placeWords)]),
        makeLine(result.fact, factWords),
      ),
      make("p", { class: "judge soft" }),
    );
    find(".verdict").hidden = false;
    markFacts(result);
    showTruth(result);
    lock();
  };
  const showScore = () => {
    const done = results.filter(Boolean);
    const asked = done.filter(({ place }) => place !== null);
    const facts = done.filter(({ fact }) => fact).length;
    const places = asked.filter(({ place }) => place).length;
    const score = `Right so far: ${facts} of ${done.length} facts, ${places} of ${asked.length} places`;
    find(".score").replaceChildren(done.length ? score : "Nothing answered yet");
    const standing = done.length ? done[done.length - 1].standing : null;
    find(".standing").replaceChildren(
      standing && standing.name
        ? `${standing.name}, in all: ${standing.facts} of ${standing.done} facts, ${standing.places} of ${standing.asked} places`
        : "",
    );
  };
  const showJudge = async () => {
    const place = find(".judge");
    const ownTurn = turn;
    place.replaceChildren("The judge is looking …");
    const reply = await ask("judge", { item: work.items[position], position });
    if (ownTurn === turn && place.isConnected) place.replaceChildren(reply.wrong || reply.words);
  };
  const check = async () => {
    const chosen = chosenFact();
    if (sheet.place && mark === null) {
      say("Mark the place first: click it in the image, or name it.", true);
      return;
    }
    if (chosen === null) {
      say("Choose the fact that is wrong first.", true);
      return;
    }
    const ownTurn = turn;
    const name = /** @type {HTMLInputElement} */ (find(".name")).value;
    findButton(".check").disabled = true;
    const item = work.items[position];
    const reply = await ask("check", { item, position, mark, chosen, name, token: work.token });
    if (ownTurn !== turn) return;
    if (reply.wrong) {
      findButton(".check").disabled = false;
      say(reply.wrong, true);
      return;
    }
    results[position] = { ...reply, chosen, mark };
    say("");
    reveal(results[position]);
    find(".verdict h3").focus({ preventScroll: true });
    showScore();
    showSteps();
    await showJudge();
  };

  /* --- from one exercise to the next ------------------------------------------------------------ */

  const showSteps = () => {
    findButton(".previous").disabled = position === 0;
    findButton(".next").disabled = position === work.items.length - 1;
    find(".next").classList.toggle("primary", Boolean(results[position]));
  };
  /** @param {boolean} focus */
  const showSheet = (focus) => {
    find(".body").hidden = false;
    say("");
    const prompt = make("strong", {}, sheet.prompt);
    find(".meant").replaceChildren("Prompt: ", prompt, ". One fact is wrong.");
    find(".field").replaceWith(makeField());
    find(".where").replaceWith(makePlaces());
    find(".which").replaceWith(makeFacts());
    findButton(".check").disabled = false;
    const result = results[position];
    mark = result ? result.mark : null;
    paintMark();
    if (result) {
      /** @type {HTMLInputElement[]} */
      const radios = findAll(root, ".which input");
      if (radios[result.chosen]) radios[result.chosen].checked = true;
      reveal(result);
      showJudge();
    } else if (focus && sheet.place) {
      find(".field").focus({ preventScroll: true });
    }
    element.dataset.shown = String(turn);
  };
  /** @param {number} next */
  const open = async (next, focus = true) => {
    position = next;
    turn += 1;
    const ownTurn = turn;
    mark = null;
    crosshair = [0.5, 0.5];
    find(".number").replaceChildren(`Image ${position + 1} of ${work.items.length}`);
    find(".truth").replaceChildren();
    find(".verdict").hidden = true;
    showSteps();
    const reply = await ask("show", { item: work.items[position], position });
    if (ownTurn !== turn) return;
    if (reply.wrong) {
      find(".body").hidden = true;
      say(reply.wrong, true);
      return;
    }
    sheet = reply;
    showSheet(focus);
  };
  const practice = async () => {
    const names = Object.keys(sorts);
    const chosen = names.map((name) => {
      const select = /** @type {HTMLSelectElement} */ (find(`[name=${name}]`));
      return [name, select.value];
    });
    const reply = await ask("practice", Object.fromEntries(chosen));
    if (reply.wrong) say(reply.wrong, true);
    else start(reply);
  };
  const makeFilters = () => {
    if (!sorts || work.title) return null;
    const selects = Object.entries(sorts).map(([name, options]) =>
      make(
        "label",
        {},
        make("span", {}, TITLES[name]),
        make(
          "select",
          { name, onchange: practice },
          ...options.map(([value, words]) =>
            make("option", { value, selected: work.wanted[name] === value }, words),
          ),
        ),
      ),
    );
    const more = make("button", { type: "button", class: "more", onclick: practice }, "Shuffle");
    return make("div", { class: "sorts" }, ...selects, more);
  };
  const makeHeader = () => {
    const name = make("input", {
      class: "name",
      type: "text",
      maxlength: "80",
      autocomplete: "name",
      value: recall(NAME) || "",
    });
    name.addEventListener("change", () => remember(NAME, name.value));
    const note = sorts ? "Enter a name to save your answers." : "";
    return make(
      "div",
      { class: "desk-head" },
      work.title ? make("h2", { class: "lesson" }, work.title) : null,
      makeFilters(),
      make(
        "label",
        { class: "who" },
        make("span", {}, "Your name"),
        name,
        make("span", { class: "soft" }, note),
      ),
    );
  };
  const makeBody = () =>
    make(
      "div",
      { class: "body", hidden: true },
      make(
        "section",
        { class: "shown", "aria-label": "The image" },
        make("h2", { class: "number" }),
        make("p", { class: "meant" }),
        make("div", { class: "field" }),
      ),
      make(
        "section",
        { class: "asks", "aria-label": "Your answer" },
        make("fieldset", { class: "where" }),
        make("fieldset", { class: "which" }),
        make("button", { type: "button", class: "check primary", onclick: check }, "Check"),
        make("div", { class: "verdict", hidden: true }),
      ),
    );
  const makeMoves = () => {
    const openPrevious = () => open(position - 1);
    const openNext = () => open(position + 1);
    return make(
      "div",
      { class: "moves" },
      make("button", { type: "button", class: "previous", onclick: openPrevious }, "Previous"),
      make("button", { type: "button", class: "next", onclick: openNext }, "Next image"),
      make("span", { class: "score soft" }),
      make("span", { class: "standing soft" }),
    );
  };
  const lay = () => {
    root.replaceChildren(
      makeHeader(),
      makeBody(),
      make("p", { class: "told", role: "status" }),
      makeMoves(),
      make("div", { class: "truth" }),
    );
    viewerRefreshers.length = 0;
    mountViewer({
      element: find(".truth"),
      trigger: () => {},
      watch: (_, refresh) => viewerRefreshers.push(refresh),
    });
  };
  /** @param {Work} value */
  const start = (value) => {
    const next = JSON.stringify(value);
    if (!value || !Array.isArray(value.items) || !value.items.length || next === arrived) return;
    arrived = next;
    work = JSON.parse(next);
    results = [];
    lay();
    showScore();
    open(0, false);
  };
  /** Start with what the page brings along, else the set of the address, else what Python offers. */
  const begin = async () => {
    const set = readAddress().get("set") || "";
    const reply = props.value || (await ask("begin", { set }));
    if (reply.wrong) {
      root.replaceChildren(
        make("p", { class: "told wrong", role: "alert" }, reply.wrong),
        make("button", { type: "button", onclick: beginWithoutSet }, "Practise without it"),
      );
    } else {
      start(reply);
    }
    element.dataset.ready = "true";
  };
  const beginWithoutSet = async () => start(await ask("begin", { set: "" }));
  begin();
};
