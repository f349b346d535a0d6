// @ts-check
/* Break it yourself: every fact of a drawing is a switch, the judge answers at once, and the person
   hunts for an error that the judge does not see. `server` has begin, draw, ask, surprise and browse:
   Python functions, which make the HTML. What is chosen stands in the address. */
import { changeAddress, readAddress } from "../js/address.js";
import { closest, findAll, make } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { openConcepts } from "./concept_dialog.js";
/** @import { Component } from "../js/types.js" */

/** @typedef {{concept: string, facts: string, seed: number}} Alteration what the address names */
/**
 * A drawing, as Python sends it; the lists are by fact.
 * @typedef {Alteration & {
 *   prompt: string, alt: string, svg: string, outlines: string, cards: string, strips: string[],
 *   values: string[], mistakes: boolean[], exercises: unknown[],
 * }} Sheet
 */
/**
 * What the judge answered, and what came of it; `tried` and `finds` are errors.
 * @typedef {{
 *   lines: string[], outcomes: string[], kind: string, title: string, words: string,
 *   tried: string[], finds: {key: string, words: string}[],
 * }} Answers
 */
/** @typedef {{key: string, words: string, image: string, alteration: Alteration}} Find */

const VISIT = "hallascope-break-it";
const MOST_SHOWN = 12; // finds on the shelf, the newest
const KEPT = 200; // answers about drawings that the page remembers

/** @param {string} svg */
const imageAddress = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/**
 * Return a function that sends one request at a time; of those that wait only the last is sent.
 * @template Request
 * @param {(request: Request) => Promise<void>} send
 */
const latestOnly = (send) => {
  let isBusy = false;
  /** @type {{request: Request} | null} */
  let waiting = null;
  /** @param {Request} request */
  const run = async (request) => {
    if (isBusy) {
      waiting = { request };
      return;
    }
    isBusy = true;
    await send(request);
    isBusy = false;
    if (!waiting) return;
    const next = waiting;
    waiting = null;
    run(next.request);
  };
  return run;
};

/** @typedef {{tried: string[], finds: Find[]}} Visit errors that were tried, and those missed */

/** @returns {Visit} what was kept until this tab of the browser is closed */
const recallVisit = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(VISIT));
    if (Array.isArray(kept.tried) && Array.isArray(kept.finds)) return kept;
  } catch {
    /* nothing is kept, or a private window */
  }
  return { tried: [], finds: [] };
};
/** @param {Visit} visit */
const rememberVisit = (visit) => {
  try {
    sessionStorage.setItem(VISIT, JSON.stringify(visit));
  } catch {
    /* a private window, or no room */
  }
};

