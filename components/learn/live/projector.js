// @ts-check
/* The page that a teacher projects: one step at a time, revealed one part after the other by the
   keys. Python makes the HTML of every phase. With a class, the pupils' pages follow it, and their
   answers stand on it. It also starts a class. */
import { closest, findAll, make } from "../../js/dom.js";
import { asJson, send, sentenceOf, wait } from "./class_server.js";

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {number} minutes
 * @property {string} notes HTML
 * @property {boolean} isAsked whether pupils choose an answer
 * @property {boolean} isPlain whether there is no image
 * @property {string[]} phases
 * @property {Record<string, string>} html by phase
 */
/**
 * What the class has answered to the step that is shown.
 * @typedef {object} ClassView
 * @property {number} step
 * @property {string} phase
 * @property {[number, number][]} pupils the number of each pupil, and its answers so far
 * @property {string} roster HTML of the pupils
 * @property {boolean} open new pupils may join
 * @property {number} answered
 * @property {number[]} counts
 * @property {unknown[]} taps
 * @property {string} heat HTML of the taps
 * @property {number} hits
 */
/** @typedef {{step: number, phase: string}} Place -1 is before the first step, `steps.length` the end */

const PAUSE = 1000; // ms between two looks at the class
/** @type {Record<string, string>} */
const NEXT = {
  class: "Show the class",
  judge: "Show the judge",
  truth: "Show the truth",
  question: "Next step",
};
/** @type {Pick<ClassView, "answered" | "counts" | "taps" | "heat" | "hits">} */
const NO_ANSWERS = { answered: 0, counts: [], taps: [], heat: "", hits: 0 };

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/* --- starting a class ----------------------------------------------------------------------------- */

/** @param {HTMLElement} page */
const offerStart = (page) => {
  const button = page.querySelector("button");
  const status = page.querySelector("[role=status]");
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.replaceChildren("Starting");
    try {
      const lesson = asJson({ lesson: button.dataset.lesson });
      const response = await fetch("../../classes", lesson);
      if (response.ok) {
        const { code, key } = await response.json();
        location.replace(`../../${code}/teacher#${key}`);
        return;
      }
      status.replaceChildren(await sentenceOf(response));
    } catch {
      status.replaceChildren("There is no connection to the server: try again.");
    }
    button.disabled = false;
  });
};

/* --- the projector -------------------------------------------------------------------------------- */

