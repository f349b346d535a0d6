// @ts-check
/* Break it yourself: every fact of a drawing is a switch, the judge answers at once, and the person
   hunts for an error that the judge does not see. `server` has begin, draw, ask, surprise and browse:
   Python functions. What is chosen stands in the address. */
import { changeAddress, readAddress } from "../js/address.js";
import { findAll, make } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { recallInVisit, rememberInVisit } from "../js/visit.js";
import { addToDraft } from "./class_set.js";
import { openConcepts } from "./concept_dialog.js";
/** @import { Component } from "../js/types.js" */
/** @import { Entry } from "./class_set.js" */

/** @typedef {{concept: string, facts: string, seed: number}} Alteration what the address names */
/** @typedef {{value: string, words: string, label: string, right: boolean}} Option */
/** @typedef {[number, number][]} Polygon points as shares of the width and height */
/**
 * A fact of the drawing, with all that it can be switched to.
 * @typedef {object} Switch
 * @property {string} parameter
 * @property {string} question
 * @property {string} kind
 * @property {Option[]} options
 * @property {string} value
 * @property {string} shown the answer that the drawing leads to
 * @property {string} truth the answer that a factual drawing leads to
 * @property {boolean} wrong
 * @property {boolean} asked whether a question asks for it
 * @property {Polygon[]} outlines where it is wrong
 */
/**
 * A drawing, as Python sends it.
 * @typedef {Alteration & {prompt: string, svg: string, switches: Switch[], exercises: Entry[]}} Sheet
 */
/** @typedef {{outcome: string, answer: string, note: string}} Answer of the judge to one question */
/** @typedef {{key: string, words: string, image: string, alteration: Alteration}} Find */
/** @typedef {{tried: string[], finds: Find[]}} Visit errors that were tried, and those missed */
/**
 * Where the parts of a fact's card are.
 * @typedef {object} Card
 * @property {HTMLElement} box
 * @property {HTMLElement} truth
 * @property {HTMLElement} judge
 * @property {Record<string, HTMLInputElement>} radios by value
 */

const VISIT = "hallascope-break-it";
const MOST_SHOWN = 12; // finds on the shelf, the newest
const KEPT = 200; // answers about drawings that the page remembers
const SPARKS = 16;
/** @type {Record<string, string>} the icon of an outcome as a path in a box of 16 x 16 */
const ICONS = {
  right: "M3.2 8.6 6.5 12 12.8 4.6",
  found: "M7 2.6a4.4 4.4 0 1 1 0 8.8a4.4 4.4 0 0 1 0-8.8M10.2 10.2 13.6 13.6",
  missed: "M4 4 12 12M12 4 4 12",
  "false alarm": "M8 2.2 14.6 13.6H1.4ZM8 6.6v3.1M8 11.5v.1",
};
const UNKNOWN = "M5.4 5.9a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 1.9M8 12.9v.1";

