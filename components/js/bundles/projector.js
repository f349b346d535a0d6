// Made by make scripts from the modules named below; edit those.
"use strict";
(() => {
  // components/js/dom.js
  var make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null) node.setAttribute(name, value);
    });
    children.filter((child) => child !== null).forEach((child) => node.append(child instanceof Node ? child : String(child)));
    return node;
  };

  // components/teach/live/lesson_view.js
  var makeLayer = (kind, markup) => {
    const holder = make("div");
    holder.innerHTML = `<svg class="${kind}" viewBox="0 0 100 100" aria-hidden="true">${markup}</svg>`;
    return (
      /** @type {SVGElement} */
      /** @type {unknown} */
      holder.firstElementChild
    );
  };
  var makeOutline = (outline) => {
    const layer = makeLayer("outline", `<path class="halo"/><path class="line"/>`);
    layer.querySelectorAll("path").forEach((path) => path.setAttribute("d", outline));
    return layer;
  };
  var makeHeat = (taps) => {
    const circles = (kind, radius) => taps.map(
      ([x, y]) => `<circle class="${kind}" cx="${100 * Number(x)}" cy="${100 * Number(y)}" r="${radius}"/>`
    ).join("");
    const blur = `<filter id="blur" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="2.2"/></filter>`;
    const strength = Math.min(0.35, Math.max(0.05, 3.2 / taps.length));
    const warm = `<g filter="url(#blur)" fill-opacity="${strength}">${circles("warm", 6)}</g>`;
    return makeLayer("heat", `${blur}${warm}${circles("point", 0.9)}`);
  };
  var makeImage = (step, root) => make("img", {
    src: `${root}${step.image}`,
    width: 480,
    height: 480,
    draggable: "false",
    alt: `Image made for the prompt “${step.prompt}”`
  });
  var makeQuestions = (questions) => make(
    "section",
    { class: "panel questions" },
    make("h2", {}, "The judge is asked"),
    make("ol", {}, ...questions.map((question) => make("li", {}, question)))
  );
  var makeAnswers = (step, tally, mine = null) => {
    const isRight = (number) => step.right === number;
    return make(
      "ul",
      { class: "choices answers", "aria-label": "Answers" },
      ...step.choices.map((choice, number) => {
        const share = tally && tally.chosen ? tally.counts[number] / tally.chosen : 0;
        return make(
          "li",
          { class: `choice${isRight(number) ? " right" : ""}${mine === number ? " mine" : ""}` },
          tally ? make("span", {
            class: "share",
            "aria-hidden": "true",
            style: `width:${Math.round(100 * share)}%`
          }) : null,
          make("span", { class: "words" }, choice),
          mine === number ? make("span", { class: "tag" }, "your answer") : null,
          isRight(number) ? make("span", { class: "tag right" }, "right") : null,
          tally ? make("span", { class: "number" }, tally.counts[number]) : null
        );
      })
    );
  };
  var makeJudge = (rows) => make(
    "section",
    { class: "panel judge" },
    make("h2", {}, "The judge answers"),
    make(
      "dl",
      {},
      ...rows.map(
        (row) => make(
          "div",
          {},
          make("dt", {}, row.added ? `${row.question} (added by the class)` : row.question),
          make(
            "dd",
            {},
            row.answer,
            row.word ? make("span", { class: `tag ${row.word.replace(" ", "-")}` }, row.word) : null
          )
        )
      )
    )
  );
  var makeTruth = (step) => make(
    "section",
    { class: "panel truth" },
    make("h2", {}, step.truth ? "The truth" : "Answer"),
    ...(step.truth || []).map((sentence) => make("p", {}, sentence)),
    ...(step.judged || []).map((sentence) => make("p", {}, sentence)),
    step.reveal ? make("p", { class: "reveal" }, step.reveal) : null
  );

  // components/teach/live/projector.js
  var PAUSE = 1e3;
  var NEXT = {
    class: "Show the class",
    judge: "Show the judge",
    truth: "Show the truth",
    question: "Next step"
  };
  var SCROLLS = { tabindex: "0", role: "region", "aria-label": "Step", "data-move": "stage" };
  var wait = (time) => new Promise((done) => {
    setTimeout(done, time);
  });
  var sentenceOf = async (response) => {
    try {
      return (await response.json()).error || "The server gave no reason.";
    } catch {
      return "The server gave no reason.";
    }
  };
  var count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  var asJson = (message) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message)
  });
  var offerStart = (page) => {
    const button = page.querySelector("button");
    const status = page.querySelector("[role=status]");
    button.addEventListener("click", async () => {
      button.disabled = true;
      status.replaceChildren("Starting");
      try {
        const response = await fetch("../../classes", asJson({ lesson: button.dataset.lesson }));
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
  var project = (page) => {
    const { lesson, live } = JSON.parse(document.getElementById("held").textContent);
    const { steps } = lesson;
    const key = location.hash.slice(1);
    const shownCode = live ? `${live.code.slice(0, 4)} ${live.code.slice(4)}` : "";
    let place = { step: -1, phase: "question" };
    let view = {
      step: -1,
      phase: "question",
      pupils: [],
      open: true,
      answered: 0,
      chosen: 0,
      counts: [],
      taps: [],
      hits: 0
    };
    const images = /* @__PURE__ */ new Map();
    let etag = "";
    let moving = 0;
    let moveCount = 0;
    let moves = Promise.resolve();
    let isOver = false;
    let withNotes = false;
    let withPupils = false;
    let withLive = false;
    const phasesOf = (step) => {
      const { phases } = steps[step] || { phases: ["question"] };
      return live ? phases : phases.filter((phase) => phase !== "class");
    };
    const nextPlace = () => {
      const phases = phasesOf(place.step);
      const phase = phases[phases.indexOf(place.phase) + 1];
      if (phase) return { step: place.step, phase };
      return place.step < steps.length ? { step: place.step + 1, phase: "question" } : null;
    };
    const previousPlace = () => {
      const phases = phasesOf(place.step);
      const position = phases.indexOf(place.phase);
      if (position > 0) return { step: place.step, phase: phases[position - 1] };
      if (place.step < 0) return null;
      const before = phasesOf(place.step - 1);
      return { step: place.step - 1, phase: before[before.length - 1] };
    };
    const hasReached = (phase) => {
      const phases = phasesOf(place.step);
      return phases.includes(phase) && phases.indexOf(phase) <= phases.indexOf(place.phase);
    };
    const makeQr = () => {
      const holder = make("div", { class: "qr" });
      holder.append(make("img", { src: live.qr, alt: `QR code of ${live.address}` }));
      return holder;
    };
    const makeJoin = () => [
      make("h2", {}, "Open this address, or scan the code"),
      make("p", { class: "address" }, live.address),
      makeQr(),
      make("p", { class: "join-code" }, shownCode),
      live.local ? make(
        "p",
        { class: "notice" },
        "Only this computer reaches this address. Phones need HallaScope on a Space, or started for your network: see “Teaching” in the documentation."
      ) : null
    ];
    const makeGoals = () => [
      make("h2", {}, lesson.title),
      make("ul", { class: "goals" }, ...lesson.goals.map((goal) => make("li", {}, goal)))
    ];
    const makeEnd = () => [
      make("h2", {}, "To talk about"),
      make("ul", { class: "goals" }, ...lesson.discussion.map(([words]) => make("li", {}, words)))
    ];
    const countWords = () => {
      if (!live) return "";
      return count(view.pupils.length, "pupil");
    };
    const answerWords = () => {
      if (!live || place.step < 0 || !steps[place.step] || !steps[place.step].choices.length)
        return "";
      return `${view.answered} of ${view.pupils.length} answered`;
    };
    const showsClass = () => live !== null && (hasReached("class") || withLive);
    const imageOf = (step) => {
      if (!images.has(step.step)) images.set(step.step, makeImage(step, "../"));
      return images.get(step.step);
    };
    const makeField = (step) => {
      const field = make("div", { class: "field" }, imageOf(step));
      if (step.marking && showsClass() && view.taps.length) field.append(makeHeat(view.taps));
      if (hasReached("truth") && step.outline) field.append(makeOutline(step.outline));
      return field;
    };
    const makeTapLine = (step) => {
      if (!step.marking || !showsClass()) return null;
      const taps = `${count(view.taps.length, "tap")} on the image`;
      const hits = hasReached("truth") && step.outline ? `, ${view.hits} on the error` : "";
      return make("p", { class: "soft taps" }, `${taps}${hits}.`);
    };
    const revealedStep = (step) => hasReached("truth") ? step : { ...step, right: null, truth: null, judged: null };
    const makeSide = (step) => {
      const revealed = revealedStep(step);
      const rows = (step.judge || []).map(
        (row) => hasReached("truth") ? row : { ...row, word: null }
      );
      const isAsked = step.choices.length > 0;
      const hasTruth = hasReached("truth") && isAsked;
      const hasQuestions = step.questions && step.questions.length > 0 && !hasReached("judge");
      return [
        step.image ? make("p", { class: "soft" }, `Prompt: “${step.prompt}”`) : null,
        isAsked ? make("p", { class: "ask" }, step.question) : null,
        isAsked ? makeAnswers(revealed, showsClass() ? view : null) : null,
        makeTapLine(step),
        hasQuestions ? makeQuestions(step.questions) : null,
        hasTruth ? makeTruth(step) : null,
        hasReached("judge") && step.image ? makeJudge(rows) : null,
        !isAsked && step.reveal ? make("p", { class: "reveal" }, step.reveal) : null
      ].filter((node) => node !== null);
    };
    const makeStage = () => {
      const step = steps[place.step];
      if (!step) {
        let nodes = makeEnd();
        if (place.step < 0) nodes = live ? makeJoin() : makeGoals();
        return make("section", { class: "stage plain", ...SCROLLS }, ...nodes);
      }
      if (!step.image)
        return make("section", { class: "stage plain", ...SCROLLS }, ...makeSide(step));
      return make(
        "section",
        { class: "stage", ...SCROLLS },
        makeField(step),
        make("div", { class: "side" }, ...makeSide(step))
      );
    };
    const makeHead = () => {
      const step = steps[place.step];
      const name = step ? `${place.step + 1}. ${step.title}` : lesson.title;
      const words = [
        step ? `${step.minutes} min` : null,
        live && place.step >= 0 ? `Code ${shownCode}` : null,
        countWords(),
        answerWords()
      ].filter(Boolean);
      return make(
        "div",
        { class: "head" },
        make("h1", {}, name),
        make("span", { class: "soft count", role: "status" }, words.join(" · "))
      );
    };
    const makeNotes = () => {
      const step = steps[place.step];
      if (!withNotes || !step) return null;
      return make(
        "section",
        { class: "panel notes" },
        make("p", {}, make("strong", {}, "You: "), step.teacher),
        make("p", {}, make("strong", {}, "Pupils: "), step.pupils)
      );
    };
    const makePupils = () => {
      if (!live || !withPupils) return null;
      const silent = view.pupils.filter(([, answers]) => !answers).map(([number]) => number);
      return make(
        "section",
        { class: "panel notes pupils", "aria-label": "Pupils" },
        make(
          "p",
          {},
          view.open ? "New pupils can join. " : "New pupils cannot join. ",
          makeMove("joining", view.open ? "Stop joining" : "Allow joining", () => admit(!view.open)),
          silent.length ? makeMove(
            "silent",
            `Remove ${count(silent.length, "pupil")} without an answer`,
            () => remove(silent, count(silent.length, "pupil"))
          ) : null
        ),
        make(
          "ul",
          {},
          ...view.pupils.map(
            ([number, answers]) => make(
              "li",
              {},
              `Pupil ${number}: ${count(answers, "answer")} `,
              makeMove(`pupil-${number}`, "Remove", () => remove([number], `pupil ${number}`), {
                "aria-label": `Remove pupil ${number}`
              })
            )
          )
        )
      );
    };
    const nextWords = () => {
      const next = nextPlace();
      if (!next) return "Next";
      if (next.step === 0 && next.phase === "question") return "First step";
      if (next.step === steps.length) return "To the end";
      if (next.phase === "truth" && !steps[next.step].image) return "Show the answer";
      return NEXT[
        /** @type {keyof typeof NEXT} */
        next.phase
      ];
    };
    const makeMove = (name, words, onclick, more = {}) => make("button", { type: "button", "data-move": name, onclick, ...more }, words);
    const makeMoves = () => make(
      "nav",
      { class: "moves", "aria-label": "Steps" },
      makeMove("back", "Back", back, { disabled: previousPlace() === null }),
      makeMove("next", nextWords(), forward, { class: "primary", disabled: nextPlace() === null }),
      make("span", { class: "gap" }),
      makeMove("notes", "Notes (N)", toggleNotes, { "aria-pressed": String(withNotes) }),
      live ? makeMove("live", "Answers live (A)", toggleLive, { "aria-pressed": String(withLive) }) : null,
      live ? makeMove("pupils", "Pupils (P)", togglePupils, { "aria-pressed": String(withPupils) }) : null,
      makeMove("full", "Full screen (F)", toggleFullScreen),
      live ? makeMove("end", "End the class", endClass) : null
    );
    const draw = () => {
      if (isOver) return;
      const { activeElement } = document;
      const focused = activeElement instanceof HTMLElement ? activeElement.dataset.move : "";
      const scrolled = [".stage", ".pupils"].map((name) => {
        const node = page.querySelector(name);
        return { name, top: node ? node.scrollTop : 0 };
      });
      const foot = make("footer", {}, makeNotes(), makePupils(), makeMoves());
      page.replaceChildren(makeHead(), makeStage(), foot);
      scrolled.forEach(({ name, top }) => {
        const node = page.querySelector(name);
        if (node) node.scrollTop = top;
      });
      if (focused) {
        const button = page.querySelector(`[data-move=${focused}]`);
        if (button) button.focus({ preventScroll: true });
      }
      page.dataset.shown = `${place.step} ${place.phase}`;
    };
    const say = (words) => page.querySelector(".count").replaceChildren(words);
    const request = (name, options = {}) => fetch(name, {
      cache: "no-store",
      ...options,
      headers: { "X-Class-Key": key, ...options.headers }
    });
    const finish = (title, sentence) => {
      isOver = true;
      page.replaceChildren(
        make(
          "section",
          { class: "stage plain" },
          make("h1", {}, title),
          make("p", { role: "alert" }, sentence)
        )
      );
      page.dataset.shown = "over";
    };
    const look = async () => {
      const movesBefore = moveCount;
      const response = await request("view", { headers: etag ? { "If-None-Match": etag } : {} });
      if (response.status === 200) {
        const answered = await response.json();
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
    const go = (next) => {
      if (!next || isOver) return;
      if (next.step !== place.step) {
        view = { ...view, answered: 0, chosen: 0, counts: [], taps: [], hits: 0 };
        view.counts = (steps[next.step] || { choices: [] }).choices.map(() => 0);
      }
      place = next;
      moving += live ? 1 : 0;
      moveCount += 1;
      page.querySelector(".stage").scrollTop = 0;
      draw();
      if (live) moves = moves.then(() => sendMove(next));
    };
    const sendMove = async (next) => {
      try {
        const response = await request("move", asJson(next));
        if (!response.ok) say(await sentenceOf(response));
      } catch {
        say("There is no connection: press the key again.");
      }
      moving -= 1;
      etag = "";
    };
    const forward = () => go(nextPlace());
    const back = () => go(previousPlace());
    const toggleNotes = () => {
      withNotes = !withNotes;
      draw();
    };
    const togglePupils = () => {
      withPupils = !withPupils;
      draw();
    };
    const toggleLive = () => {
      withLive = !withLive;
      draw();
    };
    const toggleFullScreen = () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else if (document.documentElement.requestFullscreen)
        document.documentElement.requestFullscreen();
    };
    const admit = async (open, removed = []) => {
      const response = await request("admit", asJson({ open, remove: removed }));
      if (!response.ok) say(await sentenceOf(response));
    };
    const remove = (numbers, words) => {
      if (confirm(`Remove ${words} with all answers?`)) admit(view.open, numbers);
    };
    const endClass = async () => {
      if (!confirm("End the class for everybody? All answers are deleted.")) return;
      const response = await request("end", asJson({}));
      if (response.ok) finish("The class is over", "You have ended it. All answers are deleted.");
      else say(await sentenceOf(response));
    };
    const KEYS = {
      ArrowRight: forward,
      PageDown: forward,
      " ": forward,
      ArrowLeft: back,
      PageUp: back,
      f: toggleFullScreen,
      n: toggleNotes,
      ...live ? { a: toggleLive, p: togglePupils } : {}
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isButton = event.target instanceof HTMLButtonElement;
      if (event.key === " " && isButton) return;
      const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    draw();
    if (live) follow();
  };
  var starter = document.getElementById("start");
  var projector = document.getElementById("projector");
  if (starter) offerStart(starter);
  if (projector) project(projector);
})();