/** @param {HTMLElement} page */
const project = (page) => {
  /** @type {{title: string, code: string, start: string, end: string, steps: Step[]}} */
  const { title, code, start, end, steps } = JSON.parse(
    document.getElementById("held").textContent,
  );
  const isLive = code !== "";
  const headers = { "X-Class-Key": location.hash.slice(1) };
  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => page.querySelector(selector);
  const stage = find(".stage");
  /** @type {Place} */
  let place = { step: -1, phase: "question" };
  /** @type {ClassView} */
  let view = { ...place, pupils: [], roster: "", open: true, ...NO_ANSWERS };
  /** @type {Record<string, boolean>} `answers`: those of the class are shown while they come */
  const switches = { notes: false, answers: false, pupils: false };
  let etag = "";
  let moving = 0; // moves on their way, while which the class's own place is older
  let moveCount = 0; // all moves of this page
  let moves = Promise.resolve();
  let isOver = false;

  /** @param {number} step */
  const phasesOf = (step) => (steps[step] ? steps[step].phases : ["question"]);
  /**
   * Return the place before or after this one, or null.
   * @param {-1 | 1} direction
   * @returns {Place | null}
   */
  const neighbor = (direction) => {
    const phases = phasesOf(place.step);
    const phase = phases[phases.indexOf(place.phase) + direction];
    if (phase) return { step: place.step, phase };
    const step = place.step + direction;
    if (step < -1 || step > steps.length) return null;
    return { step, phase: direction > 0 ? "question" : phasesOf(step).at(-1) };
  };
  /** @param {string} phase */
  const hasReached = (phase) => {
    const phases = phasesOf(place.step);
    return phases.includes(phase) && phases.indexOf(phase) <= phases.indexOf(place.phase);
  };

  /* --- what is on the page ------------------------------------------------------------------------ */

  const showStage = () => {
    const step = steps[place.step];
    const image = find(".field img");
    const other = place.step < 0 ? start : end;
    stage.innerHTML = step ? step.html[place.phase] : other;
    stage.classList.toggle("plain", !step || step.isPlain);
    const next = find(".field img");
    // the same node: a new one might flicker
    if (image && next && image.getAttribute("src") === next.getAttribute("src")) {
      next.replaceWith(image);
    }
  };
  /** Show the answers of the class, where they are to be seen. */
  const showClass = () => {
    const isShown = isLive && (hasReached("class") || switches.answers);
    stage.classList.toggle("with-class", isShown);
    const chosen = view.counts.reduce((sum, each) => sum + each, 0);
    findAll(stage, ".answers .choice").forEach((choice, number) => {
      const own = view.counts[number] || 0;
      choice.querySelector(".number").textContent = String(own);
      /** @type {HTMLElement} */
      const share = choice.querySelector(".share");
      share.style.width = `${chosen ? Math.round((100 * own) / chosen) : 0}%`;
    });
    const taps = find(".taps");
    if (!taps) return;
    const hits = hasReached("truth") && find(".outline") ? `, ${view.hits} on the error` : "";
    taps.textContent = isShown ? `${count(view.taps.length, "tap")} on the image${hits}.` : "";
    find(".heat")?.remove();
    if (isShown) find(".field img").insertAdjacentHTML("afterend", view.heat);
  };
  const headWords = () => {
    const step = steps[place.step];
    const pupils = view.pupils.length;
    return [
      step ? `${step.minutes} min` : "",
      isLive && place.step >= 0 ? `Code ${code}` : "",
      isLive ? count(pupils, "pupil") : "",
      isLive && step && step.isAsked ? `${view.answered} of ${pupils} answered` : "",
    ]
      .filter(Boolean)
      .join(" · ");
  };
  /** @param {string} words */
  const say = (words) => find(".count").replaceChildren(words);
  const nextWords = () => {
    const next = neighbor(1);
    if (!next) return "Next";
    if (next.step === 0 && next.phase === "question") return "First step";
    if (next.step === steps.length) return "To the end";
    if (next.phase === "truth" && steps[next.step].isPlain) return "Show the answer";
    return NEXT[next.phase];
  };
  /** @param {string} name */
  const findMove = (name) => /** @type {HTMLButtonElement} */ (find(`[data-move="${name}"]`));
  const showMoves = () => {
    findMove("back").disabled = neighbor(-1) === null;
    findMove("next").disabled = neighbor(1) === null;
    findMove("next").textContent = nextWords();
    Object.entries(switches).forEach(([name, isOn]) => {
      findMove(name)?.setAttribute("aria-pressed", String(isOn));
    });
  };
  const showRoster = () => {
    const panel = find(".pupils");
    if (!panel) return;
    panel.hidden = !switches.pupils;
    if (panel.dataset.shown === view.roster) return;
    const { scrollTop } = panel;
    const focused = panel.contains(document.activeElement) ? document.activeElement : null;
    panel.innerHTML = view.roster; // numbers alone
    panel.dataset.shown = view.roster;
    panel.scrollTop = scrollTop;
    if (focused) findMove(focused.getAttribute("data-move"))?.focus({ preventScroll: true });
  };
  const draw = () => {
    if (isOver) return;
    const step = steps[place.step];
    const shown = `${place.step} ${place.phase}`;
    if (page.dataset.shown !== shown) showStage();
    showClass();
    find("h1").textContent = step ? `${place.step + 1}. ${step.title}` : title;
    say(headWords());
    find(".notes").hidden = !switches.notes || !step;
    find(".notes").innerHTML = step ? step.notes : ""; // escaped where Python makes it
    showRoster();
    showMoves();
    page.dataset.shown = shown;
  };

  /* --- the class ---------------------------------------------------------------------------------- */

  /**
   * @param {string} heading
   * @param {string} sentence
   */
  const finish = (heading, sentence) => {
    isOver = true;
    const nodes = [make("h1", {}, heading), make("p", { role: "alert" }, sentence)];
    page.replaceChildren(make("section", { class: "stage plain" }, ...nodes));
    page.dataset.shown = "over";
  };
  /** Look at the class once. */
  const look = async () => {
    const movesBefore = moveCount;
    const known = etag ? { "If-None-Match": etag } : {};
    const response = await send("view", headers, { headers: known });
    if (response.status === 200) {
      const answered = await response.json();
      // what was asked before a move, or while one is on its way, may be older than the move
      if (moving || moveCount !== movesBefore) return;
      etag = response.headers.get("ETag") || "";
      view = answered;
      place = { step: view.step, phase: view.phase };
      draw();
    } else if (response.status === 403) {
      finish("You are not the teacher of this class", await sentenceOf(response));
    } else if (response.status === 404) {
      finish("The class is over", await sentenceOf(response));
    } else if (response.status !== 304) {
      say(await sentenceOf(response));
    }
  };
  const follow = async () => {
    while (!isOver) {
      try {
        await look();
      } catch {
        say("There is no connection: the page tries again.");
      }
      await wait(PAUSE);
    }
  };

  /* --- moves -------------------------------------------------------------------------------------- */

  /**
   * Tell the server what to do; return whether it did, else say why not.
   * @param {string} action
   * @param {unknown} message
   */
  const command = async (action, message) => {
    try {
      const response = await send(action, headers, asJson(message));
      if (!response.ok) say(await sentenceOf(response));
      return response.ok;
    } catch {
      say("There is no connection: press the key or the button again.");
      return false;
    }
  };
  /** @param {Place} next */
  const sendMove = async (next) => {
    await command("move", next);
    moving -= 1;
    etag = "";
  };
  /** @param {-1 | 1} direction */
  const go = (direction) => {
    const next = neighbor(direction);
    if (!next || isOver) return;
    if (next.step !== place.step) view = { ...view, ...NO_ANSWERS };
    place = next;
    moving += isLive ? 1 : 0;
    moveCount += 1;
    stage.scrollTop = 0;
    draw();
    if (isLive) moves = moves.then(() => sendMove(next)); // one after the other, in their order
  };
  const forward = () => go(1);
  const back = () => go(-1);
  /** @param {string} name */
  const toggle = (name) => () => {
    switches[name] = !switches[name];
    draw();
  };
  const toggleFullScreen = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  };
  /**
   * Let new pupils in or not, and remove pupils by their numbers.
   * @param {boolean} open
   * @param {number[]} remove
   */
  const admit = (open, remove = []) => command("admit", { open, remove });
  const endClass = async () => {
    if (!confirm("End the class for everybody? All answers are deleted.")) return;
    if (await command("end", {})) {
      finish("The class is over", "You have ended it. All answers are deleted.");
    }
  };

  /** @type {Record<string, () => void>} */
  const actions = {
    back,
    next: forward,
    notes: toggle("notes"),
    answers: toggle("answers"),
    pupils: toggle("pupils"),
    full: toggleFullScreen,
    end: endClass,
    joining: () => admit(!view.open),
  };
  page.addEventListener("click", (event) => {
    const button = closest(event, "[data-move]");
    if (!button) return;
    const { move, remove, who } = button.dataset;
    if (!remove) actions[move]();
    else if (confirm(`Remove ${who} with all answers?`)) admit(view.open, JSON.parse(remove));
  });
  /** @type {Record<string, string>} */
  const KEYS = {
    ArrowRight: "next",
    PageDown: "next",
    " ": "next",
    ArrowLeft: "back",
    PageUp: "back",
    f: "full",
    n: "notes",
    ...(isLive ? { a: "answers", p: "pupils" } : {}),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target instanceof HTMLButtonElement;
    if (event.key === " " && isButton) return; // the button is pressed by it
    const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name) return;
    event.preventDefault();
    actions[name]();
  });

  draw();
  if (isLive) follow();
};

const starter = document.getElementById("start");
const projector = document.getElementById("projector");
if (starter) offerStart(starter);
if (projector) project(projector);
