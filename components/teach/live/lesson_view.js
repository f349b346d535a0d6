// @ts-check
/* What the projector and the page of a pupil show alike: the image with its layers, the answers of
   the class, those of the judge, and the truth. */
import { make } from "../../js/dom.js";

/** @typedef {[number, number]} Point in shares of width and height, from the upper left */
/**
 * @typedef {object} JudgeRow
 * @property {string} question
 * @property {string} answer
 * @property {boolean} added by the class
 * @property {string} [expected] from the truth on, as are the next two
 * @property {string} [drawn]
 * @property {string | null} [word] found, missed, false alarm; null: the judge is right
 */
/**
 * A step as the server sends it; what is not revealed yet is missing.
 * @typedef {object} Step
 * @property {number} step
 * @property {number} steps
 * @property {string} title
 * @property {string} question
 * @property {string[]} choices
 * @property {boolean} marking whether pupils tap the image
 * @property {string | null} image its address below `/class/`
 * @property {string} [prompt]
 * @property {string[]} [questions] to the judge, where they stand beside the image
 * @property {JudgeRow[]} [judge]
 * @property {number | null} [right]
 * @property {string} [reveal]
 * @property {string} [outline]
 * @property {string[]} [truth]
 * @property {string[]} [judged]
 */

/**
 * Make a drawing over the image, 100 units wide and high, from markup without any text of others.
 * @param {string} kind
 * @param {string} markup
 */
const makeLayer = (kind, markup) => {
  const holder = make("div");
  holder.innerHTML = `<svg class="${kind}" viewBox="0 0 100 100" aria-hidden="true">${markup}</svg>`;
  return /** @type {SVGElement} */ (/** @type {unknown} */ (holder.firstElementChild));
};

/** @param {string} outline */
export const makeOutline = (outline) => {
  const layer = makeLayer("outline", `<path class="halo"/><path class="line"/>`);
  layer.querySelectorAll("path").forEach((path) => path.setAttribute("d", outline));
  return layer;
};

/**
 * Make the heat map of all taps: where several lie, it is darker. The more there are, the paler is
 * each, so that the image stays visible below.
 * @param {Point[]} taps
 */
export const makeHeat = (taps) => {
  const circles = (/** @type {string} */ kind, /** @type {number} */ radius) =>
    taps
      .map(
        ([x, y]) =>
          `<circle class="${kind}" cx="${100 * Number(x)}" cy="${100 * Number(y)}" r="${radius}"/>`,
      )
      .join("");
  const blur = `<filter id="blur" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="2.2"/></filter>`;
  const strength = Math.min(0.35, Math.max(0.05, 3.2 / taps.length));
  const warm = `<g filter="url(#blur)" fill-opacity="${strength}">${circles("warm", 6)}</g>`;
  return makeLayer("heat", `${blur}${warm}${circles("point", 0.9)}`);
};

/**
 * @param {Step} step
 * @param {string} root the address of `/class/`, as seen from the page
 */
export const makeImage = (step, root) =>
  make("img", {
    src: `${root}${step.image}`,
    width: 480,
    height: 480,
    draggable: "false",
    alt: `Image made for the prompt “${step.prompt}”`,
  });

/**
 * @param {string[]} questions
 */
export const makeQuestions = (questions) =>
  make(
    "section",
    { class: "panel questions" },
    make("h2", {}, "The judge is asked"),
    make("ol", {}, ...questions.map((question) => make("li", {}, question))),
  );

/**
 * Make the choices with how many of the class chose each; nobody can choose any longer.
 * @param {Step} step
 * @param {{counts: number[], chosen: number} | null} tally null: without a class
 * @param {number | null} mine the own choice
 */
export const makeAnswers = (step, tally, mine = null) => {
  const isRight = (/** @type {number} */ number) => step.right === number;
  return make(
    "ul",
    { class: "choices answers", "aria-label": "Answers" },
    ...step.choices.map((choice, number) => {
      const share = tally && tally.chosen ? tally.counts[number] / tally.chosen : 0;
      return make(
        "li",
        { class: `choice${isRight(number) ? " right" : ""}${mine === number ? " mine" : ""}` },
        tally
          ? make("span", {
              class: "share",
              "aria-hidden": "true",
              style: `width:${Math.round(100 * share)}%`,
            })
          : null,
        make("span", { class: "words" }, choice),
        mine === number ? make("span", { class: "tag" }, "your answer") : null,
        isRight(number) ? make("span", { class: "tag right" }, "right") : null,
        tally ? make("span", { class: "number" }, tally.counts[number]) : null,
      );
    }),
  );
};

/**
 * Make what the judge answers; with the truth, what is drawn and how the judge did.
 * @param {JudgeRow[]} rows
 */
export const makeJudge = (rows) =>
  make(
    "section",
    { class: "panel judge" },
    make("h2", {}, "The judge answers"),
    make(
      "dl",
      {},
      ...rows.map((row) =>
        make(
          "div",
          {},
          make("dt", {}, row.added ? `${row.question} (added by the class)` : row.question),
          make(
            "dd",
            {},
            row.answer,
            row.word
              ? make("span", { class: `tag ${row.word.replace(" ", "-")}` }, row.word)
              : null,
          ),
        ),
      ),
    ),
  );

/** @param {Step} step with its truth */
export const makeTruth = (step) =>
  make(
    "section",
    { class: "panel truth" },
    make("h2", {}, step.truth ? "The truth" : "Answer"),
    ...(step.truth || []).map((sentence) => make("p", {}, sentence)),
    ...(step.judged || []).map((sentence) => make("p", {}, sentence)),
    step.reveal ? make("p", { class: "reveal" }, step.reveal) : null,
  );
