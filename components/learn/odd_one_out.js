// @ts-check
/* Rounds of "Which of these is not ...": a person clicks one of four images, and the truth takes the
   place of the question. Python makes the HTML of each round; the script keeps guesses and scores. */
import { readAddress } from "../js/address.js";
import { closest, findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { openPart } from "./parts.js";
/** @import { Component } from "../js/types.js" */

/**
 * @typedef {object} Round
 * @property {number} odd
 * @property {number | null} judge the image with its lowest score; null: several have it
 * @property {string} open HTML before the guess
 * @property {string} solved HTML after it, whose images have no addresses
 * @property {string} said what is read out after the guess
 */

/** @param {Component} component */
export const mount = ({ element, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".rounds");
  const total = Number(root.dataset.total);
  /** @type {(Round | undefined)[]} */
  const rounds = [];
  /** @type {number[]} the image that was clicked, by round */
  let guesses = [];
  let position = 0;

  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => root.querySelector(selector);
  /** @param {string} html escaped where Python builds it */
  const show = (html) => {
    root.innerHTML = html;
    root.classList.toggle("guessed", position in guesses);
    root.dataset.round = position < total ? String(position + 1) : "end";
    const scores = {
      you: guesses.map((image, number) => image === rounds[number].odd),
      judge: guesses.map((_, number) => rounds[number].judge === rounds[number].odd),
    };
    Object.entries(scores).forEach(([who, hits]) => {
      findAll(root, `[data-score=${who}]`).forEach((node) => {
        node.textContent = String(hits.filter(Boolean).length);
      });
      const pips = findAll(root, `[data-who=${who}] .pip`);
      hits.forEach((isHit, number) => {
        pips[number].className = `pip ${isHit ? "hit" : "miss"}`;
      });
    });
    if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: "start" });
  };
  /** @param {number} number */
  const load = async (number) => {
    if (!rounds[number]) {
      const reply = await ask(server, "more", number);
      if (reply.wrong) return reply.wrong;
      rounds[number] = reply;
    }
    return null;
  };

  /** @param {number} image */
  const guess = (image) => {
    const round = rounds[position];
    const isHit = image === round.odd;
    const sources = findAll(root, ".round-pick img").map((node) => node.getAttribute("src"));
    guesses[position] = image;
    show(round.solved);
    findAll(root, ".round-pick img").forEach((node, number) => {
      node.setAttribute("src", sources[number]);
    });
    findAll(root, ".round-tags")[image].prepend(
      make("span", { class: "round-tag you" }, "Your guess"),
    );
    find(".round-result").classList.add(isHit ? "hit" : "miss");
    find(`.round-result h3.${isHit ? "miss" : "hit"}`).remove();
    const [you, judge] = findAll(root, "[data-score]").map((node) => node.textContent);
    const own = find(".round-result h3").textContent;
    find(".rounds-said").textContent = `${own}. ${round.said} You ${you}, judge ${judge}.`;
    find(".rounds-next").focus({ preventScroll: true });
    load(position + 1);
  };
  /** @param {number} number */
  const open = async (number) => {
    const fault = await load(number);
    if (fault) {
      find(".rounds-said").textContent = fault;
      find(".rounds-said").classList.remove("unseen");
      return;
    }
    position = number;
    show(rounds[number].open);
    const focused = position > 0 && position < total ? ".round-pick" : "h2";
    find(focused).focus({ preventScroll: true });
  };

  root.addEventListener("click", (event) => {
    const image = closest(event, "[data-image]");
    const part = closest(event, "[data-part]");
    if (image) guess(Number(image.dataset.image));
    else if (part) openPart(part.dataset.part);
    else if (closest(event, ".rounds-next")) open(position + 1);
    else if (closest(event, ".rounds-again")) {
      guesses = [];
      open(0);
    }
  });
  const begin = async () => {
    const fault = await load(0);
    if (fault) root.textContent = fault;
    else show(rounds[0].open);
    element.dataset.ready = "true";
  };
  void begin();
  // links to a set of a teacher name no part of the tab
  const query = readAddress();
  if (query.get("set") && !query.get("part")) openPart("find");
};
