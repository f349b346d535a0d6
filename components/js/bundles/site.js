// Made by make scripts from the modules named below; edit those.
"use strict";
(() => {
  // components/js/address.js
  var RETURN = "hallascope:return";
  var readAddress = () => new URLSearchParams(location.search);
  var addressOf = (query) => `${location.pathname}${query.size ? `?${query}` : ""}`;
  var withChanges = (changes) => {
    const query = readAddress();
    Object.entries(changes).forEach(([name, value]) => {
      if (value === null) query.delete(name);
      else query.set(name, value);
    });
    return query;
  };
  var writeAddress = (query) => {
    try {
      history.replaceState(history.state, "", addressOf(query));
    } catch {
    }
  };
  var changeAddress = (changes) => writeAddress(withChanges(changes));

  // components/evidence/choice.js
  var EVIDENCE_SHOWN = "hallascope:evidence";
  var KINDS = ["question", "fact", "finding", "segment", "node", "edge"];
  var isChoice = (name) => KINDS.includes(name.slice(name.lastIndexOf(".") + 1));
  var namedKeys = () => [...readAddress()].filter(([name]) => isChoice(name)).map(([name, at]) => `${name}=${at}`);
  var choiceChanges = (chosen) => {
    const changes = {};
    [...readAddress().keys()].filter(isChoice).forEach((name) => {
      changes[name] = null;
    });
    if (chosen) {
      const [name, number] = chosen.split("=");
      changes[name] = number;
    }
    return changes;
  };

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
  var findAll = (root, selector) => {
    const found = root.querySelectorAll(selector);
    return [...found];
  };
  var closest = (event, selector) => event.target instanceof Element ? event.target.closest(selector) : null;

  // components/js/dialog.js
  var showDialog = (dialog, place) => {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => dialog.remove());
    place.append(dialog);
    dialog.showModal();
  };

  // components/js/server.js
  var NO_ANSWER = "The server did not answer. Try again, or reload the page.";
  var ask = async (server, name, request) => {
    try {
      return await server[name](request);
    } catch {
      return { wrong: NO_ANSWER };
    }
  };

  // components/js/storage.js
  var recall = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  var remember = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
    }
  };

  // components/evidence/dialogs.js
  var RATER = "hallascope-rater";
  var KEYS = [
    ["J", "Next image"],
    ["K", "Previous image"],
    ["N", "Next error of the image"],
    ["H", "Give your own verdict on the chosen question"],
    ["T", "Tag the image"],
    ["Escape", "Choose nothing, or close a dialog"],
    ["?", "Show this list"]
  ];
  var openDialog = (title, ...content) => {
    const dialog = make(
      "dialog",
      { class: "evidence-dialog", "aria-label": title },
      make("h2", {}, title),
      ...content,
      make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close")
    );
    showDialog(dialog, document.querySelector("#tabs") ?? document.body);
    return dialog;
  };
  var makeNameField = () => {
    const field = make("input", { type: "text", autocomplete: "name", maxlength: 80 });
    const onPeopleTab = document.querySelector("#people-name input");
    field.value = recall(RATER) || onPeopleTab?.value || "";
    return field;
  };
  var makeLabel = (words, field) => make("label", {}, make("span", {}, words), field);
  var makeMessage = () => make("p", { class: "message", role: "alert" });
  var openKeys = () => {
    const lines = KEYS.map(
      ([key, meaning]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning))
    );
    openDialog("Keys", make("dl", { class: "key-list" }, ...lines));
  };
  var openVerdict = (server, image, card) => {
    const name = makeNameField();
    const message = makeMessage();
    const keep = async (mark) => {
      const rater = name.value.trim();
      if (!rater) {
        message.textContent = "Type your name first: the verdict is kept with it.";
        name.focus();
        return;
      }
      remember(RATER, rater);
      const section = (
        /** @type {HTMLElement} */
        card.closest("[data-metric]")
      );
      const question = Number(card.dataset.question);
      const request = { ...image, metric: section.dataset.metric, question, mark, rater };
      const reply = await ask(server, "keep_verdict", request);
      if (reply.wrong) {
        message.textContent = reply.wrong;
        return;
      }
      card.querySelector(".human-lines").innerHTML = reply.html;
      dialog.close();
    };
    const choices = findAll(card, ".choice").map((choice) => {
      const mark = choice.querySelector(".letter").textContent;
      const words = choice.querySelector(".letter").nextSibling.textContent.trim();
      const isJudges = choice.classList.contains("answered");
      return makeChoice(mark, words, isJudges ? "the judge is right" : "the judge is wrong", keep);
    });
    const untold = makeChoice("?", "Cannot be told", "", keep);
    const dialog = openDialog(
      "Your verdict",
      make("p", { class: "question-text" }, card.querySelector(".lead-button").textContent),
      makeLabel("Your name", name),
      make("p", { class: "soft" }, "What does the image show?"),
      make("ul", { class: "verdict-choices" }, ...choices, untold),
      message
    );
    const [first] = findAll(dialog, ".verdict-choices button");
    (name.value ? first : name).focus();
  };
  var makeChoice = (mark, words, outcome, keep) => {
    const aside = outcome ? make("span", { class: "soft" }, ` · ${outcome}`) : null;
    return make(
      "li",
      {},
      make("button", { type: "button", onclick: () => keep(mark) }, words, aside)
    );
  };
  var openTag = (server, image, chips) => {
    const field = make("input", { type: "text", maxlength: 40, autocomplete: "off" });
    const message = makeMessage();
    const form = make(
      "form",
      {},
      makeLabel("A word or two, such as “extra fingers”", field),
      message,
      make("button", { type: "submit", class: "keep" }, "Add the tag")
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const request = { ...image, tag: field.value, rater: recall(RATER) || "" };
      message.textContent = await changeTag(server, request, chips);
      if (!message.textContent) dialog.close();
    });
    const dialog = openDialog("Tag the image", form);
    field.focus();
  };
  var changeTag = async (server, request, chips) => {
    const reply = await ask(server, "change_tag", request);
    if (reply.wrong) return reply.wrong;
    chips.innerHTML = reply.html;
    return "";
  };

  // components/evidence/image_keys.js
  var TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  var IMAGES = ".pictures .pick, .head-cell";
  var NO_ERRORS = "No error is found in this image.";
  var mountKeys = ({ element, server }, viewer) => {
    const canLabel = "keep_verdict" in server;
    const showImage = (step) => {
      const panel = element.closest("[role=tabpanel]") ?? document;
      const images = findAll(panel, IMAGES).filter((image) => image.checkVisibility());
      const at = images.findIndex((image) => image.getAttribute("aria-pressed") === "true");
      if (images.length) images[(at + step + images.length) % images.length].click();
    };
    const showError = () => {
      const shown = viewer.shown();
      const rows = findAll(shown.root, "[data-kind=incorrect][data-said]").filter(
        (row) => row.querySelector(".lead-button") && row.checkVisibility()
      );
      if (!rows.length) {
        viewer.say(NO_ERRORS);
        return;
      }
      const keys = rows.map((row) => shown.items.get(row).own || shown.items.get(row).keys[0]);
      const at = keys.indexOf(shown.chosen);
      const next = at >= 0 && shown.isSuggested ? at : (at + 1) % rows.length;
      viewer.choose(keys[next]);
      const button = rows[next].querySelector(".lead-button");
      button.focus({ preventScroll: true });
      rows[next].scrollIntoView({ block: "nearest" });
    };
    const giveVerdict = (card) => {
      const shown = viewer.shown();
      if (card) openVerdict(server, { run: shown.run, key: shown.key }, card);
    };
    const findCard = () => {
      const shown = viewer.shown();
      const chosen = shown.rowsByKey.get(shown.chosen);
      if (chosen?.querySelector("[data-override]")) return chosen;
      const first = shown.root.querySelector(".question:has([data-override])");
      return first;
    };
    const findChips = () => viewer.shown().root.querySelector(".tag-chips");
    const addTag = () => {
      const { run, key } = viewer.shown();
      const chips = findChips();
      if (chips) openTag(server, { run, key }, chips);
    };
    const removeTag = async (tag) => {
      const { run, key } = viewer.shown();
      const fault = await changeTag(server, { run, key, tag, remove: true }, findChips());
      if (fault) viewer.say(fault);
      const button = element.querySelector(".add-tag");
      button.focus();
    };
    const actions = { j: () => showImage(1), k: () => showImage(-1), n: showError, "?": openKeys };
    if (canLabel) Object.assign(actions, { h: () => giveVerdict(findCard()), t: addTag });
    document.addEventListener("keydown", (event) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      if (isShortcut || event.defaultPrevented || closest(event, TYPING)) return;
      if (document.querySelector("dialog[open]") || !element.checkVisibility()) return;
      const action = actions[event.key.toLowerCase()];
      if (!action || !viewer.shown()) return;
      event.preventDefault();
      if (!event.repeat) action();
    });
    element.addEventListener("click", (event) => {
      const removed = closest(event, "[data-remove-tag]");
      if (closest(event, ".add-tag")) addTag();
      else if (closest(event, ".show-keys")) openKeys();
      else if (removed) void removeTag(removed.dataset.removeTag);
      else if (closest(event, "[data-override]")) giveVerdict(closest(event, ".question"));
    });
  };

  // components/html/truth.js
  var page = () => (
    /** @type {HTMLElement} */
    document.querySelector("#tabs") ?? document.body
  );
  var readTruth = () => {
    const named = readAddress().get("truth");
    return named === "on" || named === "off" ? named : "auto";
  };
  var isShown = (bar) => {
    const truth = readTruth();
    return (truth === "auto" ? bar.dataset.truthDefault : truth) === "on";
  };
  var isFiltered = () => readAddress().get("verdicts") === "wrong";
  var showTruth = () => {
    const bars = findAll(document, ".truth-bar");
    page().dataset.truth = readTruth();
    const filters = isFiltered() && bars.some(isShown);
    page().dataset.verdicts = filters ? "wrong" : "all";
    bars.forEach((bar) => {
      const states = { "[data-truth-switch]": isShown(bar), "[data-wrong-filter]": filters };
      Object.entries(states).forEach(([button, on]) => {
        bar.querySelector(button).setAttribute("aria-pressed", String(on));
      });
    });
  };
  document.addEventListener(RETURN, showTruth);
  document.addEventListener("click", (event) => {
    const bar = closest(event, ".truth-bar");
    if (closest(event, "[data-truth-switch]")) {
      const truth = isShown(bar) ? "off" : "on";
      changeAddress({ truth: truth === bar.dataset.truthDefault ? null : truth });
    } else if (closest(event, "[data-wrong-filter]")) {
      changeAddress({ verdicts: isFiltered() ? null : "wrong" });
    } else {
      return;
    }
    showTruth();
  });

  // components/js/zoom.js
  var MOST = 8;
  var STEP = 1.5;
  var DRAG = 4;
  var PANS = {
    ArrowLeft: [0.1, 0],
    ArrowRight: [-0.1, 0],
    ArrowUp: [0, 0.1],
    ArrowDown: [0, -0.1]
  };
  var clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  var offset = (low, high, from, to) => {
    const isInside = low >= from && high <= to;
    return isInside ? 0 : (from + to - low - high) / 2 / (to - from);
  };
  var placeIn = (stage, { clientX, clientY }) => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };
  var mountZoom = (element) => {
    const view = { scale: 1, x: 0, y: 0 };
    const show = () => {
      const fits = view.scale === 1;
      const transform = `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.scale})`;
      element.classList.toggle("zoomed", !fits);
      element.style.setProperty("--zoom", String(view.scale));
      findAll(element, ".canvas").forEach((canvas) => {
        canvas.style.transform = fits ? "" : transform;
      });
      findAll(element, '[data-zoom="fit"]').forEach((button) => {
        button.textContent = `${Math.round(view.scale * 100)} %`;
      });
      const disabled = { in: view.scale === MOST, out: fits, fit: fits };
      findAll(element, "[data-zoom]").forEach((button) => {
        const action = (
          /** @type {keyof typeof disabled} */
          button.dataset.zoom
        );
        button.setAttribute("aria-disabled", String(disabled[action]));
      });
    };
    const moveTo = (scale, x, y) => {
      Object.assign(view, { scale, x: clamp(x, 1 - scale, 0), y: clamp(y, 1 - scale, 0) });
      show();
    };
    const zoomAt = (factor, x = 0.5, y = 0.5) => {
      const scale = clamp(view.scale * factor, 1, MOST);
      const ratio = scale / view.scale;
      moveTo(scale, x - (x - view.x) * ratio, y - (y - view.y) * ratio);
    };
    const panBy = (x, y) => moveTo(view.scale, view.x + x, view.y + y);
    const fit = () => moveTo(1, 0, 0);
    const zoomIn = () => zoomAt(STEP);
    const zoomOut = () => zoomAt(1 / STEP);
    const reveal = (mark) => {
      const stage = mark.closest(".stage");
      if (!stage || view.scale === 1) return;
      const frame = stage.getBoundingClientRect();
      const box = mark.getBoundingClientRect();
      panBy(
        offset(box.left, box.right, frame.left, frame.right),
        offset(box.top, box.bottom, frame.top, frame.bottom)
      );
    };
    element.addEventListener(
      "wheel",
      (event) => {
        const stage = closest(event, ".stage");
        if (!stage || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        zoomAt(Math.exp(-clamp(event.deltaY, -60, 60) / 100), ...placeIn(stage, event));
      },
      { passive: false }
    );
    element.addEventListener("dblclick", (event) => {
      if (closest(event, ".stage")) fit();
    });
    const keys = { "+": zoomIn, "=": zoomIn, "-": zoomOut, 0: fit };
    element.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!closest(event, ".stage, .tools")) return;
      const pan = PANS[
        /** @type {keyof typeof PANS} */
        event.key
      ];
      const zoom = keys[
        /** @type {keyof typeof keys} */
        event.key
      ];
      const pans = view.scale > 1 && pan && (event.shiftKey || !closest(event, ".region"));
      if (!pans && !zoom) return;
      event.preventDefault();
      if (pans) panBy(pan[0], pan[1]);
      else zoom();
    });
    const pointers = /* @__PURE__ */ new Map();
    let isDragged = false;
    const spread = () => {
      const [first, second] = [...pointers.values()];
      return {
        distance: Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY),
        middle: {
          clientX: (first.clientX + second.clientX) / 2,
          clientY: (first.clientY + second.clientY) / 2
        }
      };
    };
    element.addEventListener("pointerdown", (event) => {
      if (!closest(event, ".stage") || event.button) return;
      if (!pointers.size) isDragged = false;
      pointers.set(event.pointerId, event);
    });
    element.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      const stage = closest(event, ".stage");
      if (!before || !stage) return;
      const dx = event.clientX - before.clientX;
      const dy = event.clientY - before.clientY;
      const isShort = !isDragged && Math.hypot(dx, dy) < DRAG;
      if (pointers.size === 1 && (view.scale === 1 || isShort)) return;
      if (!isDragged) {
        isDragged = true;
        stage.setPointerCapture(event.pointerId);
      }
      const isPinch = pointers.size === 2;
      const distance = isPinch ? spread().distance : 0;
      pointers.set(event.pointerId, event);
      if (isPinch) {
        const { distance: now, middle } = spread();
        zoomAt(now / Math.max(distance, 1), ...placeIn(stage, middle));
      }
      const { width, height } = stage.getBoundingClientRect();
      panBy(dx / width / pointers.size, dy / height / pointers.size);
    });
    ["pointerup", "pointercancel"].forEach(
      (type) => document.addEventListener(type, (event) => {
        if (event instanceof PointerEvent) pointers.delete(event.pointerId);
      })
    );
    const actions = { in: zoomIn, out: zoomOut, fit };
    element.addEventListener(
      "click",
      (event) => {
        if (isDragged && closest(event, ".stage")) {
          event.stopPropagation();
          event.preventDefault();
        }
        isDragged = false;
        const button = closest(event, "[data-zoom]");
        if (button) actions[
          /** @type {keyof typeof actions} */
          button.dataset.zoom
        ]();
      },
      true
    );
    return { fit, reveal, show };
  };

  // components/evidence/viewer.js
  var LAYERS = "hallascope-shown";
  var STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  var BUTTONS = {
    marks: ".region",
    words: ".word[role]",
    rows: ".lead-button",
    graph: "[role=button]"
  };
  var readKeys = (node, attribute) => {
    const keys = JSON.parse(attribute || "[]");
    const scope = node.closest("[data-scope]");
    if (!(scope instanceof HTMLElement)) return keys;
    return keys.map((key) => `${scope.dataset.scope}.${key}`);
  };
  var readItem = (node) => {
    const leadButton = node.querySelector(".lead-button");
    const shape = node.querySelector(":scope > .shape");
    return {
      node,
      keys: readKeys(node, node.dataset.keys),
      own: readKeys(node, node.dataset.own && JSON.stringify([node.dataset.own]))[0],
      button: node.matches("[role=button]") ? node : leadButton,
      outline: shape && shape.getAttribute("d")
    };
  };
  var readButtons = (group) => {
    const kind = group.dataset.ring;
    const buttons = findAll(group, BUTTONS[kind]);
    const isDrawnInAnotherOrder = kind === "marks" || kind === "graph";
    if (!isDrawnInAnotherOrder) return buttons;
    return buttons.sort((a, b) => Number(a.dataset.order) - Number(b.dataset.order));
  };
  var cutOutline = ({ root }) => {
    const mask = root.querySelector(".around");
    if (!mask) return;
    mask.id = `around-${Math.random().toString(36).slice(2)}`;
    root.querySelector(".veil").setAttribute("mask", `url(#${mask.id})`);
  };
  var readExhibit = (root) => {
    const exhibit = {
      root,
      run: root.dataset.run,
      pageRun: root.dataset.pageRun || root.dataset.run,
      isUnnamed: root.dataset.unnamed !== void 0,
      key: root.dataset.key,
      items: /* @__PURE__ */ new Map(),
      nodesByKey: /* @__PURE__ */ new Map(),
      rowsByKey: /* @__PURE__ */ new Map(),
      groups: /* @__PURE__ */ new Map(),
      same: JSON.parse(root.dataset.same || "{}"),
      whole: JSON.parse(root.dataset.wholeOf || "{}"),
      related: [],
      near: [],
      lit: [],
      chosen: null,
      isSuggested: false
    };
    findAll(root, "[data-keys]").forEach((node) => {
      const item = readItem(node);
      exhibit.items.set(node, item);
      const under = readKeys(node, node.dataset.under);
      [...item.keys, ...under].forEach((key) => {
        if (!exhibit.nodesByKey.has(key)) exhibit.nodesByKey.set(key, []);
        exhibit.nodesByKey.get(key).push(node);
      });
      if (node.dataset.said !== void 0) exhibit.rowsByKey.set(item.keys[0], node);
    });
    findAll(root, "[data-ring]").forEach((group) => {
      const buttons = readButtons(group);
      buttons.forEach((button) => exhibit.groups.set(button, buttons));
      if (group.dataset.ring !== "rows" && buttons.length) buttons[0].tabIndex = 0;
    });
    cutOutline(exhibit);
    return exhibit;
  };
  var isInPicture = (node) => Boolean(node.closest(".stage"));
  var leadingNodes = (exhibit, key) => (exhibit.nodesByKey.get(key) || []).filter((node) => exhibit.items.get(node).keys.includes(key));
  var nodesOf = (exhibit, key) => {
    const own = exhibit.nodesByKey.get(key) || [];
    const others = (exhibit.same[key] || []).flatMap((other) => leadingNodes(exhibit, other));
    const hasMarks = own.some(isInPicture);
    return [.../* @__PURE__ */ new Set([...own, ...others.filter((node) => !hasMarks || !isInPicture(node))])];
  };
  var relatedNodes = (exhibit, key) => (exhibit.whole[key] || []).flatMap((other) => leadingNodes(exhibit, other)).filter((node) => !isInPicture(node));
  var outlines = (exhibit, nodes) => nodes.map((node) => exhibit.items.get(node).outline || "").join("");
  var light = (exhibit, nodes, on) => nodes.forEach((node) => {
    node.classList.toggle("lit", on);
    exhibit.items.get(node).button?.setAttribute("aria-pressed", String(on));
  });
  var drawHalo = (exhibit) => {
    const nodes = [.../* @__PURE__ */ new Set([...exhibit.lit, ...exhibit.near])];
    exhibit.root.querySelector(".halo")?.setAttribute("d", outlines(exhibit, nodes));
  };
  var numberShapes = (exhibit) => {
    if (!exhibit.root.classList.contains("counting")) return;
    const marks = exhibit.lit.filter((node) => exhibit.items.get(node).outline);
    if (marks.length < 2) return;
    exhibit.lit.filter((node) => node.matches(".count")).sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left)).forEach((number, index) => {
      number.textContent = String(index + 1);
    });
  };
  var scrollToLitWord = (text) => {
    if (text.scrollHeight <= text.clientHeight) return;
    const word = text.querySelector(".lit");
    if (!word) return;
    const isAbove = word.offsetTop < text.scrollTop;
    const isBelow = word.offsetTop + word.offsetHeight > text.scrollTop + text.clientHeight;
    if (isAbove || isBelow) text.scrollTop = word.offsetTop - 8;
  };
  var paint = (exhibit) => {
    const { root, chosen } = exhibit;
    const row = exhibit.rowsByKey.get(chosen);
    light(exhibit, exhibit.lit, false);
    exhibit.related.forEach((node) => node.classList.remove("related"));
    exhibit.lit = nodesOf(exhibit, chosen);
    exhibit.related = relatedNodes(exhibit, chosen);
    light(exhibit, exhibit.lit, true);
    exhibit.related.forEach((node) => node.classList.add("related"));
    root.classList.toggle("choosing", chosen !== null && !exhibit.isSuggested);
    root.classList.toggle("counting", Boolean(row) && "counts" in row.dataset);
    root.classList.toggle("everything", Boolean(row) && "whole" in row.dataset);
    root.dataset.kind = row && row.dataset.kind || "";
    const overlay = root.querySelector(".overlay");
    if (overlay) {
      const outline = outlines(exhibit, exhibit.lit);
      overlay.classList.toggle("veiled", outline !== "");
      overlay.querySelector(".around path").setAttribute("d", outline);
      numberShapes(exhibit);
    }
    drawHalo(exhibit);
    findAll(root, ".words").forEach(scrollToLitWord);
    const hint = root.querySelector(".hint");
    const words = hint && (row ? row.dataset.said : hint.dataset.idle);
    if (hint && hint.textContent !== words) hint.textContent = words;
  };
  var isStacked = () => matchMedia("(max-width: 760px)").matches;
  var writeChoice = (run, image, chosen) => {
    if (!run) return;
    changeAddress({ run, image, ...choiceChanges(chosen) });
  };
  var namedKey = (exhibit) => {
    if (readAddress().get("image") !== exhibit.key) return void 0;
    return namedKeys().find((key) => exhibit.nodesByKey.has(key));
  };
  var rememberedLayers = () => (recall(LAYERS) ?? "masks").split(" ");
  var mount = ({ element, trigger, watch, server }) => {
    const zoom = mountZoom(element);
    let exhibits = [];
    let pointed = null;
    let layers = rememberedLayers();
    const exhibitAt = (target) => exhibits.find(({ root }) => target instanceof Node && root.contains(target));
    const itemAt = (event) => {
      const node = closest(event, "[data-keys]");
      const exhibit = node && exhibitAt(node);
      return exhibit ? { exhibit, item: exhibit.items.get(node) } : {};
    };
    const point = (exhibit, item) => {
      const node = item ? item.node : null;
      if (node === pointed) return;
      pointed = node;
      exhibits.forEach((other) => {
        const keys = other === exhibit && item ? item.keys : [];
        const near = [...new Set(keys.flatMap((key) => nodesOf(other, key)))];
        if (!near.length && !other.near.length) return;
        other.near.forEach((old) => old.classList.remove("near", "here"));
        near.forEach((now) => now.classList.add("near"));
        if (near.length) node.classList.add("here");
        other.near = near;
        drawHalo(other);
      });
    };
    const choose = (exhibit, chosen) => {
      exhibit.chosen = chosen;
      exhibit.isSuggested = false;
      paint(exhibit);
      const { run, pageRun, key, isUnnamed } = exhibit;
      if (!isUnnamed) writeChoice(pageRun, key, chosen);
      const detail = { source: element, run: pageRun, key, chosen, isUnnamed };
      document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
      const [kind, number] = chosen ? chosen.split("=") : [null, null];
      trigger("select", { run, key, chosen, kind, number: number && Number(number) });
    };
    const press = (exhibit, item) => {
      const { own } = item;
      if (exhibit.isSuggested && [own, ...item.keys].includes(exhibit.chosen)) {
        choose(exhibit, exhibit.chosen);
        return;
      }
      if (own) {
        choose(exhibit, exhibit.chosen === own ? null : own);
        return;
      }
      const current = item.keys.indexOf(exhibit.chosen);
      const isOnlyKey = item.keys.length === 1 && current === 0;
      const next = isOnlyKey ? null : item.keys[(current + 1) % item.keys.length];
      choose(exhibit, next);
      const row = exhibit.rowsByKey.get(next);
      if (row && row !== item.node && !isStacked()) {
        row.scrollIntoView({ block: "nearest", behavior: "smooth" });
      }
    };
    const submitVerdict = (button) => {
      const exhibit = exhibitAt(button);
      const node = button.closest("[data-keys]");
      const metric = button.closest("[data-metric]");
      const on = button.getAttribute("aria-pressed") !== "true";
      const { said, taken, verdict } = button.dataset;
      button.setAttribute("aria-pressed", String(on));
      exhibit.root.querySelector(".hint").textContent = on ? said : taken;
      trigger("submit", {
        run: exhibit.run,
        key: exhibit.key,
        metric: metric instanceof HTMLElement ? metric.dataset.metric : "",
        about: exhibit.items.get(node).keys[0].replace(/^.*\./, ""),
        // the metric is named apart
        value: on ? verdict : null
      });
    };
    const showLayers = () => {
      element.dataset.shown = layers.join(" ");
      findAll(element, "[data-show]").forEach((button) => {
        button.setAttribute("aria-pressed", String(layers.includes(button.dataset.show)));
      });
    };
    const switchLayer = (name) => {
      const others = layers.filter((layer) => layer !== name);
      layers = layers.includes(name) ? others : [...layers, name];
      remember(LAYERS, layers.join(" "));
      showLayers();
      document.dispatchEvent(new CustomEvent("hallascope:layers", { detail: layers }));
    };
    document.addEventListener("hallascope:choose", ({ detail }) => {
      if (detail.source === element || !exhibits.length) return;
      if (!detail.isUnnamed) writeChoice(detail.run, detail.key, detail.chosen);
      exhibits.filter(({ pageRun, key }) => pageRun === detail.run && key === detail.key).forEach((exhibit) => {
        exhibit.chosen = exhibit.nodesByKey.has(detail.chosen) ? detail.chosen : null;
        paint(exhibit);
      });
    });
    document.addEventListener("hallascope:layers", ({ detail }) => {
      layers = detail;
      showLayers();
    });
    element.addEventListener("click", (event) => {
      const layer = closest(event, "[data-show]");
      const verdict = closest(event, "[data-verdict]");
      if (layer) {
        switchLayer(layer.dataset.show);
      } else if (verdict) {
        submitVerdict(verdict);
      } else if (!closest(event, "details, [data-zoom], .image-tags, .human")) {
        const { exhibit, item } = itemAt(event);
        if (item && item.keys.length) {
          press(exhibit, item);
          return;
        }
        const around = closest(event, ".overlay") && exhibitAt(event.target);
        if (around && around.chosen !== null) choose(around, null);
      }
    });
    element.addEventListener("keydown", (event) => {
      const exhibit = exhibitAt(event.target);
      if (!exhibit || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape" && exhibit.chosen !== null) {
        event.preventDefault();
        choose(exhibit, null);
        return;
      }
      const focused = (
        /** @type {HTMLElement} */
        event.target
      );
      const buttons = exhibit.groups.get(focused);
      if (!buttons) return;
      const isRow = focused.matches(".lead-button");
      const group = isRow ? buttons.filter((button) => button.checkVisibility()) : buttons;
      if (!isRow && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        press(exhibit, itemAt(event).item);
        return;
      }
      const step = STEPS[
        /** @type {keyof typeof STEPS} */
        event.key
      ];
      if (!step || event.shiftKey) return;
      event.preventDefault();
      const next = group[(group.indexOf(focused) + step + group.length) % group.length];
      next.focus();
      if (!isRow) return;
      const item = exhibit.items.get(next.closest("[data-keys]"));
      choose(exhibit, item.own || item.keys[0]);
    });
    element.addEventListener("mouseover", (event) => {
      const { exhibit, item } = itemAt(event);
      point(exhibit, item);
    });
    element.addEventListener("focusin", (event) => {
      const { exhibit, item } = itemAt(event);
      point(exhibit, item);
      if (!item || item.button !== event.target) return;
      if (item.outline) zoom.reveal(item.node);
      const group = exhibit.groups.get(item.button);
      if (!group || item.button.matches(".lead-button")) return;
      group.forEach((button) => {
        button.tabIndex = button === item.button ? 0 : -1;
      });
    });
    element.addEventListener("mouseleave", () => point());
    element.addEventListener("focusout", () => point());
    const refresh = () => {
      showTruth();
      const nameOf = (exhibit) => `${exhibit.run} ${exhibit.key}`;
      const chosenIn = (exhibit) => exhibit.isSuggested ? null : exhibit.chosen;
      const before = new Map(exhibits.map((exhibit) => [nameOf(exhibit), chosenIn(exhibit)]));
      pointed = null;
      exhibits = findAll(element, ".exhibit").map(readExhibit);
      exhibits.forEach((exhibit) => {
        const named = before.get(nameOf(exhibit)) || namedKey(exhibit);
        const key2 = named || exhibit.root.dataset.chosen;
        exhibit.chosen = exhibit.nodesByKey.has(key2) ? key2 : null;
        exhibit.isSuggested = !named;
        paint(exhibit);
      });
      if (exhibits.length && exhibits.every((exhibit) => before.has(nameOf(exhibit)))) {
        zoom.show();
      } else {
        zoom.fit();
        findAll(element, "details").forEach((details) => details.removeAttribute("open"));
      }
      showLayers();
      const hasAllMetrics = document.querySelector(".exhibit.all-metrics") !== null;
      document.documentElement.classList.toggle("with-all-metrics", hasAllMetrics);
      const [{ run = null, key = null } = {}] = exhibits;
      document.dispatchEvent(new CustomEvent(EVIDENCE_SHOWN, { detail: { element, run, key } }));
    };
    watch("value", refresh);
    refresh();
    if (!server) return;
    mountKeys(
      { element, server },
      {
        shown: () => exhibits[0] || null,
        choose: (key) => choose(exhibits[0], key),
        say: (words) => {
          const hint = exhibits[0].root.querySelector(".hint");
          if (hint) hint.textContent = words;
        }
      }
    );
  };

  // components/theme/look.js
  var KEY = "hallascope-look";
  var rememberedLook = () => recall(KEY);
  var showLook = (look) => {
    document.body.classList.toggle("dark", look === "dark");
    findAll(document, "[data-look]").forEach((button) => {
      button.setAttribute("aria-pressed", String(look === "dark"));
    });
  };
  var listenForLook = () => document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-look]")) return;
    const look = document.body.classList.contains("dark") ? "light" : "dark";
    remember(KEY, look);
    showLook(look);
  });

  // pages/site/site.js
  var systemLook = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  showLook(rememberedLook() || systemLook);
  listenForLook();
  showTruth();
  findAll(document, "[data-viewer]").forEach((element) => {
    mount({ element, trigger: () => {
    }, watch: () => {
    } });
    element.dataset.ready = "";
  });
})();
