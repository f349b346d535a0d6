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
  var findAll = (root2, selector) => {
    const found = root2.querySelectorAll(selector);
    return [...found];
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
  var makeImage = (step, root2) => make("img", {
    src: `${root2}${step.image}`,
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
  var makeAnswers = (step, tally, mine2 = null) => {
    const isRight = (number) => step.right === number;
    return make(
      "ul",
      { class: "choices answers", "aria-label": "Answers" },
      ...step.choices.map((choice, number) => {
        const share = tally && tally.chosen ? tally.counts[number] / tally.chosen : 0;
        return make(
          "li",
          { class: `choice${isRight(number) ? " right" : ""}${mine2 === number ? " mine" : ""}` },
          tally ? make("span", {
            class: "share",
            "aria-hidden": "true",
            style: `width:${Math.round(100 * share)}%`
          }) : null,
          make("span", { class: "words" }, choice),
          mine2 === number ? make("span", { class: "tag" }, "your answer") : null,
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

  // components/teach/live/pupil.js
  var PAUSE = 2e3;
  var STEP = 0.02;
  var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  var root = document.getElementById("pupil");
  var code = root.dataset.code;
  var TOKEN = `hallascope-class-${code}`;
  var memory = "";
  var etag = "";
  var state = null;
  var shownKey = "";
  var mine = { choice: null, at: null };
  var crosshair = [0.5, 0.5];
  var sending = 0;
  var recallToken = () => {
    try {
      return localStorage.getItem(TOKEN) || memory;
    } catch {
      return memory;
    }
  };
  var rememberToken = (token) => {
    memory = token;
    try {
      if (token) localStorage.setItem(TOKEN, token);
      else localStorage.removeItem(TOKEN);
    } catch {
    }
  };
  var wait = (time) => new Promise((done) => {
    setTimeout(done, time);
  });
  var clamp = (value) => Math.min(1, Math.max(0, value));
  var percent = (share) => `${Math.round(share * 100)} %`;
  var say = (words, isWrong = false) => {
    const status = root.querySelector("[role=status]");
    if (!status) return;
    status.replaceChildren(words);
    status.className = isWrong ? "notice wrong" : "soft";
  };
  var request = (name, options = {}) => fetch(`${code}/${name}`, {
    cache: "no-store",
    ...options,
    headers: { "X-Class-Pupil": recallToken(), ...options.headers }
  });
  var asJson = (message) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message)
  });
  var sentenceOf = async (response) => {
    try {
      return (await response.json()).error || "The server gave no reason.";
    } catch {
      return "The server gave no reason.";
    }
  };
  var send = async () => {
    sending += 1;
    const turn = sending;
    const { step } = state.view;
    const isCurrent = () => turn === sending && state.view && state.view.step === step;
    say("Sending");
    while (isCurrent()) {
      try {
        const response = await request("answer", asJson({ step, ...mine }));
        if (!isCurrent()) return;
        if (response.ok) say("Sent. You can change it until the answers are shown.");
        else say(await sentenceOf(response), true);
        if (response.status !== 429 && response.status < 500) return;
      } catch {
        say("There is no connection: your answer is sent again.", true);
      }
      await wait(PAUSE);
    }
  };
  var paintPin = () => {
    const field = (
      /** @type {HTMLElement} */
      root.querySelector(".field")
    );
    if (!field) return;
    const pin = field.querySelector(".pin");
    pin.hidden = mine.at === null;
    const [x, y] = mine.at || [0, 0];
    pin.style.setProperty("--x", `${100 * x}%`);
    pin.style.setProperty("--y", `${100 * y}%`);
    field.style.setProperty("--x", `${100 * crosshair[0]}%`);
    field.style.setProperty("--y", `${100 * crosshair[1]}%`);
  };
  var markAt = (x, y) => {
    crosshair = [x, y];
    mine = { ...mine, at: [x, y] };
    paintPin();
    send();
  };
  var markByMouse = (event) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    markAt(clamp((event.clientX - left) / width), clamp((event.clientY - top) / height));
  };
  var steer = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[
      /** @type {keyof typeof ARROWS} */
      event.key
    ];
    if (event.key === "Enter" || event.key === " ") {
      markAt(crosshair[0], crosshair[1]);
    } else if (arrow) {
      const step = STEP * (event.shiftKey ? 4 : 1);
      crosshair = [clamp(crosshair[0] + arrow[0] * step), clamp(crosshair[1] + arrow[1] * step)];
      paintPin();
      const [left, top] = crosshair.map(percent);
      say(`${left} from the left, ${top} from the top; Enter marks.`);
    } else {
      return;
    }
    event.preventDefault();
  };
  var makeField = (view, isOpen) => {
    const markable = {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "image to mark",
      "aria-label": "The image. Arrows move the crosshair, with Shift further; Enter marks the place.",
      onclick: markByMouse,
      onkeydown: steer
    };
    return make(
      "div",
      { class: "field", ...isOpen && view.marking ? markable : {} },
      makeImage(view, ""),
      make("span", { class: "crosshair", "aria-hidden": "true" }),
      make("span", { class: "pin", hidden: true, "aria-hidden": "true" })
    );
  };
  var makeChoices = (view) => make(
    "fieldset",
    { class: "choices" },
    make("legend", {}, view.question),
    ...view.choices.map(
      (choice, number) => make(
        "label",
        { class: "choice" },
        make("input", {
          type: "radio",
          name: "choice",
          value: number,
          onchange: () => {
            mine = { ...mine, choice: number };
            send();
          }
        }),
        make("span", { class: "words" }, choice)
      )
    )
  );
  var paintChoice = () => {
    findAll(root, "input[name=choice]").forEach((input) => {
      const radio = (
        /** @type {HTMLInputElement} */
        input
      );
      radio.checked = Number(radio.value) === mine.choice;
    });
  };
  var makeStep = ({ view, tally, number }) => {
    const isOpen = view.phase === "question";
    const isAsked = view.choices.length > 0;
    const nodes = [
      make("p", { class: "soft" }, `Step ${view.step + 1} of ${view.steps} · Pupil ${number}`),
      make("h1", {}, view.title),
      view.image ? make("p", {}, `Prompt: “${view.prompt}”`) : null,
      isOpen && view.marking ? make("p", {}, "Tap the error in the image, if you see one.") : null,
      view.image ? makeField(view, isOpen) : null,
      isOpen && view.questions && view.questions.length ? makeQuestions(view.questions) : null
    ];
    if (isAsked && isOpen) nodes.push(makeChoices(view));
    if (isAsked && !isOpen) {
      nodes.push(make("h2", {}, view.question), makeAnswers(view, tally, mine.choice));
    }
    if (view.judge) nodes.push(makeJudge(view.judge));
    if (view.truth || view.reveal && isAsked) nodes.push(makeTruth(view));
    if (!isAsked && view.reveal) nodes.push(make("p", { class: "reveal" }, view.reveal));
    return nodes;
  };
  var makeMain = (next) => {
    if (next.place === "step") return makeStep(next);
    const words = next.place === "join" ? "You are in the class. The first step comes here when your teacher starts." : "This was the last step. Thank you for your answers.";
    return [
      make("h1", {}, next.title),
      make("p", { class: "lead" }, words),
      make("p", { class: "soft" }, `You are pupil ${next.number}.`)
    ];
  };
  var openingWords = (next) => {
    if (next.place !== "step" || !next.view.choices.length) return "";
    if (next.view.phase !== "question") return "The answers are shown.";
    const isSent = mine.choice !== null || mine.at !== null;
    if (isSent) return "Sent. You can change it until the answers are shown.";
    return "Choose an answer.";
  };
  var show = (next) => {
    const key = `${next.place} ${next.view ? `${next.view.step} ${next.view.phase}` : ""}`;
    state = next;
    if (key === shownKey) return;
    shownKey = key;
    mine = next.mine || { choice: null, at: null };
    crosshair = mine.at || [0.5, 0.5];
    const nodes = makeMain(next).filter((node) => node !== null);
    root.replaceChildren(...nodes, make("p", { role: "status", class: "soft" }));
    if (next.view && next.view.outline) {
      root.querySelector(".field").append(makeOutline(next.view.outline));
    }
    paintPin();
    paintChoice();
    say(openingWords(next));
    root.dataset.shown = key;
  };
  var end = (title, sentence) => {
    root.replaceChildren(
      make("h1", {}, title),
      make("p", { role: "alert" }, sentence),
      make("p", {}, make("a", { class: "button", href: "../class" }, "Join another class"))
    );
    root.dataset.shown = "over";
  };
  var join = async () => {
    const response = await request("join", asJson({}));
    if (response.ok) rememberToken((await response.json()).token);
    else if (response.status === 429) root.replaceChildren(await sentenceOf(response));
    if (response.ok || response.status === 429) return true;
    end("You cannot join this class now", await sentenceOf(response));
    return false;
  };
  var look = async () => {
    if (!recallToken() && !await join()) return false;
    if (!recallToken()) return true;
    const response = await request("state", { headers: etag ? { "If-None-Match": etag } : {} });
    if (response.status === 200) {
      etag = response.headers.get("ETag") || "";
      show(await response.json());
    } else if (response.status === 403) {
      rememberToken("");
      etag = "";
      shownKey = "";
    } else if (response.status === 410) {
      end("You are not in this class any more", await sentenceOf(response));
      return false;
    } else if (response.status === 404) {
      rememberToken("");
      end("The class is over", await sentenceOf(response));
      return false;
    } else if (response.status !== 304) {
      say(await sentenceOf(response), true);
    }
    return true;
  };
  var follow = async () => {
    for (; ; ) {
      try {
        if (!document.hidden && !await look()) return;
      } catch {
        say("There is no connection: the page tries again.", true);
      }
      await wait(PAUSE * (0.85 + 0.3 * Math.random()));
    }
  };
  follow();
})();