/** @param {string} outcome */
const makeIcon = (outcome) => {
  const holder = make("span", { class: "outcome-icon" });
  holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path fill="none"
    d="${ICONS[outcome] || UNKNOWN}" stroke="currentColor" stroke-width="2" stroke-linecap="round"
    stroke-linejoin="round"/></svg>`;
  return holder;
};

/** @param {string} outcome */
const makeOutcome = (outcome) =>
  make(
    "span",
    { class: `outcome ${outcome.replace(" ", "-")}` },
    makeIcon(outcome),
    make("span", {}, outcome),
  );

/** @param {string} svg */
const imageAddress = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/**
 * @param {string} kind
 * @param {string} words
 * @param {() => void} action
 */
const button = (kind, words, action) =>
  make("button", { type: "button", class: kind, onclick: action }, words);

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

/** @returns {Visit} */
const recallVisit = () => {
  const kept = recallInVisit(VISIT);
  const isWhole = kept && Array.isArray(kept.tried) && Array.isArray(kept.finds);
  return isWhole ? kept : { tried: [], finds: [] };
};

/** @param {Polygon} polygon */
const pathOf = (polygon) =>
  `M${polygon.map(([x, y]) => `${100 * Number(x)},${100 * Number(y)}`).join("L")}Z`;

/** @param {Component} component */
export const mount = ({ element, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".break-it");
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Alteration | null} */
  let chosen = null; // what was chosen last; the drawing of it may still be on its way
  /** @type {Answer[] | null} */
  let answers = null; // null: the judge has not answered yet
  const firstJudge = root.dataset.judge;
  let judge = firstJudge;
  /** @type {Map<string, Answer[]>} by drawing and judge */
  const remembered = new Map();
  /** @type {Card[]} */
  let cards = [];
  let turn = 0; // counts what is chosen, so that a late reply meets no other drawing
  let isOwn = false; // whether the person has changed something since the page was opened
  const visit = recallVisit();

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  const find = (selector) => root.querySelector(selector);
  /**
   * @param {string} name
   * @param {unknown} request
   */
  const ask = (name, request) => askServer(server, name, request);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };

  /* --- what is drawn ---------------------------------------------------------------------------- */

  const showMasks = () => {
    const overlay = find(".overlay");
    const lit = sheet.switches.flatMap(({ wrong, outlines }, index) =>
      wrong && outlines.length ? [{ index, path: outlines.map(pathOf).join("") }] : [],
    );
    const drawn = lit.flatMap(({ index, path }) =>
      ["under", "over"].map(
        (layer) => `<path class="${layer}" data-fact="${index}" d="${path}"></path>`,
      ),
    );
    overlay.innerHTML = drawn.join(""); // numbers alone
  };
  const showDrawing = () => {
    const image = /** @type {HTMLImageElement} */ (find(".stage img"));
    image.src = imageAddress(sheet.svg);
    const errors = sheet.switches.filter(({ wrong }) => wrong);
    const listed = errors.map(({ question, shown }) => `${question} ${shown}`).join("; ");
    image.alt = errors.length
      ? `${sheet.prompt}, drawn with errors: ${listed}`
      : `${sheet.prompt}, drawn without errors`;
    find(".concept-name").replaceChildren(sheet.prompt);
    find(".seed").replaceChildren(`Drawing ${sheet.seed}`);
    showMasks();
  };

  /* --- the switches ----------------------------------------------------------------------------- */

  /**
   * @param {Switch} fact
   * @param {number} index
   * @returns {Card}
   */
  const makeCard = (fact, index) => {
    /** @type {Record<string, HTMLInputElement>} */
    const radios = {};
    const options = fact.options.map((option) => {
      const radio = make("input", {
        type: "radio",
        name: `${element.id || "break-it"}-fact-${index}`,
        value: option.value,
        onchange: chooseFacts,
      });
      radios[option.value] = radio;
      const hidden = option.label === option.words ? "" : `, ${option.words}`;
      return make(
        "label",
        { class: option.right ? "option true" : "option", title: option.right ? "True" : false },
        radio,
        make("span", {}, option.label),
        option.right ? makeIcon("right") : null,
        make("span", { class: "unseen" }, option.right ? `${hidden}, true` : hidden),
      );
    });
    const truth = make("p", { class: "answer-line" });
    const judgeStrip = make("p", { class: "answer-line" });
    const light = (/** @type {boolean} */ on) => () =>
      findAll(root, `.overlay [data-fact="${index}"]`).forEach((node) =>
        node.classList.toggle("near", on),
      );
    const box = make(
      "fieldset",
      { class: "fact", onpointerenter: light(true), onpointerleave: light(false) },
      make(
        "legend",
        {},
        make("span", {}, fact.question),
        make("span", { class: "kind" }, fact.kind),
      ),
      make("div", { class: "options" }, ...options),
      make("div", { class: "strips" }, truth, judgeStrip),
    );
    return { box, truth, judge: judgeStrip, radios };
  };
  const makeCards = () => {
    cards = sheet.switches.map(makeCard);
    find(".facts").replaceChildren(...cards.map(({ box }) => box));
  };
  /**
   * @param {Card} card
   * @param {Switch} fact
   */
  const showTruth = (card, fact) => {
    card.radios[fact.value].checked = true;
    card.box.classList.toggle("is-wrong", fact.wrong);
    card.truth.replaceChildren(
      make("span", { class: "who" }, "Truth"),
      make("strong", {}, fact.shown),
      make(
        "span",
        { class: "about" },
        fact.wrong ? `wrong, should be ${fact.truth}` : "as it should be",
      ),
    );
  };
  /**
   * @param {Card} card
   * @param {Switch} fact
   * @param {Answer | null} answer null: not yet
   */
  const showAnswer = (card, fact, answer) => {
    const who = make("span", { class: "who" }, "Judge");
    card.box.dataset.outcome = answer ? answer.outcome : "";
    if (!fact.asked) {
      const words = fact.wrong ? "No question asks about this error." : "No question asks this.";
      card.judge.replaceChildren(who, makeOutcome("not asked"), aboutOf(words));
    } else if (answer) {
      const words = answer.answer ? make("strong", {}, answer.answer) : null;
      const note = answer.note ? aboutOf(answer.note) : null;
      card.judge.replaceChildren(
        who,
        ...[words, makeOutcome(answer.outcome), note].filter(Boolean),
      );
    } else {
      card.judge.replaceChildren(who, make("span", { class: "about waiting" }, "answering …"));
    }
  };
  /** @param {string} words */
  const aboutOf = (words) => make("span", { class: "about" }, words);

  /* --- what came of it -------------------------------------------------------------------------- */

  /** @param {Switch} fact */
  const errorKey = (fact) => `${judge} ${sheet.concept} ${fact.parameter} ${fact.value}`;

  const showVisit = () => {
    const { finds, tried } = visit;
    const errors = finds.length === 1 ? "error" : "errors";
    find(".tally").replaceChildren(
      make("strong", {}, String(finds.length)),
      make("span", {}, `${errors} that the judge does not see, of ${tried.length} that you tried`),
    );
    find(".shelf").hidden = finds.length === 0;
    find(".finds").replaceChildren(
      ...finds
        .slice(-MOST_SHOWN)
        .reverse()
        .map(({ words, image, alteration }) =>
          make(
            "li",
            {},
            make(
              "button",
              { type: "button", title: words, onclick: () => choose(alteration) },
              make("img", { src: image, alt: `Open your find: ${words}`, width: 64, height: 64 }),
            ),
          ),
        ),
    );
  };
  const celebrate = () => {
    const burst = make("span", { class: "burst", "aria-hidden": "true" });
    for (let spark = 0; spark < SPARKS; spark += 1) {
      burst.append(make("i", { style: `--turn:${(360 * spark) / SPARKS}deg` }));
    }
    find(".burst").replaceWith(burst);
    find(".tally").classList.remove("more");
    requestAnimationFrame(() => find(".tally").classList.add("more"));
  };
  /** @returns {{fact: Switch, answer: Answer}[]} the facts that a question asks for */
  const answeredFacts = () =>
    sheet.switches
      .filter(({ asked }) => asked)
      .map((fact, index) => ({ fact, answer: answers[index] }));

  /** Count the errors of this drawing; return whether one is new that the judge does not see. */
  const countErrors = () => {
    let isNew = false;
    answeredFacts().forEach(({ fact, answer }) => {
      const key = errorKey(fact);
      if (!fact.wrong || answer.outcome === "no answer") return;
      if (!visit.tried.includes(key)) visit.tried.push(key);
      if (answer.outcome !== "missed" || visit.finds.some((known) => known.key === key)) return;
      const { concept, facts, seed } = sheet;
      const words = `${sheet.prompt}. ${fact.question} ${fact.shown}`;
      const image = imageAddress(sheet.svg);
      visit.finds.push({ key, words, image, alteration: { concept, facts, seed } });
      isNew = true;
    });
    rememberInVisit(VISIT, visit);
    return isNew;
  };
  /** @param {string} outcome */
  const ofOutcome = (outcome) => answeredFacts().filter(({ answer }) => answer.outcome === outcome);

  /** @returns {{kind: string, title: string, words: string}} */
  const summarize = () => {
    const missed = ofOutcome("missed");
    const found = ofOutcome("found").length;
    const alarms = ofOutcome("false alarm").length;
    const unasked = sheet.switches.filter(({ wrong, asked }) => wrong && !asked).length;
    const failed = ofOutcome("no answer").length;
    const alarm = alarms ? "It takes a right fact for an error: a false alarm." : "";
    if (missed.length) {
      const [{ fact, answer }] = missed;
      const title = `${isOwn ? "You found" : "Here is"} an error that the judge does not see`;
      const words = `${fact.question} The drawing shows “${fact.shown}”, the judge says “${answer.answer}”.`;
      return { kind: "missed", title, words };
    }
    if (failed) {
      return { kind: "open", title: "The judge gave no answer", words: "Try another drawing." };
    }
    if (found) {
      const title = found === 1 ? "The judge finds your error" : "The judge finds all your errors";
      const words = alarm || "Try another value, a second error, or another drawing.";
      return { kind: "found", title, words };
    }
    if (unasked) {
      const words = "So the judge cannot find it. Make one of the other facts wrong.";
      return { kind: "open", title: "No question asks about this error", words };
    }
    if (alarms) {
      const words = "Everything in the drawing is right, but the judge sees an error.";
      return { kind: "alarm", title: "A false alarm", words };
    }
    const words = "Switch a fact to make it wrong.";
    return { kind: "right", title: "All is right, and the judge agrees", words };
  };
  const showSummary = () => {
    const box = find(".outcome-box");
    if (!answers) {
      box.dataset.kind = "waiting";
      return;
    }
    const { kind, title, words } = summarize();
    box.dataset.kind = kind;
    find(".outcome-title").replaceChildren(title);
    find(".outcome-words").replaceChildren(words);
  };
  const showAnswers = () => {
    let next = 0;
    cards.forEach((card, index) => {
      const fact = sheet.switches[index];
      const answer = answers && fact.asked ? answers[next] : null;
      if (fact.asked) next += 1;
      showAnswer(card, fact, answer);
    });
    const isNew = Boolean(answers) && isOwn && countErrors();
    showSummary();
    showVisit();
    if (isNew) celebrate();
    if (answers) element.dataset.answered = String(turn);
  };
  /** @param {Sheet} next */
  const showSheet = (next) => {
    const isOther = !sheet || sheet.concept !== next.concept;
    sheet = next;
    if (isOther) makeCards();
    cards.forEach((card, index) => showTruth(card, sheet.switches[index]));
    const errors = sheet.exercises.length;
    find(".add-to-set").toggleAttribute("disabled", errors === 0);
    find(".reset").toggleAttribute("disabled", errors === 0);
    showDrawing();
  };

  /* --- choosing --------------------------------------------------------------------------------- */

  /** @param {Alteration} alteration */
  const nameOf = ({ concept, facts, seed }) => JSON.stringify([judge, concept, facts, seed]);

  /** @param {Alteration} alteration */
  const writeChoice = ({ concept, facts, seed }) =>
    changeAddress({
      tab: "teach",
      part: "break",
      concept,
      facts: facts || null,
      seed: seed ? String(seed) : null,
      judge: judge === firstJudge ? null : judge,
    });

  const draw = latestOnly(
    /** @param {{own: number, name: string, alteration: Alteration}} request */
    async ({ own, name, alteration }) => {
      const reply = await ask(name, alteration);
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
      showAnswers();
    },
  );
  const askJudge = latestOnly(
    /** @param {{own: number, alteration: Alteration}} request */
    async ({ own, alteration }) => {
      if (own !== turn) return;
      const { concept, facts, seed } = alteration;
      const name = nameOf(alteration);
      const reply = remembered.has(name)
        ? { answers: remembered.get(name) }
        : await ask("ask", { concept, facts, seed: String(seed), judge });
      if (reply.answers && remembered.size < KEPT) remembered.set(name, reply.answers);
      if (own !== turn) return;
      if (reply.wrong) {
        say(reply.wrong, true);
        return;
      }
      answers = reply.answers;
      // the drawing may come after the answers
      if (sheet && nameOf(sheet) === name) showAnswers();
    },
  );
  const beginTurn = () => {
    turn += 1;
    isOwn = true;
    answers = null;
    say("");
    showSummary();
  };
  /** @param {Alteration} alteration */
  const choose = (alteration) => {
    const { concept, facts, seed } = alteration;
    chosen = { concept, facts, seed };
    beginTurn();
    writeChoice(chosen);
    draw({
      own: turn,
      name: "draw",
      alteration: { concept, facts, seed: /** @type {any} */ (String(seed)) },
    });
    askJudge({ own: turn, alteration });
  };
  const chooseFacts = () => {
    const facts = sheet.switches.flatMap(({ parameter, options }, index) => {
      const { radios } = cards[index];
      const option = options.find(({ value }) => radios[value].checked);
      return option && !option.right ? [`${parameter}.${option.value}`] : [];
    });
    const { concept } = sheet;
    const seed = concept === chosen.concept ? chosen.seed : sheet.seed;
    choose({ concept, facts: facts.join("_"), seed });
  };
  const surprise = () => {
    beginTurn();
    draw({ own: turn, name: "surprise", alteration: sheet });
  };
  const reset = () => choose({ ...chosen, facts: "" });
  const drawAnother = () => choose({ ...chosen, seed: chosen.seed + 1 });
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
  const toggleMasks = () => {
    const isOn = root.classList.toggle("outlined");
    find(".outline-switch").setAttribute("aria-pressed", String(isOn));
  };
  const openSets = () => {
    /** @type {HTMLElement} */
    const tab = document.querySelector("#teach-parts [role=tab][data-tab-id=sets]");
    tab.click();
  };
  const addToSet = () => {
    const { added, total } = addToDraft(sheet.exercises);
    const exercises = added === 1 ? "1 exercise" : `${added} exercises, one for each error`;
    const words = added ? `Added: ${exercises}. ` : "It is in your class set already. ";
    find(".told").classList.remove("wrong");
    find(".told").replaceChildren(
      words,
      button("open-set link", `Open your class set (${total})`, openSets),
    );
  };

  /* --- the layout ------------------------------------------------------------------------------- */

  /** @param {string[]} judges */
  const makeJudges = (judges) => {
    const select = make(
      "select",
      { class: "judge-choice" },
      ...judges.map((name) => make("option", { value: name, selected: name === judge }, name)),
    );
    select.addEventListener("change", () => {
      judge = select.value;
      choose(chosen);
    });
    return make("label", { class: "judge-label" }, make("span", {}, "Judge"), select);
  };
  const makeStage = () => {
    const stage = make("div", { class: "stage" });
    stage.innerHTML = `<svg class="overlay" viewBox="0 0 100 100" aria-hidden="true"></svg>`;
    stage.prepend(make("img", { width: 512, height: 512, alt: "", draggable: "false" }));
    stage.append(make("span", { class: "burst", "aria-hidden": "true" }));
    return stage;
  };
  /** @param {string[]} judges */
  const lay = (judges) => {
    root.classList.add("outlined");
    const outlines = button("outline-switch", "Outline errors", toggleMasks);
    outlines.setAttribute("aria-pressed", "true");
    root.replaceChildren(
      make(
        "div",
        { class: "controls" },
        make(
          "button",
          {
            type: "button",
            class: "concept-choice",
            "aria-haspopup": "dialog",
            onclick: chooseConcept,
          },
          make("span", { class: "concept-name" }),
          make("span", { class: "change" }, "Change"),
        ),
        button("surprise primary", "Surprise me", surprise),
        button("another", "Another drawing", drawAnother),
        button("reset", "Reset", reset),
        make("p", { class: "tally" }),
      ),
      make("p", { class: "told", role: "status" }),
      make(
        "div",
        { class: "bench-top" },
        make(
          "section",
          { class: "shown", "aria-label": "The drawing" },
          make("div", { class: "stage-band" }, makeStage()),
          make(
            "div",
            { class: "outcome-box", role: "status", "data-kind": "waiting" },
            make("p", { class: "outcome-title" }, "The judge answers …"),
            make("p", { class: "outcome-words" }),
          ),
          make(
            "div",
            { class: "under" },
            button("add-to-set", "Add to my class set", addToSet),
            outlines,
            make("span", { class: "seed soft" }),
            makeJudges(judges),
          ),
          make(
            "div",
            { class: "shelf", hidden: true },
            make("p", { class: "soft" }, "Your finds in this visit"),
            make("ul", { class: "finds" }),
          ),
        ),
        make("section", { class: "facts", "aria-label": "The facts: switch them" }),
      ),
      make("div", { class: "dialog-place" }),
    );
  };
  const begin = async () => {
    const query = readAddress();
    const names = ["concept", "facts", "seed", "judge"];
    const request = Object.fromEntries(names.map((name) => [name, query.get(name) || ""]));
    const reply = await ask("begin", request);
    if (reply.wrong) {
      root.replaceChildren(make("p", { class: "told wrong", role: "alert" }, reply.wrong));
    } else {
      judge = reply.judge;
      chosen = reply;
      lay(reply.judges);
      showSheet(reply);
      showAnswers();
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
