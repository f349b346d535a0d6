// @ts-check
/* Exercises of a learner: an image with one wrong fact. The learner marks the place (by mouse, by
   arrows and Enter, or by name), chooses the fact, and sees the truth. Python makes the HTML.
   `server` has begin, show, check, judge and practice: Python functions on the dashboard; on a page
   without a server they read what the page brings along. */
import { mount as mountViewer } from "../evidence/viewer.js";
import { readAddress } from "../js/address.js";
import { closest, findAll, make } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { recall, remember } from "../js/storage.js";
import { mountMarking, movePin, placeWords } from "./marking.js";
/** @import { Component } from "../js/types.js" */
/** @import { Point } from "./marking.js" */

/** @typedef {{at?: Point, part?: string}} Mark a place, or a part by its name */
/** @typedef {{items: any[], token: string, html: string}} Work */
/**
 * What became of an answer.
 * @typedef {object} Result
 * @property {boolean | null} place whether it is right; null: it is not asked for
 * @property {boolean} fact
 * @property {number} answer the wrong fact
 * @property {string} viewer HTML of the truth
 * @property {string} standing how far the learner is in all
 * @property {number} chosen the fact that the learner chose
 * @property {Mark | null} mark
 */

const NAME = "hallascope-learner";

/** @param {Result} result */
const verdictTitle = (result) => {
  if (result.fact && result.place !== false) return "Found";
  return result.fact || result.place ? "Half right" : "Not this time";
};

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".teach");
  /** @type {Work | null} */
  let work = null;
  let position = 0;
  /** @type {Mark | null} */
  let mark = null;
  /** @type {Result[]} */
  let results = []; // by position
  let turn = 0; // counts what is shown, so that a late reply meets no other exercise
  /** @type {(mark: Point | null) => void} */
  let paintPin = () => {};
  const truth = make("div", { class: "exercise-truth" });
  let refreshTruth = () => {};

  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => root.querySelector(selector);
  /** @param {string} selector */
  const findButton = (selector) => /** @type {HTMLButtonElement} */ (find(selector));
  const findName = () => /** @type {HTMLInputElement} */ (find(".name"));
  const findParts = () => /** @type {HTMLSelectElement | null} */ (find(".parts"));
  /** @type {(name: string, request: unknown) => Promise<any>} */
  const ask = (name, request) => askServer(server, name, request);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };

  /* --- the place and the fact ------------------------------------------------------------------- */

  const paintMark = () => {
    if (!findParts()) return;
    const missing = find(".missing");
    const part = mark && mark.part;
    paintPin((mark && mark.at) || null);
    missing.setAttribute("aria-pressed", String(part === missing.dataset.part));
    findParts().value = part && part !== missing.dataset.part ? part : "";
  };
  /** @param {Mark | null} next */
  const setMark = (next) => {
    if (results[position]) return;
    mark = next;
    paintMark();
    const words = next && (next.at ? placeWords(next.at) : next.part);
    say(words ? `Marked: ${words}.` : "");
  };
  const chosenFact = () => {
    /** @type {HTMLInputElement | null} */
    const radio = root.querySelector(".which input:checked");
    return radio ? Number(radio.value) : null;
  };

  /* --- the answer ------------------------------------------------------------------------------- */

  /** @param {Result} result */
  const showTruth = (result) => {
    truth.innerHTML = result.viewer; // escaped where Python builds the evidence viewer
    refreshTruth();
    const canvas = truth.querySelector(".canvas");
    if (!canvas || !mark || !mark.at) return;
    const pin = make("span", { class: "pin yours", "aria-hidden": "true" });
    movePin(pin, mark.at);
    canvas.append(pin);
  };
  /** @param {Result} result */
  const reveal = (result) => {
    const facts = findAll(root, ".which .mark");
    const wrongFact = facts[result.answer];
    find(".verdict h3").replaceChildren(verdictTitle(result));
    Object.entries({ place: result.place, fact: result.fact }).forEach(([name, isRight]) => {
      find(`.verdict .${name}.${isRight ? "incorrect" : "correct"}`)?.remove();
    });
    if (!result.fact) {
      const words = `Not the right question. Right: “${wrongFact.textContent.trim()}”`;
      find(".verdict .fact span:last-child").replaceChildren(words);
    }
    find(".verdict").hidden = false;
    wrongFact.classList.add("gold");
    wrongFact.append(make("span", { class: "about" }, "the mistake"));
    if (result.chosen !== result.answer) facts[result.chosen].classList.add("missed");
    showTruth(result);
    findAll(root, ".asks input, .asks select, .asks .missing, .check").forEach((node) =>
      node.setAttribute("disabled", ""),
    );
    find(".field").removeAttribute("tabindex");
  };
  const showScore = () => {
    const done = results.filter(Boolean);
    const asked = done.filter(({ place }) => place !== null);
    const facts = done.filter(({ fact }) => fact).length;
    const places = asked.filter(({ place }) => place).length;
    const score = `Right so far: ${facts} of ${done.length} questions, ${places} of ${asked.length} places`;
    find(".score").replaceChildren(done.length ? score : "Nothing answered yet");
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
    if (findParts() && mark === null) {
      say("Mark the place first: click it in the image, or name it.", true);
      return;
    }
    if (chosen === null) {
      say("Choose a question first.", true);
      return;
    }
    const ownTurn = turn;
    findButton(".check").disabled = true;
    const item = work.items[position];
    const name = findName().value;
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
    find(".standing").replaceChildren(reply.standing);
    showMoves();
    await showJudge();
  };

  /* --- from one exercise to the next ------------------------------------------------------------ */

  const showMoves = () => {
    findButton(".previous").disabled = position === 0;
    findButton(".next").disabled = position === work.items.length - 1;
    find(".next").classList.toggle("primary", Boolean(results[position]));
  };
  /** @param {number} next */
  const open = async (next, focus = true) => {
    position = next;
    turn += 1;
    const ownTurn = turn;
    truth.replaceChildren();
    showMoves();
    const total = work.items.length;
    const reply = await ask("show", { item: work.items[position], position, total });
    if (ownTurn !== turn) return;
    find(".body").innerHTML = reply.html || ""; // escaped where Python builds it
    say(reply.wrong || "", Boolean(reply.wrong));
    if (reply.wrong) return;
    const result = results[position];
    mark = result ? result.mark : null;
    const field = find(".field");
    paintPin = mountMarking(field, (mark && mark.at) || null, (at) => setMark({ at }), say);
    paintMark();
    if (result) {
      /** @type {HTMLInputElement[]} */
      const radios = findAll(root, ".which input");
      radios[result.chosen].checked = true;
      reveal(result);
      showJudge();
    } else if (focus && field.tabIndex === 0) {
      field.focus({ preventScroll: true });
    }
    element.dataset.shown = String(turn);
  };
  /** @param {Work & {wrong?: string}} reply */
  const start = (reply) => {
    work = reply;
    results = [];
    root.innerHTML = reply.html; // escaped where Python builds it
    root.append(truth);
    findName().value = recall(NAME) || "";
    showScore();
    open(0, false);
  };
  const practice = async () => {
    /** @type {HTMLSelectElement[]} */
    const selects = findAll(root, ".sorts select");
    const wanted = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
    const reply = await ask("practice", wanted);
    if (reply.wrong) say(reply.wrong, true);
    else start(reply);
  };
  /** Start with what the page brings along, else with what Python offers for a set of the address. */
  const begin = async (set = "") => {
    const reply = props.value || (await ask("begin", { set }));
    if (reply.wrong) {
      root.replaceChildren(
        make("p", { class: "told wrong", role: "alert" }, reply.wrong),
        make("button", { type: "button", onclick: () => begin() }, "Practice without the set"),
      );
    } else {
      start(reply);
    }
    element.dataset.ready = "true";
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    ".asks .check": check,
    ".moves .previous": () => open(position - 1),
    ".moves .next": () => open(position + 1),
    ".sorts .more": practice,
    ".asks .missing": () => {
      const { part } = find(".missing").dataset;
      setMark(mark && mark.part === part ? null : { part });
    },
  };
  root.addEventListener("click", (event) => {
    Object.entries(actions).forEach(([selector, act]) => {
      if (closest(event, selector)) act();
    });
  });
  root.addEventListener("change", (event) => {
    if (closest(event, ".where")) setMark(findParts().value ? { part: findParts().value } : null);
    else if (closest(event, ".sorts")) practice();
    else if (closest(event, ".name")) remember(NAME, findName().value);
  });
  mountViewer({
    element: truth,
    trigger: () => {},
    watch: (_, refresh) => {
      refreshTruth = refresh;
    },
  });
  begin(readAddress().get("set") || "");
};
