// @ts-check
/* Cards of images: a person chooses one by mouse or keyboard; the choice stands in the address and
   is reported to Python. */
import { changeAddress, pushAddress, readAddress, RETURN } from "../js/address.js";
import { choiceChanges, EVIDENCE_SHOWN } from "../evidence/choice.js";
import { closest, findAll } from "../js/dom.js";
import { showTruth } from "../html/truth.js";
/** @import { Choice, Component } from "../js/types.js" */

/** The event of the document when the images of another run are shown, or none any more. */
export const RUN_SHOWN = "hallascope:run";
const MOST_REPEATS = 3; // of asking for the evidence of one choice
/** Stored runs that were asked for and are not here yet; meanwhile the address may name another. */
export const requestedRuns = new Set();

/** Bring the evidence into sight, if it is not there; it may come only after the choice. */
const scrollToEvidence = () => {
  const place = document.querySelector("#evidence");
  if (!place) return;
  const top = place.getBoundingClientRect().top;
  if (top >= 0 && top < innerHeight / 3) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
};

const PROMPT = "#prompt :is(input, textarea)";

const typedPrompt = () => {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector(PROMPT);
  return field ? field.value.trim() : "";
};

/** @param {Component} component */
export const mount = ({ element, trigger, watch }) => {
  const cards = () => findAll(element, ".tile");
  const buttons = () => findAll(element, ".pick");
  /** @type {string | null} */
  let run = null;
  /** @type {string | null} */
  let chosen = null;
  /** @type {string | null} */
  let reported = null; // what Python was told last
  let repeats = 0; // how often the evidence of the choice was asked for again
  // The person chose the image, or the address named it. Else it is the one to look at first, as
  // soon as that is known.
  let chosenByPerson = false;

  const show = () =>
    cards().forEach((card) => {
      const on = card.dataset.key === chosen;
      card.classList.toggle("chosen", on);
      card.querySelector(".pick").setAttribute("aria-pressed", String(on));
    });

  const report = () => {
    const card = cards().find(({ dataset }) => dataset.key === chosen);
    const state = card && `${run} ${chosen} ${card.dataset.version}`;
    if (!card || state === reported) return;
    reported = state;
    repeats = 0;
    trigger("select", { run, key: chosen });
  };

  /**
   * Ask again for the evidence of the choice where that of another image came: what is asked for at
   * almost the same time may be answered in another order. Not for ever: the store may lack it.
   * @param {{run: string | null, key: string | null}} shown
   */
  const mendEvidence = (shown) => {
    if (!reported || !shown.key || repeats === MOST_REPEATS) return;
    if (shown.run === run && shown.key === chosen) return;
    repeats += 1;
    trigger("select", { run, key: chosen });
  };

  /** @type {string | null} */
  let wanted = null; // what the clicked sign leads to, until its evidence is shown

  /** @param {string | null} wished the key of a question or finding */
  const announce = (wished = null) => {
    /** @type {Choice} */
    const detail = {
      source: element,
      run,
      key: chosen,
      chosen: wished,
      isUnnamed: !isNamed(),
    };
    document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
  };

  /** Return whether the address names what is shown; the example that ships is not named. */
  const isNamed = () => element.querySelector(".pictures[data-unnamed]") === null;

  /**
   * @param {string} key
   * @param {string | null} wished the key of a question or finding
   */
  const choose = (key, wished) => {
    chosenByPerson = true;
    wanted = wished;
    if (key !== chosen) {
      if (isNamed()) pushAddress({ run, image: key, ...choiceChanges(null) });
      chosen = key;
      show();
      report();
      announce();
    } else if (wished) announce(wished);
    scrollToEvidence();
  };

  /** @param {string[]} keys */
  const startRun = (keys) => {
    const query = readAddress();
    const isOpened = query.get("run") === run; // else it was just begun
    const hasImage = isOpened && keys.includes(query.get("image"));
    chosenByPerson = hasImage;
    chosen = hasImage ? query.get("image") : keys[0];
    if (!isNamed()) return;
    if (hasImage) changeAddress({ run, image: chosen });
    else if (isOpened) changeAddress({ image: chosen, ...choiceChanges(null) });
    else if (!requestedRuns.has(run) && !requestedRuns.has(query.get("run"))) {
      pushAddress({ run, image: chosen, ...choiceChanges(null) });
    }
  };

  /** Say so where the images are of another prompt than the one that is typed. */
  const markEarlierRun = () => {
    /** @type {HTMLElement | null} */
    const grid = element.querySelector(".pictures");
    /** @type {HTMLElement | null} */
    const note = element.querySelector(".earlier");
    if (!grid || !note) return;
    const typed = typedPrompt();
    /** @type {HTMLElement | null} */
    const drawnAs = document.querySelector(".prompt-note[data-asked]");
    const prompts = ["", grid.dataset.prompt, drawnAs?.dataset.asked];
    const isShown = !isNamed() || prompts.includes(typed); // the example is of no earlier run
    const begins = grid.dataset.previous !== undefined; // a run was just started
    if (begins) requestedRuns.clear(); // one that could not be opened never comes
    const isEarlier = begins || !isShown;
    note.hidden = !isEarlier;
    document.querySelector("#results")?.classList.toggle("earlier-run", isEarlier);
  };

  const refresh = () => {
    showTruth();
    markEarlierRun();
    /** @type {HTMLElement | null} */
    const grid = element.querySelector(".pictures");
    if (grid && grid.dataset.run !== (run || "")) document.dispatchEvent(new Event(RUN_SHOWN));
    if (grid && !grid.dataset.run) {
      run = null;
      chosen = null;
      reported = null;
    }
    if (!grid || !grid.dataset.run) return;
    if (grid.dataset.run !== run) {
      run = grid.dataset.run;
      startRun(cards().map((card) => card.dataset.key));
    }
    const { first } = grid.dataset;
    requestedRuns.delete(run);
    if (!chosenByPerson && first && first !== chosen && readAddress().get("run") === run) {
      chosen = first;
      changeAddress({ image: chosen, ...choiceChanges(null) });
      announce();
    }
    show();
    // A person who went back meanwhile left this run; its evidence would come after what they see.
    if (isNamed() && readAddress().get("run") !== run) return;
    report();
  };

  /** Show what the address names after Back or Forward; another run comes by itself. */
  const follow = () => {
    const query = readAddress();
    if (!run || query.get("run") !== run) return;
    const key = query.get("image");
    if (key === chosen || !cards().some(({ dataset }) => dataset.key === key)) return;
    chosen = key;
    show();
    report();
  };

  document.addEventListener(RETURN, follow);
  document.addEventListener(EVIDENCE_SHOWN, ({ detail }) => {
    if (!detail.element.closest("#evidence")) return;
    mendEvidence(detail);
    if (wanted && detail.key === chosen) announce(wanted);
    wanted = null;
  });
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLElement && target.matches(PROMPT)) markEarlierRun();
  });
  document.addEventListener("hallascope:choose", ({ detail }) => {
    if (detail.source === element || detail.run !== run) return;
    chosenByPerson = true;
    if (detail.key === chosen) return;
    chosen = detail.key;
    show();
    report();
  });
  element.addEventListener("click", (event) => {
    const card = closest(event, ".tile");
    if (!card || closest(event, "a")) return;
    const sign = closest(event, ".strip li");
    const place = sign && findAll(sign.parentElement, "li").indexOf(sign);
    choose(card.dataset.key, sign ? `${card.dataset.sign}=${place + 1}` : null);
  });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = buttons().filter((button) => button.checkVisibility());
    const focused = all.findIndex((button) => button === document.activeElement);
    if (!step || focused < 0) return;
    event.preventDefault();
    all[(focused + step + all.length) % all.length].focus();
  });
  watch("value", refresh);
  refresh();
};