/** @param {Component} component */
export const mount = ({ element, server, trigger }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".break-it");
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Alteration | null} */
  let chosen = null; // what was chosen last; the drawing of it may still be on its way
  /** @type {Answers | null} */
  let answers = null; // null: the judge has not answered yet
  const firstJudge = root.dataset.judge;
  let judge = firstJudge;
  /** @type {Map<string, Answers>} by drawing and judge */
  const remembered = new Map();
  let turn = 0; // counts what is chosen, so that a late reply meets no other drawing
  let isOwn = false; // whether the person has changed something since the page was opened
  const visit = recallVisit();

  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => root.querySelector(selector);
  const findCards = () => findAll(root, ".fact");
  /** @type {(name: string, request: unknown) => Promise<any>} */
  const ask = (name, request) => askServer(server, name, request);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };
  /** @param {Alteration} alteration */
  const plainOf = ({ concept, facts, seed }) => ({ concept, facts, seed });
  /** @param {Alteration} alteration */
  const nameOf = (alteration) => JSON.stringify([judge, plainOf(alteration)]);

  /* --- what is shown ---------------------------------------------------------------------------- */

  const showVisit = () => {
    const { finds, tried } = visit;
    const errors = finds.length === 1 ? "error" : "errors";
    find(".tally").replaceChildren(
      make("strong", {}, finds.length),
      make("span", {}, `${errors} that the judge does not see, of ${tried.length} that you tried`),
    );
    find(".shelf").hidden = finds.length === 0;
    const shown = finds.slice(-MOST_SHOWN).reverse();
    find(".finds").replaceChildren(
      ...shown.map(({ words, image, alteration }) => {
        const node = make("img", { src: image, alt: `Open your find: ${words}` });
        const open = () => choose(alteration);
        return make(
          "li",
          {},
          make("button", { type: "button", title: words, onclick: open }, node),
        );
      }),
    );
  };
  const celebrate = () => {
    const [tally, burst] = [find(".tally"), find(".burst")];
    burst.replaceWith(burst.cloneNode(true)); // so that it moves again
    [tally, root].forEach((node) => node.classList.remove("more"));
    requestAnimationFrame(() => [tally, root].forEach((node) => node.classList.add("more")));
  };
  /** Count the errors of this drawing; return whether one is new that the judge does not see. */
  const countErrors = () => {
    const fresh = answers.finds.filter(({ key }) =>
      visit.finds.every((known) => known.key !== key),
    );
    visit.tried = [...new Set([...visit.tried, ...answers.tried])];
    fresh.forEach(({ key, words }) => {
      const image = imageAddress(sheet.svg);
      visit.finds.push({ key, words, image, alteration: plainOf(sheet) });
    });
    rememberVisit(visit);
    return fresh.length > 0;
  };
  const showAnswers = () => {
    const box = find(".outcome-box");
    box.dataset.kind = answers ? answers.kind : "waiting";
    if (!answers) return;
    find(".outcome-title").replaceChildren(answers.title);
    find(".outcome-words").replaceChildren(answers.words);
    findCards().forEach((card, index) => {
      card.querySelector(".answer-line:last-child").outerHTML = answers.lines[index];
      card.dataset.outcome = answers.outcomes[index];
    });
    const isNew = isOwn && countErrors();
    showVisit();
    if (isNew) celebrate();
    element.dataset.answered = String(turn);
  };
  /** @param {Sheet} next */
  const showSheet = (next) => {
    const isOther = !sheet || sheet.concept !== next.concept;
    sheet = next;
    if (isOther) find(".facts").innerHTML = sheet.cards; // escaped where Python builds them
    findCards().forEach((card, index) => {
      card.querySelector(".strips").innerHTML = sheet.strips[index];
      card.classList.toggle("is-wrong", sheet.mistakes[index]);
      card.dataset.outcome = "";
      /** @type {HTMLInputElement[]} */
      const radios = findAll(card, "input");
      radios.find(({ value }) => value === sheet.values[index]).checked = true;
    });
    const image = /** @type {HTMLImageElement} */ (find(".stage img"));
    image.src = imageAddress(sheet.svg);
    image.alt = sheet.alt;
    find(".overlay").innerHTML = sheet.outlines;
    find(".concept-name").replaceChildren(sheet.prompt);
    find(".seed").replaceChildren(`Drawing ${sheet.seed}`);
    [".add-to-set", ".reset"].forEach((button) =>
      find(button).toggleAttribute("disabled", sheet.exercises.length === 0),
    );
    showAnswers();
  };

  /* --- choosing --------------------------------------------------------------------------------- */

  /** @param {Alteration} alteration */
  const writeChoice = ({ concept, facts, seed }) =>
    changeAddress({
      tab: "learn",
      part: "break",
      concept,
      facts: facts || null,
      seed: seed ? String(seed) : null,
      judge: judge === firstJudge ? null : judge,
    });

  const draw = latestOnly(
    /** @param {{own: number, name: string, alteration: Alteration}} request */
    async ({ own, name, alteration }) => {
      const { concept, facts, seed } = alteration;
      const reply = await ask(name, { concept, facts, seed: String(seed) });
      if (own !== turn) return;
      if (reply.wrong) {
        say(reply.wrong, true);
        return;
      }
      showSheet(reply);
      if (name === "surprise") {
        chosen = reply;
        writeChoice(reply);
        askJudge({ own, alteration: reply });
      }
    },
  );
  const askJudge = latestOnly(
    /** @param {{own: number, alteration: Alteration}} request */
    async ({ own, alteration }) => {
      if (own !== turn) return;
      const { concept, facts, seed } = alteration;
      const name = nameOf(alteration);
      const request = { concept, facts, seed: String(seed), judge, own: isOwn };
      const reply = remembered.get(name) || (await ask("ask", request));
      if (!reply.wrong && remembered.size < KEPT) remembered.set(name, reply);
      if (own !== turn) return;
      if (reply.wrong) {
        say(reply.wrong, true);
        return;
      }
      answers = reply;
      // the drawing may come after the answers
      if (sheet && nameOf(sheet) === name) showAnswers();
    },
  );
  const beginTurn = () => {
    turn += 1;
    isOwn = true;
    answers = null;
    say("");
    showAnswers();
  };
  /** @param {Alteration} alteration */
  const choose = (alteration) => {
    chosen = plainOf(alteration);
    beginTurn();
    writeChoice(chosen);
    draw({ own: turn, name: "draw", alteration: chosen });
    askJudge({ own: turn, alteration: chosen });
  };
  const chooseFacts = () => {
    const facts = findCards().flatMap((card) => {
      /** @type {HTMLInputElement | null} */
      const radio = card.querySelector(".option:not(.true) input:checked");
      return radio ? [`${card.dataset.parameter}.${radio.value}`] : [];
    });
    const { concept } = sheet;
    const seed = concept === chosen.concept ? chosen.seed : sheet.seed;
    choose({ concept, facts: facts.join("_"), seed });
  };
  const chooseConcept = async () => {
    const reply = await ask("browse", {});
    if (reply.wrong) {
      say(reply.wrong, true);
      return;
    }
    openConcepts(find(".dialog-place"), reply.concepts, sheet.concept, (concept) =>
      choose({ concept, facts: "", seed: 0 }),
    );
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    ".concept-choice": chooseConcept,
    ".surprise": () => {
      beginTurn();
      draw({ own: turn, name: "surprise", alteration: sheet });
    },
    ".another": () => choose({ ...chosen, seed: chosen.seed + 1 }),
    ".reset": () => choose({ ...chosen, facts: "" }),
    ".add-to-set": () => trigger("select", { exercises: sheet.exercises }),
    ".outline-switch": () => {
      const isOn = root.classList.toggle("outlined");
      find(".outline-switch").setAttribute("aria-pressed", String(isOn));
    },
  };
  root.addEventListener("click", (event) => {
    Object.entries(actions).forEach(([selector, act]) => {
      if (closest(event, selector)) act();
    });
  });
  root.addEventListener("change", (event) => {
    const select = /** @type {HTMLSelectElement | null} */ (closest(event, ".judge-choice"));
    if (closest(event, ".fact")) chooseFacts();
    if (!select) return;
    judge = select.value;
    choose(chosen);
  });
  ["pointerover", "pointerout"].forEach((type) =>
    find(".facts").addEventListener(type, (event) => {
      const card = closest(event, ".fact");
      findAll(root, `[data-fact="${card?.dataset.index}"]`).forEach((node) =>
        node.classList.toggle("near", type === "pointerover"),
      );
    }),
  );

  const begin = async () => {
    const query = readAddress();
    const names = ["concept", "facts", "seed", "judge"];
    const request = Object.fromEntries(names.map((name) => [name, query.get(name) || ""]));
    const reply = await ask("begin", request);
    root.hidden = false;
    if (reply.wrong) {
      root.replaceChildren(make("p", { class: "told wrong", role: "alert" }, reply.wrong));
    } else {
      judge = reply.judge;
      chosen = reply;
      find(".judge-choice").innerHTML = reply.judges;
      showSheet(reply);
      showVisit();
      say(reply.fault, Boolean(reply.fault));
      askJudge({ own: turn, alteration: reply });
    }
    element.dataset.ready = "true";
  };
  /* Gradio's page is a scroll container, within which nothing would stay in sight. */
  const page = element.closest(".gradio-container");
  if (page) {
    new IntersectionObserver(([{ isIntersecting }]) =>
      page.classList.toggle("with-sticky", isIntersecting),
    ).observe(root);
  }
  begin();
};
