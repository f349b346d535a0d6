// @ts-check
/* Rounds of "Which of these is not ...": four images, one with a wrong fact. A person chooses one;
   then the wrong part is outlined, and the truth stands beside what the judge says. The first round
   comes with the page, `server.more` gives the others. The panel makes room when a run starts. */
import { readAddress } from "../js/address.js";
import { closest, make } from "../js/dom.js";
import { ask as askServer } from "../js/server.js";
import { recall, remember } from "../js/storage.js";
/** @import { Component } from "../js/types.js" */

/** @typedef {"found" | "missed" | "false alarm" | "not asked"} Word */
/**
 * What truth and judge say of one fact of an image.
 * @typedef {object} Mark
 * @property {boolean} wrong
 * @property {boolean | null} flagged whether the judge says that it is wrong; null: no answer
 * @property {Word | null} word
 * @property {string} truth
 * @property {string} answer
 */
/** @typedef {{source: string, correct: number, answered: number, marks: Mark[]}} RoundImage */
/**
 * @typedef {object} Round
 * @property {string} name
 * @property {number} odd
 * @property {number | null} judge the image with its lowest score; null: several have it
 * @property {string} question
 * @property {string} shown
 * @property {string} expected
 * @property {string} why
 * @property {string} outline
 * @property {RoundImage[]} images
 */

const HIDDEN = "hallascope-rounds-hidden";
const ICONS = {
  right: "M3.2 8.6 6.5 12 12.8 4.6",
  wrong: "M4 4 12 12M12 4 4 12",
  none: "M4 8H12",
};
/** @type {Record<Word, string>} the words of what a judge did, as the legend explains them */
const MEANINGS = {
  found: "the judge sees the error",
  missed: "the judge takes it for right",
  "false alarm": "the judge objects, but nothing is wrong",
  "not asked": "no question is about it",
};
const RUN_SHOWN = "#cards .tile, #status .status.wrong";
const RUN_BUSY = "#status progress";

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** @param {keyof typeof ICONS} name */
const makeIcon = (name) => {
  const holder = make("span", { class: "round-icon" });
  holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  return holder;
};

/** @param {string} outline */
const makeOutline = (outline) => {
  const holder = make("span", { class: "round-outline" });
  holder.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true"><path class="halo"/><path class="line"/></svg>`;
  holder.querySelectorAll("path").forEach((path) => path.setAttribute("d", outline));
  return holder;
};

/**
 * @param {"right" | "wrong" | "none"} kind
 * @param {string} words
 * @param {boolean} isError the judge errs here
 */
const makeMark = (kind, words, isError = false) => {
  const classes = { right: "correct", wrong: "incorrect", none: "unasked" };
  return make(
    "li",
    {},
    make(
      "span",
      {
        class: `sign ${classes[kind]}${isError ? " judge-errs" : ""}`,
        role: "img",
        "aria-label": words,
        title: words,
      },
      makeIcon(kind),
    ),
  );
};

/** @param {Mark} mark */
const makeTruthMark = (mark) => makeMark(mark.wrong ? "wrong" : "right", mark.truth);

/** @param {Mark} mark */
const makeJudgeMark = (mark) => {
  const isError = mark.word === "missed" || mark.word === "false alarm";
  if (mark.flagged === null) return makeMark("none", mark.answer, isError);
  return makeMark(mark.flagged ? "wrong" : "right", mark.answer, isError);
};

/** @param {Word} word */
const makeWord = (word) =>
  make("span", { class: `round-word ${word.replace(" ", "-")}`, title: MEANINGS[word] }, word);

/** @param {Mark[]} marks */
const words = (marks) => marks.flatMap(({ word }) => (word === null ? [] : [word]));

/**
 * @param {string} label
 * @param {Node[]} marks
 */
const makeStrip = (label, marks) =>
  make(
    "div",
    { class: "round-strip" },
    make("span", { class: "round-label" }, label),
    make("ul", { class: "strip", "aria-label": label }, ...marks),
  );

/** @param {RoundImage} image */
const makeStrips = (image) =>
  make(
    "div",
    { class: "round-strips" },
    makeStrip("Truth", image.marks.map(makeTruthMark)),
    makeStrip("Judge", image.marks.map(makeJudgeMark)),
    make(
      "p",
      { class: "round-words" },
      ...words(image.marks).map(makeWord),
      make("span", { class: "soft" }, `${image.correct} of ${image.answered}`),
    ),
  );

/** What stands under an image before the guess: nothing is known of its five facts yet. */
const makeOpenStrips = () =>
  make(
    "div",
    { class: "round-strips open", "aria-hidden": "true" },
    ...["Truth", "Judge"].map((label) =>
      makeStrip(
        label,
        Array.from({ length: 5 }, () => make("li", {}, make("span", { class: "sign" }))),
      ),
    ),
    make("p", { class: "round-words" }),
  );

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".rounds");
  const { judge, total, sensitivity, specificity, example } = props.first;
  /** @type {(Round | undefined)[]} */
  const rounds = [props.first.round];
  /** @type {number[]} the image that was chosen, by round */
  let guesses = [];
  let position = 0;

  const isHit = (/** @type {number} */ number) => guesses[number] === rounds[number].odd;
  const isJudgeHit = (/** @type {number} */ number) => rounds[number].judge === rounds[number].odd;
  const ownScore = () => guesses.filter((_, number) => isHit(number)).length;
  const judgeScore = () => guesses.filter((_, number) => isJudgeHit(number)).length;

  /** @param {number} number */
  const load = async (number) => {
    if (rounds[number]) return null;
    const reply = await askServer(server, "more", number);
    if (reply.wrong) return reply.wrong;
    rounds[number] = reply;
    return null;
  };
  const say = (/** @type {string} */ sentence) => {
    root.querySelector(".rounds-said").replaceChildren(sentence);
  };

  /* --- the parts of a round --------------------------------------------------------------------- */

  /**
   * @param {string} who
   * @param {(number: number) => boolean} hits
   */
  const makeTally = (who, hits) => {
    const score = guesses.filter((_, number) => hits(number)).length;
    const pips = Array.from({ length: total }, (_, number) => {
      if (number >= guesses.length) return make("span", { class: "pip open" });
      return make("span", { class: `pip ${hits(number) ? "hit" : "miss"}` });
    });
    return make(
      "p",
      { class: "tally" },
      make("span", { class: "who" }, who),
      make("span", { class: "pips", "aria-hidden": "true" }, ...pips),
      make("strong", {}, score),
    );
  };
  const makeTallies = () =>
    make("div", { class: "tallies" }, makeTally("You", isHit), makeTally("Judge", isJudgeHit));
  /** @param {string} title */
  const makeHead = (title, lead = "") =>
    make(
      "header",
      { class: "rounds-head" },
      make("div", {}, make("h2", { tabindex: "-1" }, title), make("p", { class: "soft" }, lead)),
      make(
        "div",
        { class: "rounds-place" },
        make("span", {}, position < total ? `Round ${position + 1} of ${total}` : ""),
        make("button", { type: "button", class: "rounds-hide", onclick: hideByHand }, "Hide"),
      ),
    );
  const makeExample = () =>
    make(
      "div",
      { class: "round-example" },
      make(
        "div",
        { class: "round-frame" },
        make("img", {
          src: example.images[0].source,
          alt: `${example.name}: ${example.shown} in place of ${example.expected}`,
          width: 320,
          height: 320,
        }),
        makeOutline(example.outline),
      ),
      make(
        "div",
        { class: "round-reading" },
        make("h3", {}, "An example"),
        make(
          "p",
          {},
          "The outline shows the wrong part. ",
          make("strong", {}, "Truth"),
          " is what is drawn, ",
          make("strong", {}, "Judge"),
          " what a model sees.",
        ),
      ),
      makeStrips(example.images[0]),
    );
  /** @param {Round} round */
  const judgeSentence = (round) => {
    if (round.judge === null) {
      const isAsked = !words(round.images[round.odd].marks).includes("not asked");
      const reason = isAsked ? "" : "No question to the judge is about it. ";
      return `${reason}Several images share the judge's lowest score: a tie is not a hit.`;
    }
    const { correct, answered } = round.images[round.judge];
    const score = `${correct} of ${answered}`;
    const verdict = round.judge === round.odd ? "right" : "wrong";
    return `The judge is ${verdict}: its lowest score, ${score}, is that of image ${round.judge + 1}.`;
  };
  /** @param {Round} round */
  const makeResult = (round) => {
    const right = guesses[position] === round.odd;
    const isLast = position === total - 1;
    return make(
      "div",
      { class: `round-result ${right ? "hit" : "miss"}` },
      make(
        "h3",
        {},
        makeIcon(right ? "right" : "wrong"),
        right ? "You found it" : `It is image ${round.odd + 1}`,
      ),
      make("p", { class: "round-question" }, round.question),
      make(
        "p",
        {},
        make("span", { class: "round-shown" }, `Drawn: ${round.shown}`),
        " · ",
        make("span", { class: "round-expected" }, `Expected: ${round.expected}`),
      ),
      make("p", { class: "soft round-why" }, round.why),
      make("p", { class: "round-judge" }, judgeSentence(round)),
      make(
        "button",
        { type: "button", class: "rounds-next primary", onclick: isLast ? showEnd : openNext },
        isLast ? "See the result" : "Next round",
      ),
    );
  };
  const makeWaiting = () =>
    make(
      "div",
      { class: "round-waiting" },
      make("h3", {}, "Your guess?"),
      make(
        "p",
        { class: "soft" },
        "Three images are as they should be, one has a wrong fact. The judge answers five questions about each; its guess is the image with the lowest score.",
      ),
    );
  const makeSidePart = () => {
    if (position in guesses) return makeResult(rounds[position]);
    return position === 0 ? makeExample() : makeWaiting();
  };
  const makeSide = () => make("div", { class: "rounds-side" }, makeSidePart(), makeTallies());

  /** @param {RoundImage} image */
  const makeTileImage = (image) =>
    make("img", { src: image.source, alt: "", width: 320, height: 320, draggable: "false" });
  /**
   * @param {RoundImage} image
   * @param {number} number
   */
  const makeOpenTile = (image, number) =>
    make(
      "li",
      { class: "round-tile open" },
      make(
        "button",
        {
          type: "button",
          class: "round-pick",
          "aria-label": `Image ${number + 1} of ${rounds[position].images.length}`,
          onclick: () => guess(number),
        },
        makeTileImage(image),
      ),
      makeOpenStrips(),
    );
  /**
   * @param {RoundImage} image
   * @param {number} number
   */
  const makeSolvedTile = (image, number) => {
    const round = rounds[position];
    const isOdd = number === round.odd;
    const tags = [
      guesses[position] === number ? make("span", { class: "round-tag you" }, "Your guess") : null,
      round.judge === number ? make("span", { class: "round-tag" }, "Judge's guess") : null,
    ];
    const alt = isOdd
      ? `Image ${number + 1}, wrong: ${round.shown} in place of ${round.expected}`
      : `Image ${number + 1}, as expected`;
    const picture = makeTileImage(image);
    picture.alt = alt;
    return make(
      "li",
      { class: `round-tile ${isOdd ? "odd" : "even"}` },
      make(
        "div",
        { class: "round-pick" },
        picture,
        isOdd ? makeOutline(round.outline) : null,
        make("span", { class: "round-tags" }, ...tags),
      ),
      makeStrips(image),
    );
  };
  const showRound = () => {
    const round = rounds[position];
    root.classList.toggle("guessed", position in guesses);
    const makeTile = position in guesses ? makeSolvedTile : makeOpenTile;
    root.replaceChildren(
      makeHead(
        `Which of these is not ${round.name}?`,
        "One of the four has a wrong fact. Choose it, and see whether the judge finds it too.",
      ),
      make(
        "div",
        { class: "rounds-body" },
        makeSide(),
        make("ol", { class: "rounds-tiles" }, ...round.images.map(makeTile)),
      ),
      make("p", { class: "rounds-said unseen", role: "status" }),
    );
    root.dataset.round = String(position + 1);
  };

  /* --- from one round to the next --------------------------------------------------------------- */

  /** @param {number} number */
  const guess = (number) => {
    if (position in guesses) return;
    guesses[position] = number;
    const round = rounds[position];
    showRound();
    const own = isHit(position) ? "You found it." : `It is image ${round.odd + 1}.`;
    say(
      `${own} ${round.question} Drawn: ${round.shown}. Expected: ${round.expected}. ${judgeSentence(round)} You ${ownScore()}, judge ${judgeScore()}.`,
    );
    /** @type {HTMLElement} */
    const next = root.querySelector(".rounds-next");
    next.focus({ preventScroll: true });
    if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: "start" });
    if (position + 1 < total) load(position + 1);
  };
  const openNext = async () => {
    const fault = await load(position + 1);
    if (fault) {
      say(fault);
      root.querySelector(".rounds-said").classList.remove("unseen");
      return;
    }
    position += 1;
    showRound();
    /** @type {HTMLElement} */
    const first = root.querySelector(".round-pick");
    first.focus({ preventScroll: true });
    if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: "start" });
  };
  const playAgain = () => {
    guesses = [];
    position = 0;
    showRound();
    root.querySelector("h2").focus({ preventScroll: true });
  };

  /* --- the end ---------------------------------------------------------------------------------- */

  const makeErrors = () => {
    const rows = rounds.flatMap((round) =>
      round.images.flatMap((image, number) =>
        words(image.marks)
          .filter((word) => word !== "found")
          .map((word) => makeError(round, image, number, word)),
      ),
    );
    return make("ul", { class: "round-errors" }, ...rows);
  };
  /**
   * @param {Round} round
   * @param {RoundImage} image
   * @param {number} number
   * @param {Word} word
   */
  const makeError = (round, image, number, word) => {
    const mark = image.marks.find((each) => each.word === word);
    const isOdd = number === round.odd;
    return make(
      "li",
      {},
      make(
        "span",
        { class: "round-frame" },
        make("img", { src: image.source, alt: "", width: 320, height: 320 }),
        isOdd ? makeOutline(round.outline) : null,
      ),
      make(
        "span",
        {},
        makeWord(word),
        make("strong", {}, round.name),
        make(
          "span",
          { class: "soft" },
          isOdd
            ? `${round.question} Drawn: ${round.shown}. Expected: ${round.expected}.`
            : mark.answer,
        ),
      ),
    );
  };
  const openTeach = () => {
    /** @type {HTMLElement} */
    const tab = document.querySelector("#tabs [role=tab][data-tab-id=teach]");
    tab.click();
  };
  const focusPrompt = () => {
    /** @type {HTMLElement} */
    const prompt = document.querySelector("#prompt input, #prompt textarea");
    prompt.scrollIntoView({ block: "center" });
    prompt.focus();
  };
  const showEnd = () => {
    position = total;
    root.replaceChildren(
      makeHead(
        `You ${ownScore()}, judge ${judgeScore()}`,
        `Of ${total} rounds. The judge is ${judge}.`,
      ),
      make(
        "div",
        { class: "rounds-end" },
        make(
          "div",
          { class: "rounds-sum" },
          makeTallies(),
          make(
            "p",
            { class: "soft" },
            `The rounds are chosen, they are not a random sample: in its trial on Primer images the judge flags ${percent(sensitivity)} of the wrong facts and accepts ${percent(specificity)} of the right ones, where it is asked about them.`,
          ),
          make(
            "div",
            { class: "rounds-moves" },
            make(
              "button",
              { type: "button", class: "primary", onclick: focusPrompt },
              "Try a prompt of your own",
            ),
            make(
              "button",
              { type: "button", onclick: openTeach },
              "Find more errors on the Learn tab",
            ),
            make("button", { type: "button", onclick: playAgain }, "Play again"),
          ),
        ),
        make("div", {}, make("h3", {}, "What the judge missed"), makeErrors()),
      ),
      make("p", { class: "rounds-said unseen", role: "status" }),
    );
    root.dataset.round = "end";
    root.querySelector("h2").focus({ preventScroll: true });
  };

  /* --- room for a run --------------------------------------------------------------------------- */

  const hide = () => {
    const again = make(
      "button",
      { type: "button", class: "rounds-again", onclick: showAgain },
      "Play the rounds again",
    );
    root.classList.add("closed");
    root.replaceChildren(again);
    root.dataset.round = "hidden";
  };
  const hideByHand = () => {
    remember(HIDDEN, "yes");
    hide();
  };
  const showAgain = () => {
    remember(HIDDEN, "");
    root.classList.remove("closed");
    if (position >= total) playAgain();
    else showRound();
  };
  const hideForRun = () => {
    if (!root.classList.contains("closed")) hide();
  };
  const watchRuns = () => {
    const find = (/** @type {string} */ selector) => document.querySelector(selector) !== null;
    let shown = find(RUN_SHOWN);
    let busy = find(RUN_BUSY);
    const observer = new MutationObserver(() => {
      if (!element.isConnected) {
        observer.disconnect();
        return;
      }
      const [nowShown, nowBusy] = [find(RUN_SHOWN), find(RUN_BUSY)];
      if ((nowShown && !shown) || (nowBusy && !busy)) hideForRun();
      [shown, busy] = [nowShown, nowBusy];
    });
    observer.observe(element.closest(".tabitem") || document.body, {
      childList: true,
      subtree: true,
    });
    document.addEventListener("click", (event) => {
      if (element.isConnected && closest(event, "#go")) hideForRun();
    });
  };

  watchRuns();
  if (readAddress().get("run") || recall(HIDDEN) === "yes" || document.querySelector(RUN_SHOWN)) {
    hide();
  } else {
    showRound();
  }
  element.dataset.ready = "true";
};
