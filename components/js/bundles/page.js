// Made by make scripts from the modules named below; edit those.
"use strict";
(() => {
  // components/js/address.js
  var DEPTH = "hallascopeDepth";
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
  var readDepth = () => Number(history.state?.[DEPTH]) || 0;
  var pushAddress = (changes) => {
    const query = withChanges(changes);
    if (String(query) === String(readAddress())) return;
    try {
      history.pushState({ ...history.state, [DEPTH]: readDepth() + 1 }, "", addressOf(query));
    } catch {
    }
  };

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
  var saveFile = (name, content, type) => {
    const url = URL.createObjectURL(new Blob([content], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1e4);
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
      Object.entries(states).forEach(([button3, on]) => {
        bar.querySelector(button3).setAttribute("aria-pressed", String(on));
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

  // components/cards/filter_address.js
  var STATES = ["missed", "found", "false-alarm", "not-asked", "unanswered"];
  var NO_FILTERS = { state: null, coi: null, model: null };
  var readFilters = (query) => {
    const state = query.get("state") || null;
    return {
      state: STATES.includes(state) ? state : null,
      coi: query.get("coi") || null,
      model: query.get("model") || null
    };
  };
  var passes = (facts, model, filters) => {
    if (filters.model && filters.model !== model) return false;
    if (!filters.state && !filters.coi) return true;
    return facts.some(
      ([state, coi]) => (!filters.state || filters.state === state) && (!filters.coi || filters.coi === coi)
    );
  };

  // components/cards/filters.js
  var mountFilters = (element, changed) => {
    const show = () => {
      const hasFilters = element.querySelector(".filters") !== null;
      const filters = readFilters(hasFilters ? readAddress() : new URLSearchParams());
      const tiles = findAll(element, ".tile").map((node) => ({
        node,
        facts: JSON.parse(node.dataset.facts || "[]"),
        model: node.dataset.model
      }));
      const count = (wanted) => tiles.filter(({ facts, model }) => passes(facts, model, wanted)).length;
      tiles.forEach(({ node, facts, model }) => {
        node.classList.toggle("filtered-out", !passes(facts, model, filters));
      });
      findAll(element, ".filter-chip").forEach((chip) => {
        const { filter, value } = chip.dataset;
        const isOn = filters[
          /** @type {keyof typeof filters} */
          filter
        ] === value;
        chip.setAttribute("aria-pressed", String(isOn));
        chip.querySelector(".filter-count").textContent = String(
          count({ ...filters, [filter]: value })
        );
      });
      const isFiltered2 = Object.values(filters).some(Boolean);
      const clear = element.querySelector(".filter-clear");
      if (!clear) return;
      if (isFiltered2) element.querySelector(".filters details").setAttribute("open", "");
      clear.hidden = !isFiltered2;
      const left = count(filters);
      const words2 = left ? `${left} of ${tiles.length} images` : "No image matches these filters.";
      element.querySelector(".filter-status").textContent = isFiltered2 ? words2 : "";
    };
    element.addEventListener("click", (event) => {
      const chip = closest(event, ".filter-chip");
      if (chip) {
        const { filter, value } = chip.dataset;
        const isOn = chip.getAttribute("aria-pressed") === "true";
        changeAddress({ [filter]: isOn ? null : value });
      } else if (closest(event, ".filter-clear")) {
        changeAddress(NO_FILTERS);
      } else {
        return;
      }
      show();
      changed();
    });
    return { show };
  };

  // components/cards/cards.js
  var RUN_SHOWN = "hallascope:run";
  var MOST_REPEATS = 3;
  var requestedRuns = /* @__PURE__ */ new Set();
  var scrollToEvidence = () => {
    const place = document.querySelector("#evidence");
    if (!place) return;
    const top = place.getBoundingClientRect().top;
    if (top >= 0 && top < innerHeight / 3) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  };
  var PROMPT = "#prompt :is(input, textarea)";
  var typedPrompt = () => {
    const field = document.querySelector(PROMPT);
    return field ? field.value.trim() : "";
  };
  var mount = ({ element, trigger, watch }) => {
    const cards = () => findAll(element, ".tile");
    const buttons = () => findAll(element, ".pick");
    let run = null;
    let chosen = null;
    let reported = null;
    let repeats = 0;
    let chosenByPerson = false;
    const show = () => cards().forEach((card) => {
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
    const mendEvidence = (shown) => {
      if (!reported || !shown.key || repeats === MOST_REPEATS) return;
      if (shown.run === run && shown.key === chosen) return;
      repeats += 1;
      trigger("select", { run, key: chosen });
    };
    const announce = () => {
      const detail = { source: element, run, key: chosen, chosen: null };
      document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
    };
    const choose = (key) => {
      chosenByPerson = true;
      if (key !== chosen) {
        pushAddress({ run, image: key, ...choiceChanges(null) });
        chosen = key;
        show();
        report();
        announce();
      }
      scrollToEvidence();
    };
    const startRun = (keys) => {
      const query = readAddress();
      const isOpened = query.get("run") === run;
      const isNamed = isOpened && keys.includes(query.get("image"));
      chosenByPerson = isNamed;
      chosen = isNamed ? query.get("image") : keys[0];
      if (isNamed) changeAddress({ run, image: chosen });
      else if (isOpened) changeAddress({ image: chosen, ...choiceChanges(null) });
      else if (!requestedRuns.has(run) && !requestedRuns.has(query.get("run"))) {
        pushAddress({ run, image: chosen, ...choiceChanges(null), ...NO_FILTERS });
      }
    };
    const keepVisible = () => {
      const left = cards().filter((card) => !card.classList.contains("filtered-out"));
      if (!left.length || left.some(({ dataset }) => dataset.key === chosen)) return;
      chosen = left[0].dataset.key;
      changeAddress({ image: chosen, ...choiceChanges(null) });
      show();
      report();
      announce();
    };
    const filters = mountFilters(element, keepVisible);
    const markEarlierRun = () => {
      const grid = element.querySelector(".pictures");
      const note = element.querySelector(".earlier");
      if (!grid || !note) return;
      const typed = typedPrompt();
      const drawnAs = document.querySelector(".prompt-note[data-asked]");
      const isShown2 = typed === "" || [grid.dataset.prompt, drawnAs?.dataset.asked].includes(typed);
      const begins = grid.dataset.previous !== void 0;
      if (begins) requestedRuns.clear();
      const isEarlier = begins || !isShown2;
      note.hidden = !isEarlier;
      document.querySelector("#results")?.classList.toggle("earlier-run", isEarlier);
    };
    const refresh = () => {
      showTruth();
      markEarlierRun();
      filters.show();
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
      if (readAddress().get("run") !== run) return;
      report();
      keepVisible();
    };
    const follow = () => {
      const query = readAddress();
      filters.show();
      if (!run || query.get("run") !== run) return;
      const key = query.get("image");
      if (key === chosen || !cards().some(({ dataset }) => dataset.key === key)) return;
      chosen = key;
      show();
      report();
    };
    document.addEventListener(RETURN, follow);
    document.addEventListener(EVIDENCE_SHOWN, ({ detail }) => {
      if (detail.element.closest("#evidence")) mendEvidence(detail);
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
      if (card && !closest(event, "a")) choose(card.dataset.key);
    });
    element.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const all = buttons().filter((button3) => button3.checkVisibility());
      const focused = all.findIndex((button3) => button3 === document.activeElement);
      if (!step || focused < 0) return;
      event.preventDefault();
      all[(focused + step + all.length) % all.length].focus();
    });
    watch("value", refresh);
    refresh();
  };

  // components/comparison/slider.js
  var mount2 = ({ element }) => {
    element.addEventListener("input", (event) => {
      const slide = closest(event, ".slide");
      if (!slide || !(event.target instanceof HTMLInputElement)) return;
      slide.style.setProperty("--edge", `${event.target.value}%`);
    });
  };

  // components/comparison/tables.js
  var STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  var visibleButtons = (row) => findAll(row, "button").filter((button3) => button3.checkVisibility());
  var mount3 = ({ element, trigger, watch }) => {
    const buttons = () => findAll(element, "button[data-key]");
    const currentRun = () => {
      const table = element.querySelector(".compare");
      return table && (table.dataset.pageRun || table.dataset.run);
    };
    let key = null;
    let chosen = null;
    let reported = null;
    const show = () => buttons().forEach((button3) => {
      const isPicture = button3.dataset.key === key;
      const isPart = button3.dataset.chosen === void 0 || button3.dataset.chosen === chosen;
      button3.setAttribute("aria-pressed", String(isPicture && isPart));
      button3.parentElement.classList.toggle("chosen", isPicture);
    });
    const report = () => {
      const state = `${currentRun()} ${key} ${element.textContent.length}`;
      if (!key || state === reported) return;
      reported = state;
      trigger("select", { run: currentRun(), key });
    };
    const refresh = () => {
      showTruth();
      const run = currentRun();
      if (!run) return;
      const query = readAddress();
      const keys = buttons().map((button3) => button3.dataset.key);
      const isNamed = query.get("run") === run && keys.includes(query.get("image"));
      key = isNamed ? query.get("image") : keys[0];
      chosen = query.has("question") ? `question=${query.get("question")}` : null;
      show();
      report();
    };
    element.addEventListener("click", (event) => {
      const button3 = closest(event, "button[data-key]");
      if (!button3) return;
      key = button3.dataset.key;
      chosen = button3.dataset.chosen ?? null;
      show();
      const isUnnamed = element.querySelector("[data-unnamed]") !== null;
      const detail = { source: element, run: currentRun(), key, chosen, isUnnamed };
      document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
      report();
    });
    element.addEventListener("keydown", (event) => {
      const focused = closest(event, "button[data-key]");
      const step = STEPS[
        /** @type {keyof typeof STEPS} */
        event.key
      ];
      if (!focused || !step) return;
      const row = focused.closest("tr");
      const rows = findAll(element, "tr").filter((line) => visibleButtons(line).length);
      const nextRow = rows[rows.indexOf(row) + step[0]];
      const column = visibleButtons(row).indexOf(focused) + step[1];
      const next = nextRow && visibleButtons(nextRow)[column];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    document.addEventListener("hallascope:choose", ({ detail }) => {
      if (detail.source === element || !currentRun() || detail.run !== currentRun()) return;
      key = detail.key;
      chosen = detail.chosen;
      show();
      report();
    });
    watch("value", refresh);
    refresh();
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

  // components/error_analysis/error_map/marks.js
  var SHAPES = ["circle", "square", "triangle", "diamond", "cross", "triangle-down"];
  var CORNERS = {
    square: [
      [-0.85, -0.85],
      [0.85, -0.85],
      [0.85, 0.85],
      [-0.85, 0.85]
    ],
    triangle: [
      [0, -1.1],
      [1.05, 0.8],
      [-1.05, 0.8]
    ],
    diamond: [
      [0, -1.2],
      [1.1, 0],
      [0, 1.2],
      [-1.1, 0]
    ],
    cross: [
      [-1.1, -0.4],
      [-0.4, -0.4],
      [-0.4, -1.1],
      [0.4, -1.1],
      [0.4, -0.4],
      [1.1, -0.4],
      [1.1, 0.4],
      [0.4, 0.4],
      [0.4, 1.1],
      [-0.4, 1.1],
      [-0.4, 0.4],
      [-1.1, 0.4]
    ],
    "triangle-down": [
      [0, 1.1],
      [1.05, -0.8],
      [-1.05, -0.8]
    ]
  };
  var readColor = (color) => color.startsWith("--") ? getComputedStyle(document.body).getPropertyValue(color).trim() : color;
  var drawMark = (color, shape, radius, density) => {
    const side = Math.ceil((radius + 2) * 2 * density);
    const canvas = document.createElement("canvas");
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext("2d");
    const middle = side / 2;
    const size = radius * density;
    const corners = CORNERS[SHAPES[shape % SHAPES.length]];
    context.beginPath();
    if (corners) {
      corners.forEach(([x, y]) => context.lineTo(middle + x * size, middle + y * size));
      context.closePath();
    } else {
      context.arc(middle, middle, size, 0, 2 * Math.PI);
    }
    context.fillStyle = readColor(color);
    context.fill();
    context.lineWidth = 0.6 * density;
    context.strokeStyle = readColor("--card");
    context.stroke();
    return canvas;
  };

  // components/error_analysis/error_map/point_map.js
  var MARGIN = 18;
  var REACH = 9;
  var MOST_ZOOM = 60;
  var FEW = 2e3;
  var createPointMap = (stage, base, above) => {
    let xs = new Float32Array();
    let ys = new Float32Array();
    let screenX = new Float32Array();
    let screenY = new Float32Array();
    let groups = new Uint8Array();
    let styles = [];
    let marks = [];
    let selected = new Int32Array();
    let view = { zoom: 1, x: 0.5, y: 0.5 };
    let density = 1;
    let width = 0;
    let height = 0;
    const radius = () => xs.length > FEW ? 3 : 4.5;
    const place = () => {
      const across = (width - 2 * MARGIN) * view.zoom;
      const down = (height - 2 * MARGIN) * view.zoom;
      for (let i = 0; i < xs.length; i += 1) {
        screenX[i] = width / 2 + (xs[i] - view.x) * across;
        screenY[i] = height / 2 - (ys[i] - view.y) * down;
      }
    };
    const drawOn = (canvas, draw) => {
      const context = canvas.getContext("2d");
      context.clearRect(0, 0, canvas.width, canvas.height);
      if (!marks.length) return;
      const half = marks[0].width / 2;
      const right = canvas.width + half;
      const bottom = canvas.height + half;
      draw((index) => {
        const x = screenX[index] * density;
        const y = screenY[index] * density;
        if (x < -half || y < -half || x > right || y > bottom) return;
        context.drawImage(marks[groups[index]], Math.round(x - half), Math.round(y - half));
      });
    };
    const drawPoints = () => drawOn(base, (copy2) => {
      for (let i = 0; i < xs.length; i += 1) copy2(i);
    });
    const drawSelected = () => drawOn(above, (copy2) => selected.forEach(copy2));
    const makeMarks = () => {
      marks = styles.map(({ color, shape }) => drawMark(color, shape, radius(), density));
    };
    const drawAll = () => {
      place();
      drawPoints();
      drawSelected();
    };
    const resize = () => {
      density = Math.min(2, window.devicePixelRatio || 1);
      width = stage.clientWidth;
      height = stage.clientHeight;
      [base, above].forEach((canvas) => {
        canvas.width = Math.round(width * density);
        canvas.height = Math.round(height * density);
      });
      makeMarks();
      drawAll();
    };
    const setPoints = (left, up) => {
      xs = left;
      ys = up;
      screenX = new Float32Array(xs.length);
      screenY = new Float32Array(xs.length);
      groups = new Uint8Array(xs.length);
      selected = new Int32Array();
      view = { zoom: 1, x: 0.5, y: 0.5 };
    };
    const setGroups = (of, ofGroups) => {
      groups = of;
      styles = ofGroups;
      resize();
    };
    const setSelected = (indexes) => {
      selected = indexes;
      requestAnimationFrame(drawSelected);
    };
    const findAt = ({ x, y }) => {
      let nearest = -1;
      let least = REACH * REACH;
      for (let i = 0; i < xs.length; i += 1) {
        const across = screenX[i] - x;
        const down = screenY[i] - y;
        const apart = across * across + down * down;
        if (apart < least) {
          least = apart;
          nearest = i;
        }
      }
      return nearest;
    };
    const findWithin = (line) => {
      const across = Float32Array.from(line, ({ x }) => x);
      const down = Float32Array.from(line, ({ y }) => y);
      const [left, right] = [Math.min(...across), Math.max(...across)];
      const [top, bottom] = [Math.min(...down), Math.max(...down)];
      const found = [];
      for (let i = 0; i < xs.length; i += 1) {
        const x = screenX[i];
        const y = screenY[i];
        if (x < left || x > right || y < top || y > bottom) continue;
        if (isWithin(across, down, x, y)) found.push(i);
      }
      return Int32Array.from(found);
    };
    const move = (across, down) => {
      view.x -= across / ((width - 2 * MARGIN) * view.zoom);
      view.y += down / ((height - 2 * MARGIN) * view.zoom);
      drawAll();
    };
    const zoom = (factor, spot = { x: width / 2, y: height / 2 }) => {
      const zoomed = Math.min(MOST_ZOOM, Math.max(1, view.zoom * factor));
      const across = (spot.x - width / 2) / (width - 2 * MARGIN);
      const down = (spot.y - height / 2) / (height - 2 * MARGIN);
      view.x += across / view.zoom - across / zoomed;
      view.y -= down / view.zoom - down / zoomed;
      view.zoom = zoomed;
      if (zoomed === 1) view = { zoom: 1, x: 0.5, y: 0.5 };
      drawAll();
    };
    const fit = () => zoom(1 / MOST_ZOOM);
    return { resize, setPoints, setGroups, setSelected, findAt, findWithin, move, zoom, fit };
  };
  var isWithin = (across, down, x, y) => {
    let inside = false;
    for (let i = 0, j = across.length - 1; i < across.length; j = i, i += 1) {
      const isCrossed = down[i] > y !== down[j] > y;
      if (!isCrossed) continue;
      const share2 = (y - down[i]) / (down[j] - down[i]);
      if (x < across[i] + share2 * (across[j] - across[i])) inside = !inside;
    }
    return inside;
  };

  // components/error_analysis/error_map/error_map.js
  var STEP = 40;
  var ZOOM = 1.5;
  var NEAR = 4;
  var CLICK = 5;
  var PATIENCE = 70;
  var TRUTH = "truth";
  var bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  var shares = (text) => Float32Array.from(new Uint16Array(bytes(text).buffer), (number) => number / 65535);
  var mount4 = ({ element, props, server, trigger, watch }) => {
    const stage = element.querySelector(".map-stage");
    const status2 = element.querySelector(".map-status");
    const keys = element.querySelector(".map-keys");
    const words2 = element.querySelector(".map-words");
    const legend = element.querySelector(".map-legend");
    const box = element.querySelector(".map-hover");
    const clearButton = element.querySelector(".map-clear");
    const outline = element.querySelector(".map-path path");
    const lists = findAll(element, "select[data-map]");
    const map = createPointMap(
      stage,
      element.querySelector(".map-points"),
      element.querySelector(".map-selected")
    );
    let data = null;
    let evaluations = new Int32Array();
    let groups = new Uint8Array();
    let selected = new Int32Array();
    let mode = "lasso";
    let inSight = false;
    let loaded = "";
    let drawn2 = false;
    const described = /* @__PURE__ */ new Map();
    const listOf = (name) => lists.find((list) => list.dataset.map === name);
    const chosen = (name) => listOf(name)?.value || "";
    const defaultOf = (name) => listOf(name)?.options[0]?.value || "";
    const say = (sentence) => {
      status2.textContent = sentence;
    };
    const request = () => ({
      choice: props.value?.choice || {},
      layout: chosen("layout"),
      embedder: chosen("embedder")
    });
    const load = async () => {
      if (!inSight || !props.value) return;
      const asked = JSON.stringify([request(), props.value.computed]);
      if (asked === loaded) return;
      loaded = asked;
      props.value = { ...props.value, embedder: chosen("embedder") };
      say("Loading the map");
      const answer = await ask(server, "read_map", request());
      if (asked !== loaded) return;
      if (answer.wrong) {
        say(answer.wrong);
        return;
      }
      show(answer);
    };
    const show = (answer) => {
      data = answer;
      evaluations = new Int32Array(bytes(data.evaluations).buffer);
      described.clear();
      stage.hidden = evaluations.length === 0;
      keys.hidden = stage.hidden;
      map.setPoints(shares(data.x), shares(data.y));
      say(data.note);
      words2.textContent = data.words;
      offerColors();
      forget();
      color();
      if (data.embed) trigger("submit", { missing: data.missing });
    };
    const offerColors = () => {
      const list = listOf("color");
      const before = list.value || readAddress().get("map-color") || "";
      list.replaceChildren(
        ...data.colorings.map(({ name, title }) => make("option", { value: name }, title))
      );
      const isThere = data.colorings.some(({ name }) => name === before);
      list.value = isThere ? before : defaultOf("color");
    };
    const color = async () => {
      const coloring = data.colorings.find(({ name }) => name === chosen("color"));
      if (!coloring) return;
      if (coloring.name === TRUTH && !coloring.of) {
        say("Comparing the judge with the truth");
        const asked = loaded;
        const answer = await ask(server, "read_truth", request());
        if (asked !== loaded) return;
        say(answer.wrong || data.note);
        if (answer.wrong) return;
        Object.assign(coloring, answer);
        if (chosen("color") !== TRUTH) return;
      }
      groups = bytes(coloring.of);
      map.setGroups(groups, coloring.groups);
      map.setSelected(selected);
      showLegend(coloring);
      element.dataset.drawn = coloring.name;
      drawn2 = true;
    };
    const showLegend = (coloring) => {
      const density = Math.min(2, window.devicePixelRatio || 1);
      legend.setAttribute(
        "aria-label",
        `Groups by ${coloring.title}: choose one to select its images`
      );
      legend.replaceChildren(
        ...coloring.groups.map(
          (group, number) => make(
            "li",
            {},
            make(
              "button",
              { type: "button", "data-group": String(number), "aria-pressed": "false" },
              drawMark(group.color, group.shape, 5, density),
              make("span", {}, group.label),
              make("span", { class: "n" }, group.words)
            )
          )
        )
      );
    };
    const select = (indexes, title) => {
      selected = indexes;
      const ids = Array.from(indexes, (index) => evaluations[index]);
      const count = `${ids.length.toLocaleString("en")} ${ids.length === 1 ? "image" : "images"}`;
      showImages(title, ids);
      showSelected();
      say(ids.length ? `${count} selected, shown below the map.` : data.note);
    };
    const showImages = (title, ids) => {
      const detail = { gallery: stage.dataset.gallery, title, evaluations: ids };
      document.dispatchEvent(new CustomEvent("hallascope:images", { detail }));
    };
    const showSelected = () => {
      stage.classList.toggle("has-selection", selected.length > 0);
      clearButton.disabled = selected.length === 0;
      map.setSelected(selected);
    };
    const forget = () => {
      selected = new Int32Array();
      showImages("", []);
      showSelected();
      press(null);
    };
    const clear = () => {
      if (!selected.length) return;
      press(null);
      select(new Int32Array(), "Selected on the map");
    };
    const press = (button3) => findAll(legend, "[data-group]").forEach(
      (other) => other.setAttribute("aria-pressed", String(other === button3))
    );
    const selectGroup = (button3) => {
      if (button3.getAttribute("aria-pressed") === "true") return clear();
      const number = Number(button3.dataset.group);
      const found = [];
      groups.forEach((group, index) => {
        if (group === number) found.push(index);
      });
      press(button3);
      return select(Int32Array.from(found), button3.querySelector("span").textContent);
    };
    let line = [];
    let dragging = false;
    let adding = false;
    const spotOf = (event) => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const corners = () => {
      if (mode !== "box" || line.length < 2) return line;
      const [from] = line;
      const to = line[line.length - 1];
      return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
    };
    const drawLine = () => {
      const path = corners().map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      outline.setAttribute("d", path.length > 1 ? `M${path.join("L")}Z` : "");
    };
    stage.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      stage.focus({ preventScroll: true });
      stage.setPointerCapture(event.pointerId);
      dragging = true;
      adding = event.shiftKey;
      line = [spotOf(event)];
      box.hidden = true;
    });
    stage.addEventListener("pointermove", (event) => {
      const spot = spotOf(event);
      if (!dragging) {
        hover(spot, event);
        return;
      }
      const last = line[line.length - 1];
      if (mode === "move") {
        map.move(spot.x - last.x, spot.y - last.y);
        line = [spot];
      } else if (Math.abs(spot.x - last.x) + Math.abs(spot.y - last.y) >= NEAR) {
        line.push(spot);
        drawLine();
      }
    });
    stage.addEventListener("pointerup", (event) => {
      if (!dragging) return;
      dragging = false;
      const [from] = line;
      const to = spotOf(event);
      const isClick = Math.abs(from.x - to.x) + Math.abs(from.y - to.y) <= CLICK && line.length < 3;
      if (mode !== "move" || isClick)
        finish(isClick ? clicked(to) : map.findWithin(corners()), isClick);
      line = [];
      drawLine();
    });
    stage.addEventListener("pointercancel", () => {
      dragging = false;
      line = [];
      drawLine();
    });
    const clicked = (spot) => {
      const index = map.findAt(spot);
      return Int32Array.from(index < 0 ? [] : [index]);
    };
    const finish = (found, isClick) => {
      press(null);
      const all = adding ? Int32Array.from(/* @__PURE__ */ new Set([...selected, ...found])) : found;
      if (!all.length && !selected.length) return;
      select(all, isClick && all.length === 1 ? "Chosen on the map" : "Selected on the map");
    };
    let under = -1;
    let waiting = 0;
    const hover = (spot, event) => {
      const index = map.findAt(spot);
      if (index !== under) {
        under = index;
        clearTimeout(waiting);
        box.hidden = true;
        if (index >= 0) waiting = window.setTimeout(() => describe(index), PATIENCE);
      }
      const left = Math.min(event.clientX + 18, innerWidth - 190);
      const top = Math.min(event.clientY + 18, innerHeight - 230);
      box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
    };
    const describe = async (index) => {
      const id = evaluations[index];
      if (!described.has(id)) {
        const answer = await ask(server, "describe", { evaluation: id });
        described.set(id, answer.wrong ? null : answer);
      }
      const image = described.get(id);
      if (under !== index || !image) return;
      const picture = box.querySelector("img");
      picture.hidden = !image.src;
      if (image.src) picture.src = image.src;
      box.querySelector("p").textContent = image.words;
      box.hidden = false;
    };
    stage.addEventListener("pointerleave", () => {
      under = -1;
      clearTimeout(waiting);
      box.hidden = true;
    });
    stage.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && mode !== "move") return;
        event.preventDefault();
        const { left, top } = stage.getBoundingClientRect();
        const spot = { x: event.clientX - left, y: event.clientY - top };
        map.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, spot);
      },
      { passive: false }
    );
    const onKey = {
      ArrowLeft: () => map.move(STEP, 0),
      ArrowRight: () => map.move(-STEP, 0),
      ArrowUp: () => map.move(0, STEP),
      ArrowDown: () => map.move(0, -STEP),
      "+": () => map.zoom(ZOOM),
      "-": () => map.zoom(1 / ZOOM),
      0: () => map.fit(),
      Escape: clear
    };
    stage.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !onKey[event.key]) return;
      event.preventDefault();
      onKey[event.key]();
    });
    const onZoom = {
      in: () => map.zoom(ZOOM),
      out: () => map.zoom(1 / ZOOM),
      fit: () => map.fit()
    };
    const setMode = (name) => {
      mode = name;
      stage.dataset.mode = name;
      findAll(element, "[data-mode]").filter((button3) => button3 !== stage).forEach(
        (button3) => button3.setAttribute("aria-pressed", String(button3.dataset.mode === name))
      );
    };
    element.addEventListener("click", (event) => {
      const button3 = closest(event, "button");
      if (!button3) return;
      if (button3.dataset.mode) setMode(button3.dataset.mode);
      else if (button3.dataset.zoom) onZoom[button3.dataset.zoom]();
      else if (button3.dataset.group) selectGroup(button3);
      else if (button3 === clearButton) clear();
    });
    element.addEventListener("change", (event) => {
      if (!(event.target instanceof HTMLSelectElement)) return;
      const name = event.target.dataset.map;
      const value = event.target.value;
      changeAddress({ [`map-${name}`]: value === defaultOf(name) ? null : value });
      if (name === "color") {
        press(null);
        if (data) color();
        return;
      }
      load();
    });
    const redraw = () => {
      if (!data || !drawn2 || !stage.clientWidth) return;
      const coloring = data.colorings.find(({ name }) => name === chosen("color"));
      map.resize();
      if (coloring?.of) showLegend(coloring);
    };
    new ResizeObserver(() => drawn2 && stage.clientWidth && map.resize()).observe(stage);
    new MutationObserver(redraw).observe(document.body, { attributeFilter: ["class"] });
    new IntersectionObserver(([entry]) => {
      inSight = entry.isIntersecting;
      load();
    }).observe(element);
    lists.forEach((list) => {
      const named = readAddress().get(`map-${list.dataset.map}`);
      if (named && [...list.options].some(({ value }) => value === named)) list.value = named;
    });
    watch("value", load);
    setMode(mode);
    element.dataset.ready = "true";
  };

  // components/js/choice_fields.js
  var isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);
  var readField = (field) => {
    if (field instanceof HTMLSelectElement) return [field.value];
    const boxes = findAll(field, "input");
    return boxes.filter((box) => box.checked).map((box) => box.value);
  };
  var writeField = (field, values) => {
    const plain = field.dataset.default;
    if (field instanceof HTMLSelectElement) {
      field.value = values[0];
      if (field.selectedIndex < 0) field.value = plain;
      return;
    }
    const boxes = findAll(field, "input");
    const isKnown = boxes.some((box) => values.includes(box.value));
    boxes.forEach((box) => {
      const isDefault = !isKnown && box.type === "radio" && box.value === plain;
      box.checked = values.includes(box.value) || isDefault;
    });
  };

  // components/error_analysis/selection_bar.js
  var PREFIX = "errors-";
  var CONDITIONS = "slice";
  var BETWEEN = ";";
  var addressName = (name) => name === CONDITIONS ? name : `${PREFIX}${name}`;
  var mount5 = ({ element, props, trigger, watch }) => {
    const fields = () => findAll(element, "[data-field]");
    let current = props.value || {};
    const conditions = () => (current[CONDITIONS]?.[0] || "").split(BETWEEN).filter(Boolean);
    const choicesWith = (written) => {
      const chosen = fields().map((field) => ({ field, values: readField(field) })).filter(({ field, values }) => values.length && !isSame(values, [field.dataset.default])).map(({ field, values }) => [field.dataset.field, values]);
      const once = [...new Set(written)];
      if (once.length) chosen.push([CONDITIONS, [once.join(BETWEEN)]]);
      return Object.fromEntries(chosen);
    };
    const show = () => fields().forEach(
      (field) => writeField(field, current[field.dataset.field] || [field.dataset.default])
    );
    const choose = (choices2) => {
      if (isSame(choices2, current)) return;
      const query = readAddress();
      const names = [...fields().map((field) => field.dataset.field), ...Object.keys(current)];
      [...names, CONDITIONS].forEach((name) => query.delete(addressName(name)));
      Object.entries(choices2).forEach(
        ([name, values]) => values.forEach((value) => query.append(addressName(name), value))
      );
      writeAddress(query);
      current = choices2;
      props.value = choices2;
      trigger("change");
    };
    element.addEventListener("change", (event) => {
      const added = closest(event, "select[data-add]");
      if (!(added instanceof HTMLSelectElement)) return choose(choicesWith(conditions()));
      const written = added.value;
      added.selectedIndex = 0;
      return choose(choicesWith([...conditions(), written].filter(Boolean)));
    });
    element.addEventListener("click", (event) => {
      const removed = closest(event, "[data-remove]");
      if (!removed) return;
      const place = findAll(element, "[data-remove]").indexOf(removed);
      choose(choicesWith(conditions().filter((_, number) => number !== place)));
    });
    document.addEventListener("hallascope:conditions", (event) => {
      if (element.isConnected) choose(choicesWith(event.detail.split(BETWEEN).filter(Boolean)));
    });
    document.addEventListener(RETURN, () => {
      if (!element.isConnected) return;
      const named = {};
      readAddress().forEach((value, name) => {
        const own = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
        if (name === CONDITIONS || own !== name) named[own] = [...named[own] || [], value];
      });
      if (isSame(named, current)) return;
      current = named;
      props.value = named;
      trigger("change");
    });
    watch("value", () => {
      if (isSame(props.value, current)) return;
      current = props.value || {};
      show();
    });
    watch("body", () => requestAnimationFrame(show));
    show();
    element.dataset.ready = "true";
  };

  // components/js/dialog.js
  var showDialog = (dialog, place) => {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => dialog.remove());
    place.append(dialog);
    dialog.showModal();
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

  // components/error_analysis/tag_dialog.js
  var RATER = "hallascope-rater";
  var MOST_DIGITS = 9;
  var countImages = (number) => number === 1 ? "1 image" : `${number.toLocaleString("en")} images`;
  var makePart = (title, about, content) => content.length ? make(
    "section",
    { class: "tag-part" },
    make("h3", {}, title, about ? make("span", { class: "soft" }, ` · ${about}`) : null),
    make("div", { class: "tag-buttons" }, ...content)
  ) : null;
  var openTags = async (server, evaluations, onDone) => {
    const reply = await ask(server, "read_tag_choices", { evaluations });
    if (reply.wrong) {
      onDone(reply.wrong);
      return;
    }
    const choices2 = reply;
    const message = make("p", { class: "message", role: "alert" });
    const field = make("input", {
      type: "text",
      maxlength: 40,
      autocomplete: "off",
      "aria-label": "Tag",
      placeholder: "A word or two, such as “extra fingers”"
    });
    const name = make("input", { type: "text", autocomplete: "name", maxlength: 80 });
    name.value = recall(RATER) || "";
    const subject = make(
      "select",
      { "aria-label": "What the tag is about" },
      make("option", { value: "" }, choices2.images === 1 ? "The image" : "Each image"),
      ...choices2.questions.map(([question]) => make("option", { value: question }, question))
    );
    const note = make("textarea", { rows: 2, maxlength: 1e3, "aria-label": "Note" });
    const readRater = () => {
      const rater = name.value.trim();
      remember(RATER, rater);
      return rater;
    };
    const change = async (tag, remove = false, question = subject.value) => {
      const request = { evaluations, tag, remove, question, rater: readRater() };
      const result = await ask(server, "change_tags", request);
      if (result.wrong) {
        message.textContent = result.wrong;
        field.focus();
        return;
      }
      dialog.close();
      const images = countImages(result.number);
      const kept = remove ? `“${tag}” removed from ${images}` : `“${result.tag}” added to ${images}`;
      onDone(kept);
    };
    const keepNote = async () => {
      const request = { evaluations, note: note.value, rater: readRater() };
      const result = await ask(server, "keep_note", request);
      if (result.wrong) {
        message.textContent = result.wrong;
        return;
      }
      dialog.close();
      onDone(note.value.trim() ? `note kept on ${countImages(result.number)}` : "note removed");
    };
    const makeTagButton = (tag, aside = "", meaning = "", digit) => make(
      "button",
      {
        type: "button",
        class: "tag-choice",
        title: meaning || null,
        "aria-keyshortcuts": digit ?? null,
        onclick: () => change(tag)
      },
      digit ? make("kbd", {}, digit) : null,
      tag,
      aside ? make("span", { class: "soft" }, aside) : null
    );
    const makeChip = (tag, aside, question = "") => make(
      "span",
      { class: "tag-chip" },
      make("span", {}, tag, aside ? make("span", { class: "soft" }, aside) : null),
      make(
        "button",
        {
          type: "button",
          "aria-label": `Remove the tag ${tag}`,
          onclick: () => change(tag, true, question)
        },
        "×"
      )
    );
    const latest = choices2.latest.slice(0, MOST_DIGITS);
    const ofQuestions = choices2.questions.flatMap(
      ([question, tags]) => tags.map((tag) => makeChip(tag, ` · ${question}`, question))
    );
    const ofImages = choices2.counts.map(
      ([tag, number]) => makeChip(tag, choices2.images > 1 ? ` · ${number}` : "")
    );
    const groups = choices2.groups.map(
      ({ group, source, tags }) => makePart(
        group,
        source,
        tags.map(({ tag, meaning }) => makeTagButton(tag, "", meaning))
      )
    );
    const form = make(
      "form",
      { class: "tag-form" },
      field,
      choices2.questions.length ? subject : null,
      make("button", { type: "submit", class: "keep" }, "Add the tag")
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void change(field.value);
    });
    const title = `Tag ${countImages(choices2.images)}`;
    const dialog = make(
      "dialog",
      { class: "evidence-dialog tag-dialog", "aria-label": title },
      make("h2", {}, title),
      form,
      message,
      makePart("Tags now", "", [...ofImages, ...ofQuestions]),
      makePart(
        "Last used",
        "press the digit",
        latest.map((tag, place) => makeTagButton(tag, "", "", place + 1))
      ),
      makePart(
        "Suggested",
        "from similar images",
        choices2.suggestions.map(
          ({ tag, images, compared }) => makeTagButton(tag, ` · ${images} of ${compared}`)
        )
      ),
      make(
        "details",
        { class: "tag-groups", open: latest.length === 0 },
        make("summary", {}, "Error types of the papers"),
        ...groups
      ),
      make(
        "section",
        { class: "tag-part" },
        make("h3", {}, "Note"),
        ...choices2.notes.map(
          ({ author, text }) => make("p", { class: "tag-note" }, author ? make("strong", {}, `${author}: `) : null, text)
        ),
        note,
        make(
          "button",
          { type: "button", class: "close", onclick: () => keepNote() },
          "Keep the note"
        )
      ),
      make("label", { class: "tag-name" }, make("span", {}, "Your name"), name),
      make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close")
    );
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const digit = Number(event.key);
      const isTyping = event.target === note || event.target === name || field.value !== "";
      if (isTyping || !digit || digit > latest.length) return;
      event.preventDefault();
      void change(latest[digit - 1]);
    });
    const own = choices2.notes.find(({ author }) => author === name.value.trim());
    note.value = own ? own.text : "";
    showDialog(dialog, document.querySelector("#tabs") ?? document.body);
    field.focus();
  };

  // components/error_analysis/image_details.js
  var CHUNK = 60;
  var DELAY = 40;
  var MOST_SIGNS = 12;
  var SIGN = 16;
  var SVG = document.createRange().createContextualFragment("<svg></svg>").firstElementChild.namespaceURI;
  var createDetails = (server, complain, onRead) => {
    const details = /* @__PURE__ */ new Map();
    const asked = /* @__PURE__ */ new Set();
    let wanted = [];
    let awaited = null;
    let timer = 0;
    const actOnAwaited = () => {
      const image = awaited && details.get(awaited.id);
      if (!awaited || image === void 0) return;
      const { act } = awaited;
      awaited = null;
      if (image) act(image);
    };
    const read = async (ids) => {
      ids.forEach((id) => asked.add(id));
      const reply = await ask(server, "read_images", { evaluations: ids });
      ids.forEach((id) => asked.delete(id));
      if (reply.wrong) {
        complain(reply.wrong);
        return;
      }
      ids.forEach((id) => details.set(id, null));
      const images = reply.images;
      images.forEach((image) => details.set(image.id, image));
      onRead(ids);
      actOnAwaited();
    };
    const readWanted = () => {
      const missing = wanted.filter((id) => !details.has(id) && !asked.has(id));
      for (let at = 0; at < missing.length; at += CHUNK) void read(missing.slice(at, at + CHUNK));
    };
    return {
      /** @param {number} id */
      get: (id) => details.get(id),
      /**
       * Act on an image, once it is read; a later call replaces an earlier one that waits.
       * @param {number} id
       * @param {(image: ImageDetails) => void} act
       */
      whenRead: (id, act) => {
        awaited = { id, act };
        actOnAwaited();
      },
      /**
       * Ask for what is in sight, once scrolling rests.
       * @param {number[]} ids
       */
      want: (ids) => {
        wanted = ids;
        clearTimeout(timer);
        timer = setTimeout(readWanted, DELAY);
      },
      /**
       * Forget what is known of these images, and ask again.
       * @param {number[]} ids
       */
      reload: (ids) => {
        ids.forEach((id) => details.delete(id));
        readWanted();
      }
    };
  };
  var drawStrip = (image, icons, changed = /* @__PURE__ */ new Set()) => {
    const answers = image.answers.slice(0, MOST_SIGNS);
    const strip = document.createElementNS(SVG, "svg");
    const box = `0 0 ${SIGN * Math.max(answers.length, 1)} ${SIGN + 4}`;
    strip.setAttribute("viewBox", box);
    strip.setAttribute("class", "cell-strip");
    strip.setAttribute("aria-hidden", "true");
    answers.forEach(([kind, word, question], place) => {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("transform", `translate(${SIGN * place} 0)`);
      const title = document.createElementNS(SVG, "title");
      title.textContent = `${question} · ${word}`;
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", icons[kind]);
      path.setAttribute("class", `sign-${kind}`);
      group.append(title, path);
      if (changed.has(question)) {
        const mark = document.createElementNS(SVG, "rect");
        Object.entries({
          x: 1,
          y: SIGN + 1,
          width: SIGN - 2,
          height: 2.5,
          class: "sign-changed"
        }).forEach(([name, value]) => mark.setAttribute(name, String(value)));
        group.append(mark);
      }
      strip.append(group);
    });
    return strip;
  };
  var makeThumbnail = (image) => image.src ? make("img", { src: image.src, alt: "", decoding: "async", draggable: "false" }) : make("span", { class: "cell-missing" }, "not kept here");
  var revealEvidence = (id) => {
    const viewer = document.getElementById(id);
    if (!viewer) return;
    const observer = new MutationObserver(() => {
      if (!viewer.querySelector(".exhibit")) return;
      observer.disconnect();
      const { top } = viewer.getBoundingClientRect();
      if (top > innerHeight * 0.6) scrollBy(0, top - innerHeight * 0.4);
    });
    observer.observe(viewer, { childList: true, subtree: true });
  };
  var revealCell = (cell) => {
    if (!cell) return;
    const { top, bottom } = cell.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) cell.scrollIntoView({ block: "nearest" });
  };

  // components/error_analysis/virtual_cells.js
  var MARGIN2 = 1;
  var scrollTo = (at, size, from, room) => {
    if (at < from) return at;
    return at + size > from + room ? at + size - room : from;
  };
  var mountVirtualCells = (viewport, { layout, makeCell, onRange }) => {
    const sheet = make("div", { class: "virtual-sheet", role: "presentation" });
    viewport.replaceChildren(sheet);
    const cells = /* @__PURE__ */ new Map();
    let shown = "";
    let isAwaited = false;
    const readPosition = () => {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = viewport;
      return { scrollTop, scrollLeft, clientHeight, clientWidth };
    };
    const rangeAt = ({ scrollTop, scrollLeft, clientHeight, clientWidth }) => {
      const { rows, columns, width, height } = layout();
      return {
        top: Math.max(0, Math.floor(scrollTop / height) - MARGIN2),
        bottom: Math.min(rows, Math.ceil((scrollTop + clientHeight) / height) + MARGIN2),
        left: Math.max(0, Math.floor(scrollLeft / width) - MARGIN2),
        right: Math.min(columns, Math.ceil((scrollLeft + clientWidth) / width) + MARGIN2)
      };
    };
    const update2 = (position = readPosition()) => {
      isAwaited = false;
      if (!position.clientWidth) return;
      const { rows, columns, width, height } = layout();
      const range = rangeAt(position);
      const state = JSON.stringify([range, rows, columns, width, height]);
      if (state === shown) return;
      shown = state;
      sheet.style.width = `${columns * width}px`;
      sheet.style.height = `${rows * height}px`;
      const wanted = /* @__PURE__ */ new Set();
      const fresh = document.createDocumentFragment();
      for (let row = range.top; row < range.bottom; row += 1) {
        for (let column = range.left; column < range.right; column += 1) {
          const name = `${row} ${column}`;
          wanted.add(name);
          if (!cells.has(name)) {
            const cell = makeCell(row, column);
            cells.set(name, cell);
            if (cell) {
              cell.style.cssText = `width:${width}px;height:${height}px;transform:translate(${column * width}px,${row * height}px)`;
              fresh.append(cell);
            }
          }
        }
      }
      cells.forEach((cell, name) => {
        if (wanted.has(name)) return;
        cell?.remove();
        cells.delete(name);
      });
      sheet.append(fresh);
      onRange?.(range);
    };
    const plan = () => {
      if (isAwaited) return;
      isAwaited = true;
      requestAnimationFrame(() => update2());
    };
    const renew = () => {
      cells.clear();
      sheet.replaceChildren();
      shown = "";
      update2();
    };
    const reveal2 = (row, column) => {
      const { width, height } = layout();
      const position = readPosition();
      const top = scrollTo(row * height, height, position.scrollTop, position.clientHeight);
      const left = scrollTo(column * width, width, position.scrollLeft, position.clientWidth);
      if (top !== position.scrollTop) viewport.scrollTop = top;
      if (left !== position.scrollLeft) viewport.scrollLeft = left;
      update2({ ...position, scrollTop: top, scrollLeft: left });
    };
    viewport.addEventListener("scroll", plan, { passive: true });
    return {
      renew,
      reveal: reveal2,
      update: update2,
      /**
       * @param {number} row
       * @param {number} column
       */
      cellAt: (row, column) => cells.get(`${row} ${column}`) ?? null
    };
  };

  // components/error_analysis/gallery.js
  var LEAST_WIDTH = 150;
  var BELOW = 66;
  var mount6 = ({ element, props, server, trigger, watch }) => {
    const root = element.querySelector(".gallery");
    const list = root.querySelector(".gallery-list");
    const title = root.querySelector(".gallery-title");
    const count = root.querySelector(".gallery-count");
    const clearButton = root.querySelector(".gallery-clear");
    const icons = JSON.parse(root.dataset.icons);
    let ids = [];
    const selected = /* @__PURE__ */ new Set();
    let active = 0;
    let anchor = 0;
    let opened = -1;
    const columns = () => Math.max(2, Math.floor(list.clientWidth / LEAST_WIDTH));
    const width = () => Math.max(1, Math.floor(list.clientWidth / columns()));
    const height = () => width() + BELOW;
    const optionId = (index) => `${element.id}-image-${index}`;
    const say = (words2) => {
      count.textContent = words2;
    };
    const showCount = () => {
      const images = ids.length === 1 ? "1 image" : `${ids.length.toLocaleString("en")} images`;
      say(selected.size ? `${images}, ${selected.size.toLocaleString("en")} selected` : images);
      clearButton.disabled = selected.size === 0;
    };
    const mark = (cell, index) => {
      cell.classList.toggle("active", index === active);
      cell.classList.toggle("opened", index === opened);
      cell.setAttribute("aria-selected", String(selected.has(ids[index])));
    };
    const fill = (cell, index) => {
      const image = details.get(ids[index]);
      if (image === void 0) return;
      if (image === null) {
        cell.replaceChildren(make("span", { class: "cell-missing" }, "not stored any more"));
        cell.setAttribute("aria-label", "An image that is not stored any more");
        return;
      }
      const tags = image.tags.length ? `Tags: ${image.tags.join(", ")}. ` : "";
      cell.setAttribute(
        "aria-label",
        `${image.model}, seed ${image.seed}: ${image.verdict}. ${tags}${image.prompt}`
      );
      cell.title = image.prompt;
      cell.replaceChildren(
        make("span", { class: "cell-frame" }, makeThumbnail(image)),
        drawStrip(image, icons),
        make(
          "span",
          { class: "cell-line" },
          make("span", { class: "cell-model" }, image.model),
          make("span", { class: "cell-score" }, image.score)
        ),
        make("span", { class: "cell-tags" }, image.tags.join(" · ")),
        make("span", { class: "cell-check", "data-check": true })
      );
    };
    const cells = mountVirtualCells(list, {
      layout: () => ({
        rows: Math.ceil(ids.length / columns()),
        columns: columns(),
        width: width(),
        height: height()
      }),
      makeCell: (row, column) => {
        const index = row * columns() + column;
        if (index >= ids.length) return null;
        const cell = make("div", {
          class: "gallery-cell",
          role: "option",
          id: optionId(index),
          "data-index": index,
          "aria-posinset": index + 1,
          "aria-setsize": ids.length
        });
        mark(cell, index);
        fill(cell, index);
        return cell;
      },
      onRange: ({ top, bottom }) => {
        details.want(ids.slice(top * columns(), bottom * columns()));
      }
    });
    const eachCell = (change) => list.querySelectorAll(".gallery-cell").forEach((cell) => {
      if (cell instanceof HTMLElement) change(cell, Number(cell.dataset.index));
    });
    const details = createDetails(server, say, (read) => {
      const known = new Set(read);
      eachCell((cell, index) => {
        if (known.has(ids[index])) fill(cell, index);
      });
    });
    const showMarks = () => {
      eachCell(mark);
      showCount();
    };
    const reveal2 = (index) => {
      active = Math.min(Math.max(index, 0), ids.length - 1);
      cells.reveal(Math.floor(active / columns()), active % columns());
      list.setAttribute("aria-activedescendant", optionId(active));
      eachCell(mark);
      revealCell(document.getElementById(optionId(active)));
    };
    const open = (index) => {
      details.whenRead(ids[index], ({ id, run, key }) => {
        if (ids[index] !== id) return;
        opened = index;
        eachCell(mark);
        revealEvidence(root.dataset.evidence);
        trigger("select", { run, key });
      });
    };
    const openNext = (step) => {
      reveal2(active + step);
      anchor = active;
      open(active);
    };
    const toggle = (index) => {
      const id = ids[index];
      if (!selected.delete(id)) selected.add(id);
      anchor = index;
      showMarks();
    };
    const selectTo = (index) => {
      const [first, last] = [Math.min(anchor, index), Math.max(anchor, index)];
      ids.slice(first, last + 1).forEach((id) => selected.add(id));
      showMarks();
    };
    const selectAll = () => {
      ids.forEach((id) => selected.add(id));
      showMarks();
    };
    const clear = () => {
      selected.clear();
      showMarks();
    };
    const openTagDialog = () => {
      if (!ids.length) return;
      const chosen = selected.size ? ids.filter((id) => selected.has(id)) : [ids[active]];
      void openTags(server, chosen, (words2) => {
        showCount();
        say(`${count.textContent} · ${words2}`);
        details.reload(chosen);
      });
    };
    const targetOf = (event) => {
      const page2 = columns() * Math.max(1, Math.floor(list.clientHeight / height()));
      const targets = {
        ArrowRight: active + 1,
        ArrowLeft: active - 1,
        ArrowDown: active + columns(),
        ArrowUp: active - columns(),
        PageDown: active + page2,
        PageUp: active - page2,
        Home: 0,
        End: ids.length - 1
      };
      return targets[event.key] ?? null;
    };
    list.addEventListener("keydown", (event) => {
      if (!ids.length || event.altKey) return;
      const isShortcut = event.ctrlKey || event.metaKey;
      const target = isShortcut ? null : targetOf(event);
      if (target !== null) {
        if (!event.shiftKey) anchor = Math.min(Math.max(target, 0), ids.length - 1);
        reveal2(target);
        if (event.shiftKey) selectTo(active);
      } else if (isShortcut && event.key.toLowerCase() === "a") selectAll();
      else if (isShortcut) return;
      else if (event.key.toLowerCase() === "t") openTagDialog();
      else if (event.key.toLowerCase() === "j") openNext(1);
      else if (event.key.toLowerCase() === "k") openNext(-1);
      else if (event.key === "Enter") open(active);
      else if (event.key === " ") toggle(active);
      else if (event.key === "Escape" && selected.size) clear();
      else return;
      event.preventDefault();
    });
    list.addEventListener("focus", () => {
      if (ids.length) list.setAttribute("aria-activedescendant", optionId(active));
    });
    list.addEventListener("click", (event) => {
      const cell = closest(event, ".gallery-cell");
      if (!cell) return;
      const index = Number(cell.dataset.index);
      active = index;
      list.setAttribute("aria-activedescendant", optionId(active));
      if (event.shiftKey) selectTo(index);
      else if (event.ctrlKey || event.metaKey || closest(event, "[data-check]")) toggle(index);
      else {
        anchor = index;
        open(index);
      }
      eachCell(mark);
    });
    root.querySelector(".gallery-tag").addEventListener("click", openTagDialog);
    root.querySelector(".gallery-all").addEventListener("click", selectAll);
    clearButton.addEventListener("click", clear);
    const show = (value) => {
      root.hidden = !value;
      if (!value) return;
      ids = value.evaluations;
      selected.clear();
      active = 0;
      anchor = 0;
      opened = -1;
      title.textContent = value.title;
      list.hidden = ids.length === 0;
      list.scrollTop = 0;
      list.removeAttribute("aria-activedescendant");
      showCount();
      cells.renew();
    };
    let widthBefore = 0;
    new ResizeObserver(() => {
      if (list.clientWidth === widthBefore) cells.update();
      else cells.renew();
      widthBefore = list.clientWidth;
    }).observe(list);
    watch("value", () => show(props.value));
    document.addEventListener("hallascope:images", ({ detail }) => {
      if (!element.isConnected || !element.closest(`#${CSS.escape(detail.gallery)}`)) return;
      const isOpen = opened >= 0;
      show(detail.evaluations.length ? detail : null);
      if (isOpen) trigger("change");
    });
    show(props.value);
  };

  // components/error_analysis/run_changes.js
  var mount7 = ({ element, trigger, watch }) => {
    let compared = { one: "", other: "" };
    const listOf = (field) => element.querySelector(`select[data-run="${field}"]`);
    const compare = (pair) => {
      compared = pair;
      trigger("submit", pair);
    };
    const restore = () => {
      const [address, one, other] = [readAddress(), listOf("one"), listOf("other")];
      if (!one || !other || element.querySelector("[data-compared]")) return;
      const pair = { one: address.get("first-run") ?? "", other: address.get("second-run") ?? "" };
      const choices2 = [...one.options].map(({ value }) => value);
      if (!choices2.includes(pair.one) || !choices2.includes(pair.other)) return;
      one.value = pair.one;
      other.value = pair.other;
      compare(pair);
    };
    element.addEventListener("click", (event) => {
      if (closest(event, "[data-compare]")) {
        const pair = { one: listOf("one").value, other: listOf("other").value };
        changeAddress({ "first-run": pair.one, "second-run": pair.other });
        compare(pair);
        return;
      }
      const changed = closest(event, "[data-changed]");
      if (changed) trigger("select", { ...compared, change: changed.dataset.changed });
    });
    watch("value", restore);
    restore();
  };

  // components/error_analysis/slice_table.js
  var mount8 = ({ element, trigger }) => {
    element.addEventListener("click", (event) => {
      const images = closest(event, "[data-slice-images]");
      if (images) {
        trigger("select", { conditions: images.dataset.sliceImages });
        return;
      }
      const filter = closest(event, "[data-slice-filter]");
      if (!filter || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const detail = filter.dataset.sliceFilter;
      document.dispatchEvent(new CustomEvent("hallascope:conditions", { detail }));
    });
  };

  // components/error_analysis/image_grid.js
  var SIZES = { least: 56, first: 128, most: 384 };
  var STEP2 = 1.25;
  var BELOW2 = 50;
  var COMPACT = 84;
  var STRIP = 26;
  var SCROLLBAR = 16;
  var BASELINE = "grid-baseline";
  var outcomeOf = (kind) => kind === "correct" ? 1 : 0;
  var findChanges = (before, after) => {
    const changed = /* @__PURE__ */ new Set();
    let better = 0;
    let worse = 0;
    if (!before || before.prompt !== after.prompt) return { changed, better, worse };
    const kinds = new Map(before.answers.map(([kind, , question]) => [question, kind]));
    after.answers.forEach(([kind, , question]) => {
      const was = kinds.get(question);
      if (was === void 0 || was === kind) return;
      changed.add(question);
      better += Number(outcomeOf(kind) > outcomeOf(was));
      worse += Number(outcomeOf(kind) < outcomeOf(was));
    });
    return { changed, better, worse };
  };
  var changeWords = ({ changed, better, worse }) => {
    const other = changed.size - better - worse;
    const parts2 = [
      better ? `${better} better` : "",
      worse ? `${worse} worse` : "",
      other ? `${other} changed` : ""
    ];
    return parts2.filter(Boolean).join(", ");
  };
  var mount9 = ({ element, props, server, trigger, watch }) => {
    const root = element.querySelector(".image-grid");
    const list = root.querySelector(".grid-cells");
    const frame = root.querySelector(".grid-frame");
    const columnNames = root.querySelector(".grid-columns > div");
    const rowNames = root.querySelector(".grid-rows > div");
    const status2 = root.querySelector(".gallery-count");
    const icons = JSON.parse(root.dataset.icons);
    const control = (name) => root.querySelector(`[data-grid=${name}]`);
    let grid = null;
    let places = /* @__PURE__ */ new Map();
    let size = SIZES.first;
    let row = 0;
    let column = 0;
    let opened = "";
    let baseline = -1;
    const isCompact = () => size < COMPACT;
    const layout = () => ({
      rows: grid ? grid.row_lines.length : 0,
      columns: grid ? grid.column_lines.length : 0,
      width: size + 8,
      height: size + (isCompact() ? STRIP : BELOW2)
    });
    const idsAt = (atRow, atColumn) => places.get(`${atRow} ${atColumn}`) ?? [];
    const cellId = (atRow, atColumn) => `${element.id}-${atRow}-${atColumn}`;
    const say = (words2) => {
      status2.textContent = words2;
    };
    const placeOf = (cell) => ({
      row: Number(cell.dataset.row),
      column: Number(cell.dataset.column)
    });
    const mark = (cell) => {
      const at = placeOf(cell);
      const isActive = at.row === row && at.column === column;
      cell.classList.toggle("active", isActive);
      cell.classList.toggle("baseline", at.column === baseline);
      cell.classList.toggle("opened", `${at.row} ${at.column}` === opened);
      cell.setAttribute("aria-selected", String(isActive));
    };
    const fill = (cell) => {
      const at = placeOf(cell);
      const ids = idsAt(at.row, at.column);
      const image = details.get(ids[0]);
      if (image === void 0) return;
      const rowTitle = grid.row_lines[at.row].title;
      const columnTitle = grid.column_lines[at.column].title;
      const where = `${rowTitle}, ${columnTitle}`;
      if (image === null) {
        cell.setAttribute("aria-label", `${where}: not stored any more`);
        cell.replaceChildren(make("span", { class: "cell-missing" }, "not stored any more"));
        return;
      }
      const [before] = baseline >= 0 && baseline !== at.column ? idsAt(at.row, baseline) : [];
      const changes = findChanges(details.get(before), image);
      const words2 = changeWords(changes);
      const several = ids.length > 1 ? `, one of ${ids.length} images` : "";
      const compared = words2 ? `, ${words2} than ${grid.column_lines[baseline].title}` : "";
      cell.setAttribute("aria-label", `${where}: ${image.verdict}${several}${compared}`);
      cell.title = `${image.prompt}
${image.model}, seed ${image.seed}`;
      cell.classList.toggle("changed", changes.changed.size > 0);
      const mood = changes.worse > changes.better ? "worse" : "better";
      const line = make(
        "span",
        { class: "cell-line" },
        make("span", { class: `cell-change ${mood}` }, words2),
        make("span", { class: "cell-score" }, image.score)
      );
      cell.replaceChildren(
        make("span", { class: "cell-frame" }, makeThumbnail(image)),
        drawStrip(image, icons, changes.changed),
        isCompact() ? "" : line,
        ids.length > 1 ? make("span", { class: "cell-number" }, ids.length) : ""
      );
    };
    const allCells = () => findAll(list, ".grid-cell");
    const names = /* @__PURE__ */ new Map();
    const makeColumnName = (at) => {
      const { width } = layout();
      const line = grid.column_lines[at];
      const name = make("div", { class: "grid-name", title: `${line.title}: ${line.about}` });
      name.classList.toggle("baseline", at === baseline);
      name.style.cssText = `width:${width}px;transform:translateX(${at * width}px)`;
      name.append(make("span", {}, line.title));
      return name;
    };
    const makeRowName = (at) => {
      const { height } = layout();
      const line = grid.row_lines[at];
      const name = make("div", { class: "grid-name", title: `${line.title}: ${line.about}` });
      name.style.cssText = `height:${height}px;transform:translateY(${at * height}px)`;
      name.append(make("span", {}, line.title));
      if (!isCompact()) name.append(make("span", { class: "soft" }, line.about));
      return name;
    };
    const showNames = (holder, kind, from, to, makeName) => {
      names.forEach((name, key) => {
        const [keyKind, at] = key.split(" ");
        if (keyKind !== kind || Number(at) >= from && Number(at) < to) return;
        name.remove();
        names.delete(key);
      });
      for (let at = from; at < to; at += 1) {
        const key = `${kind} ${at}`;
        if (!names.has(key)) {
          names.set(key, makeName(at));
          holder.append(names.get(key));
        }
      }
    };
    const scrollNames = () => {
      columnNames.style.transform = `translateX(${-list.scrollLeft}px)`;
      rowNames.style.transform = `translateY(${-list.scrollTop}px)`;
    };
    const cells = mountVirtualCells(list, {
      layout,
      makeCell: (atRow, atColumn) => {
        if (!idsAt(atRow, atColumn).length) return null;
        const cell = make("div", {
          class: "gallery-cell grid-cell",
          role: "option",
          id: cellId(atRow, atColumn),
          "data-row": atRow,
          "data-column": atColumn
        });
        mark(cell);
        fill(cell);
        return cell;
      },
      onRange: ({ top, bottom, left, right }) => {
        const { rows, height } = layout();
        frame.style.setProperty("--all-rows", `${rows * height + SCROLLBAR}px`);
        showNames(columnNames, "column", left, right, makeColumnName);
        showNames(rowNames, "row", top, bottom, makeRowName);
        const ids = [];
        for (let atRow = top; atRow < bottom; atRow += 1) {
          if (baseline >= 0) ids.push(...idsAt(atRow, baseline).slice(0, 1));
          for (let atColumn = left; atColumn < right; atColumn += 1) {
            ids.push(...idsAt(atRow, atColumn).slice(0, 1));
          }
        }
        details.want([...new Set(ids)]);
      }
    });
    const details = createDetails(server, say, () => allCells().forEach(fill));
    const renew = () => {
      names.clear();
      columnNames.replaceChildren();
      rowNames.replaceChildren();
      cells.renew();
    };
    const zoom = (factor, at = { x: list.clientWidth / 2, y: list.clientHeight / 2 }) => {
      const before = layout();
      const x = (list.scrollLeft + at.x) / before.width;
      const y = (list.scrollTop + at.y) / before.height;
      size = Math.round(Math.min(SIZES.most, Math.max(SIZES.least, size * factor)));
      const after = layout();
      renew();
      list.scrollLeft = x * after.width - at.x;
      list.scrollTop = y * after.height - at.y;
      cells.update();
      scrollNames();
    };
    const move = (down, right) => {
      const { rows, columns } = layout();
      let atRow = row + down;
      let atColumn = column + right;
      while (atRow >= 0 && atRow < rows && atColumn >= 0 && atColumn < columns) {
        if (idsAt(atRow, atColumn).length) {
          goTo(atRow, atColumn);
          return;
        }
        atRow += Math.sign(down);
        atColumn += Math.sign(right);
      }
    };
    const goTo = (atRow, atColumn) => {
      const before = cells.cellAt(row, column);
      row = atRow;
      column = atColumn;
      if (before) mark(before);
      cells.reveal(row, column);
      list.setAttribute("aria-activedescendant", cellId(row, column));
      const now = cells.cellAt(row, column);
      if (now) mark(now);
      revealCell(now);
    };
    const open = () => {
      const [atRow, atColumn] = [row, column];
      details.whenRead(idsAt(atRow, atColumn)[0], ({ id, run, key }) => {
        if (idsAt(atRow, atColumn)[0] !== id) return;
        opened = `${atRow} ${atColumn}`;
        allCells().forEach(mark);
        revealEvidence(root.dataset.evidence);
        trigger("select", { run, key });
      });
    };
    const tag = () => {
      const ids = idsAt(row, column).slice(0, 1);
      if (!ids.length) return;
      void openTags(server, ids, (words2) => {
        say(words2);
        details.reload(ids);
      });
    };
    const actions = {
      ArrowUp: () => move(-1, 0),
      ArrowDown: () => move(1, 0),
      ArrowLeft: () => move(0, -1),
      ArrowRight: () => move(0, 1),
      Home: () => goTo(row, 0),
      End: () => goTo(row, layout().columns - 1),
      PageUp: () => move(-Math.min(row, 5), 0),
      PageDown: () => move(Math.min(layout().rows - 1 - row, 5), 0),
      Enter: open,
      t: tag,
      "+": () => zoom(STEP2),
      "=": () => zoom(STEP2),
      "-": () => zoom(1 / STEP2),
      0: () => zoom(SIZES.first / size)
    };
    list.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !grid) return;
      const action = actions[event.key] ?? actions[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    });
    list.addEventListener(
      "wheel",
      (event) => {
        if (!(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        const { left, top } = list.getBoundingClientRect();
        const delta = Math.min(60, Math.max(-60, event.deltaY));
        zoom(Math.exp(-delta / 150), { x: event.clientX - left, y: event.clientY - top });
      },
      { passive: false }
    );
    list.addEventListener("scroll", scrollNames, { passive: true });
    list.addEventListener("focus", () => {
      if (grid) list.setAttribute("aria-activedescendant", cellId(row, column));
    });
    list.addEventListener("click", (event) => {
      const cell = closest(event, ".grid-cell");
      if (!cell) return;
      ({ row, column } = placeOf(cell));
      list.setAttribute("aria-activedescendant", cellId(row, column));
      open();
    });
    root.addEventListener("click", (event) => {
      const button3 = closest(event, "[data-grid-zoom]");
      if (button3 && grid) zoom(button3.dataset.gridZoom === "in" ? STEP2 : 1 / STEP2);
    });
    root.addEventListener("change", (event) => {
      const changed = closest(event, "[data-grid]");
      if (!changed || !grid) return;
      if (changed.dataset.grid === "baseline") {
        baseline = Number(control("baseline").value);
        const line = grid.column_lines[baseline];
        changeAddress({ [BASELINE]: line ? line.name : null });
        renew();
        return;
      }
      const choice = { rows: control("rows").value, columns: control("columns").value };
      if (choice.rows === choice.columns && changed.dataset.grid === "rows")
        choice.columns = grid.rows;
      else if (choice.rows === choice.columns) choice.rows = grid.columns;
      changeAddress({ "grid-rows": choice.rows, "grid-columns": choice.columns });
      trigger("submit", choice);
    });
    const showOptions = (select, options, chosen) => {
      select.replaceChildren(
        ...options.map(
          ({ name, title }) => make("option", { value: name, selected: name === chosen }, title)
        )
      );
    };
    const refresh = () => {
      grid = props.value;
      root.hidden = !grid;
      if (!grid) return;
      places = new Map(grid.cells.map(([atRow, atColumn, ids]) => [`${atRow} ${atColumn}`, ids]));
      const [first] = grid.cells;
      row = first ? first[0] : 0;
      column = first ? first[1] : 0;
      opened = "";
      const named = readAddress().get(BASELINE);
      baseline = named === null ? -1 : grid.column_lines.findIndex(({ name }) => name === named);
      showOptions(control("rows"), grid.axes, grid.rows);
      showOptions(control("columns"), grid.axes, grid.columns);
      const columns = grid.column_lines.map(({ title }, name) => ({ name, title }));
      showOptions(control("baseline"), [{ name: -1, title: "nothing" }, ...columns], baseline);
      say(grid.words);
      list.scrollTo(0, 0);
      list.removeAttribute("aria-activedescendant");
      renew();
      scrollNames();
    };
    new ResizeObserver(() => {
      if (grid) cells.update();
    }).observe(list);
    watch("value", refresh);
    refresh();
  };

  // components/evidence/dialogs.js
  var RATER2 = "hallascope-rater";
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
    field.value = recall(RATER2) || onPeopleTab?.value || "";
    return field;
  };
  var makeLabel = (words2, field) => make("label", {}, make("span", {}, words2), field);
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
      remember(RATER2, rater);
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
    const choices2 = findAll(card, ".choice").map((choice) => {
      const mark = choice.querySelector(".letter").textContent;
      const words2 = choice.querySelector(".letter").nextSibling.textContent.trim();
      const isJudges = choice.classList.contains("answered");
      return makeChoice(mark, words2, isJudges ? "the judge is right" : "the judge is wrong", keep);
    });
    const untold = makeChoice("?", "Cannot be told", "", keep);
    const dialog = openDialog(
      "Your verdict",
      make("p", { class: "question-text" }, card.querySelector(".lead-button").textContent),
      makeLabel("Your name", name),
      make("p", { class: "soft" }, "What does the image show?"),
      make("ul", { class: "verdict-choices" }, ...choices2, untold),
      message
    );
    const [first] = findAll(dialog, ".verdict-choices button");
    (name.value ? first : name).focus();
  };
  var makeChoice = (mark, words2, outcome, keep) => {
    const aside = outcome ? make("span", { class: "soft" }, ` · ${outcome}`) : null;
    return make(
      "li",
      {},
      make("button", { type: "button", onclick: () => keep(mark) }, words2, aside)
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
      const request = { ...image, tag: field.value, rater: recall(RATER2) || "" };
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
      const button3 = rows[next].querySelector(".lead-button");
      button3.focus({ preventScroll: true });
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
      const button3 = element.querySelector(".add-tag");
      button3.focus();
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

  // components/js/zoom.js
  var MOST = 8;
  var STEP3 = 1.5;
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
      findAll(element, '[data-zoom="fit"]').forEach((button3) => {
        button3.textContent = `${Math.round(view.scale * 100)} %`;
      });
      const disabled = { in: view.scale === MOST, out: fits, fit: fits };
      findAll(element, "[data-zoom]").forEach((button3) => {
        const action = (
          /** @type {keyof typeof disabled} */
          button3.dataset.zoom
        );
        button3.setAttribute("aria-disabled", String(disabled[action]));
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
    const zoomIn = () => zoomAt(STEP3);
    const zoomOut = () => zoomAt(1 / STEP3);
    const reveal2 = (mark) => {
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
        const button3 = closest(event, "[data-zoom]");
        if (button3) actions[
          /** @type {keyof typeof actions} */
          button3.dataset.zoom
        ]();
      },
      true
    );
    return { fit, reveal: reveal2, show };
  };

  // components/evidence/viewer.js
  var LAYERS = "hallascope-shown";
  var STEPS2 = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
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
      buttons.forEach((button3) => exhibit.groups.set(button3, buttons));
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
    const words2 = hint && (row ? row.dataset.said : hint.dataset.idle);
    if (hint && hint.textContent !== words2) hint.textContent = words2;
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
  var mount10 = ({ element, trigger, watch, server }) => {
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
    const submitVerdict = (button3) => {
      const exhibit = exhibitAt(button3);
      const node = button3.closest("[data-keys]");
      const metric = button3.closest("[data-metric]");
      const on = button3.getAttribute("aria-pressed") !== "true";
      const { said, taken, verdict } = button3.dataset;
      button3.setAttribute("aria-pressed", String(on));
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
      findAll(element, "[data-show]").forEach((button3) => {
        button3.setAttribute("aria-pressed", String(layers.includes(button3.dataset.show)));
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
      const group = isRow ? buttons.filter((button3) => button3.checkVisibility()) : buttons;
      if (!isRow && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        press(exhibit, itemAt(event).item);
        return;
      }
      const step = STEPS2[
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
      group.forEach((button3) => {
        button3.tabIndex = button3 === item.button ? 0 : -1;
      });
    });
    element.addEventListener("mouseleave", () => point());
    element.addEventListener("focusout", () => point());
    const refresh = () => {
      showTruth();
      const nameOf = (exhibit) => `${exhibit.run} ${exhibit.key}`;
      const chosenIn3 = (exhibit) => exhibit.isSuggested ? null : exhibit.chosen;
      const before = new Map(exhibits.map((exhibit) => [nameOf(exhibit), chosenIn3(exhibit)]));
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
        say: (words2) => {
          const hint = exhibits[0].root.querySelector(".hint");
          if (hint) hint.textContent = words2;
        }
      }
    );
  };

  // components/html/fields/file_button.js
  var chosenIn = (picker) => {
    const input = picker ? document.querySelector(`#${picker} input:checked`) : null;
    return input ? input.value : "";
  };
  var contentOf = (file) => file.base64 ? Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0)) : file.text;
  var mount11 = ({ element, server }) => {
    element.addEventListener("click", async (event) => {
      const button3 = closest(event, "button");
      if (!button3) return;
      const message = element.querySelector(".export-wrong");
      message.textContent = "";
      const file = await ask(server, "export_file", {
        chosen: chosenIn(button3.dataset.picker ?? "")
      });
      if (file.wrong) message.textContent = file.wrong;
      else saveFile(file.name, contentOf(file), file.kind);
    });
  };

  // components/judges/judges.js
  var mount12 = ({ element, trigger, watch }) => {
    const buttons = () => findAll(element, "button[data-judge]");
    let reported = null;
    const refresh = () => {
      const judge = readAddress().get("judge");
      buttons().forEach((button3) => {
        const on = button3.dataset.judge === judge;
        button3.setAttribute("aria-pressed", String(on));
        button3.closest("tr").classList.toggle("chosen", on);
      });
      const state = `${judge} ${element.textContent.length}`;
      if (!judge || !buttons().length || state === reported) return;
      reported = state;
      trigger("select", { judge });
    };
    element.addEventListener("click", (event) => {
      const offer = closest(event, "button[data-try]");
      if (offer) {
        changeAddress({ judge: offer.dataset.try });
        refresh();
        trigger("submit", { judge: offer.dataset.try });
        document.querySelector("#judges-status")?.scrollIntoView({ block: "center" });
        return;
      }
      const button3 = closest(event, "button[data-judge]");
      if (!button3) return;
      changeAddress({ judge: button3.dataset.judge });
      refresh();
    });
    element.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const focused = buttons().findIndex((button3) => button3 === document.activeElement);
      const next = step && focused >= 0 && buttons()[focused + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    document.addEventListener("hallascope:judge", refresh);
    watch("value", refresh);
    refresh();
  };

  // components/leaderboard/board_address.js
  var PREFIX2 = "board-";
  var PICKS = ["model", "group", "page", "prompt", "picture"];

  // components/leaderboard/drilldown.js
  var pickOf = (button3) => JSON.parse(button3.dataset.pick);
  var readPicks = () => {
    const query = readAddress();
    const names = PICKS.filter((name) => query.has(PREFIX2 + name));
    return Object.fromEntries(names.map((name) => [name, query.get(PREFIX2 + name)]));
  };
  var readChoices = () => {
    const query = readAddress();
    const names = [...new Set(query.keys())].filter((name) => name.startsWith(PREFIX2)).map((name) => name.slice(PREFIX2.length));
    const chosen = names.filter((name) => !PICKS.includes(name));
    return Object.fromEntries(chosen.map((name) => [name, query.getAll(PREFIX2 + name)]));
  };
  var isPicked = (button3) => {
    const picks = readPicks();
    return Object.entries(pickOf(button3)).every(([name, value]) => picks[name] === String(value));
  };
  var isSearch = (target) => target instanceof HTMLInputElement && target.type === "search";
  var keepSearch = (element) => {
    let words2 = "";
    let isTyping = false;
    const filter = () => {
      const wanted = words2.toLowerCase().split(/\s+/).filter(Boolean);
      findAll(element, "tbody tr").forEach((row) => {
        row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
      });
    };
    element.addEventListener("input", ({ target }) => {
      if (!isSearch(target)) return;
      words2 = target.value;
      filter();
    });
    element.addEventListener("focusin", ({ target }) => {
      isTyping = isSearch(target);
    });
    element.addEventListener("focusout", ({ target }) => {
      if (target instanceof Node && target.isConnected) isTyping = false;
    });
    return () => {
      const field = element.querySelector("input[type=search]");
      if (!(field instanceof HTMLInputElement) || !words2) return;
      field.value = words2;
      filter();
      if (isTyping && document.activeElement === document.body) field.focus();
    };
  };
  var mount13 = ({ element, trigger, watch }) => {
    const restoreSearch = keepSearch(element);
    const buttons = () => findAll(element, "[data-pick]");
    let reported = null;
    const show = () => buttons().forEach((button3) => {
      const on = isPicked(button3);
      button3.setAttribute("aria-pressed", String(on));
      const line = button3.closest("tr, li");
      if (line) line.classList.toggle("chosen", on);
    });
    const state = () => `${JSON.stringify(readPicks())} ${element.textContent.length}`;
    const report = (event) => {
      reported = state();
      trigger(event, { ...readPicks(), choices: readChoices() });
    };
    const refresh = () => {
      restoreSearch();
      show();
      if (buttons().some((button3) => !button3.dataset.event && isPicked(button3))) {
        if (reported !== state()) report("select");
      } else if (reported) {
        reported = null;
        trigger("select", {});
      }
    };
    element.addEventListener("click", (event) => {
      const button3 = closest(event, "[data-pick]");
      if (!button3) return;
      const query = readAddress();
      const keeps = JSON.parse(button3.dataset.keeps || "[]");
      PICKS.filter((name) => !keeps.includes(name)).forEach((name) => query.delete(PREFIX2 + name));
      Object.entries(pickOf(button3)).forEach(
        ([name, value]) => query.set(PREFIX2 + name, String(value))
      );
      writeAddress(query);
      show();
      report(button3.dataset.event || "select");
    });
    document.addEventListener("hallascope:bar", ({ detail: { model, group } }) => {
      const bar = JSON.stringify({ model, group });
      buttons().find((button3) => JSON.stringify(pickOf(button3)) === bar)?.click();
    });
    document.addEventListener("hallascope:board", refresh);
    watch("value", refresh);
    refresh();
  };

  // components/leaderboard/figure_clicks.js
  var fitWidth = (figure) => {
    const scrolls = (figure.data || []).some(({ type }) => type !== "scatterpolar");
    const box = figure.closest("#board-figure");
    const leastWidth = figure.layout?.meta?.leastWidth;
    const width = leastWidth ? `${leastWidth}px` : "";
    const isSame2 = box.style.getPropertyValue("--least-width") === width;
    if (isSame2 && box.classList.contains("fits") === !scrolls) return;
    box.style.setProperty("--least-width", width);
    box.classList.toggle("fits", !scrolls);
    window.dispatchEvent(new Event("resize"));
  };
  var announceBar = ({ points }) => {
    const [model, group] = points[0].customdata || [];
    if (model === void 0) return;
    document.dispatchEvent(new CustomEvent("hallascope:bar", { detail: { model, group } }));
  };
  var announceRadarClicks = (figure) => {
    let hovered = null;
    figure.on("plotly_hover", (event) => {
      hovered = event;
    });
    figure.on("plotly_unhover", () => {
      hovered = null;
    });
    figure.addEventListener("click", () => {
      const isRadar = (figure.data || []).some(({ type }) => type === "scatterpolar");
      if (isRadar && hovered) announceBar(hovered);
    });
  };
  var mount14 = ({ element, watch }) => {
    const attach = (figure) => {
      const words2 = findAll(element, "p").map((paragraph) => paragraph.textContent.trim()).join(" ");
      if (figure.getAttribute("aria-label") !== words2) {
        figure.setAttribute("role", "img");
        figure.setAttribute("aria-label", words2);
      }
      fitWidth(figure);
      if (figure.dataset.heard || !figure.on) return;
      figure.dataset.heard = "true";
      figure.on("plotly_click", announceBar);
      announceRadarClicks(figure);
    };
    const attachAll = () => findAll(document, "#board-figure .js-plotly-plot").forEach(attach);
    new MutationObserver(attachAll).observe(document.body, { childList: true, subtree: true });
    watch("value", attachAll);
    attachAll();
  };

  // components/leaderboard/leaderboard_controls.js
  var DISPLAY_ONLY = ["view", "published", "corrected", "plan", "one", "other"];
  var haveSameBars = (before, after) => {
    const isSplit = [before, after].map(({ view }) => isSame(view, ["apart"]));
    const names = Object.keys({ ...before, ...after });
    const counted = names.filter((name) => !DISPLAY_ONLY.includes(name));
    return isSplit[0] === isSplit[1] && counted.every((name) => isSame(before[name], after[name]));
  };
  var mount15 = ({ element, props, trigger, watch }) => {
    const fields = () => findAll(element, "[data-field]");
    let current = props.value || {};
    const readFields = () => Object.fromEntries(
      fields().map((field) => ({ field, values: readField(field) })).filter(
        ({ field, values }) => values.length && ("kept" in field.dataset || !isSame(values, [field.dataset.default]))
      ).map(({ field, values }) => [field.dataset.field, values])
    );
    const withKept = () => {
      const kept = fields().filter((field) => "kept" in field.dataset);
      const defaults = kept.map((field) => [field.dataset.field, [field.dataset.default]]);
      return { ...Object.fromEntries(defaults), ...current };
    };
    const show = () => fields().forEach(
      (field) => writeField(field, current[field.dataset.field] || [field.dataset.default])
    );
    const writeChoices = (choices2) => {
      const query = readAddress();
      const replaced = [...fields().map((field) => field.dataset.field), ...Object.keys(current)];
      if (!haveSameBars(withKept(), choices2)) replaced.push(...PICKS);
      replaced.forEach((name) => query.delete(PREFIX2 + name));
      Object.entries(choices2).forEach(
        ([name, values]) => values.forEach((value) => query.append(PREFIX2 + name, value))
      );
      writeAddress(query);
      document.dispatchEvent(new CustomEvent("hallascope:board"));
    };
    element.addEventListener("change", () => {
      const choices2 = readFields();
      if (isSame(choices2, current)) return;
      writeChoices(choices2);
      current = choices2;
      props.value = choices2;
      trigger("change");
    });
    watch("value", () => {
      if (isSame(props.value, current)) return;
      current = props.value || {};
      show();
    });
    watch("body", () => requestAnimationFrame(show));
    show();
    element.dataset.ready = "true";
  };

  // components/leaderboard/scatter_hover.js
  var mount16 = ({ element }) => {
    const box = element.querySelector(".hovered");
    const image = box.querySelector("img");
    const show = ({ points, event }) => {
      const [{ customdata, x, y }] = points;
      const [name, picture] = customdata || [];
      if (name === void 0) return;
      const shortName = /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name;
      image.hidden = !picture;
      if (picture) image.src = picture;
      image.alt = picture ? `The image ${name.slice(0, 12)}` : "";
      box.querySelector("p").textContent = `${shortName}: ${x.toFixed(3)} by the metric, ${y.toFixed(2)} by people`;
      box.hidden = false;
      const left = Math.min(event.clientX + 18, innerWidth - box.offsetWidth - 8);
      const top = Math.min(event.clientY + 18, innerHeight - box.offsetHeight - 8);
      box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
    };
    const hide = () => {
      box.hidden = true;
    };
    const attach = (figure) => {
      if (figure.dataset.heard || !figure.on) return;
      figure.dataset.heard = "true";
      figure.on("plotly_hover", show);
      figure.on("plotly_unhover", hide);
    };
    const attachAll = () => findAll(document, "#agreement-figure .js-plotly-plot").forEach(attach);
    new MutationObserver(attachAll).observe(document.body, { childList: true, subtree: true });
    attachAll();
  };

  // components/models/pickers.js
  var choices = /* @__PURE__ */ new Map();
  var sharedRole = (element) => {
    const row = element.querySelector("[data-shared]");
    return row?.dataset.shared ?? "";
  };
  var adopt = (row, value) => {
    const boxes = findAll(row, "input");
    const box = boxes.find((input) => input.value === value);
    if (!box || box.disabled || box.checked) return;
    box.checked = true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };
  var share = (element, role, value) => {
    choices.set(role, value);
    for (const row of document.querySelectorAll(`[data-shared="${role}"]`))
      if (!element.contains(row)) adopt(row, value);
  };
  var mount17 = ({ element, props, trigger, watch }) => {
    const boxes = () => findAll(element, "input");
    const chosen = () => boxes().filter((box) => box.checked).map((box) => box.value);
    const isShown2 = () => JSON.stringify(chosen()) === JSON.stringify(props.value);
    const known = () => Array.isArray(props.value) ? props.value : [];
    const show = () => {
      const value = known();
      boxes().forEach((box) => {
        box.checked = value.includes(box.value);
      });
    };
    const sent = [];
    const send = () => {
      if (isShown2()) return;
      sent.push(JSON.stringify(chosen()));
      props.value = chosen();
      trigger("change");
    };
    const shareChoice = (box) => {
      const role = sharedRole(element);
      if (role && box.type === "radio") share(element, role, box.value);
    };
    element.addEventListener("change", (event) => {
      send();
      if (event.isTrusted) shareChoice(
        /** @type {HTMLInputElement} */
        event.target
      );
    });
    watch("value", () => {
      const echo = sent.indexOf(JSON.stringify(props.value));
      if (echo < 0) {
        choices.delete(sharedRole(element));
        show();
        return;
      }
      sent.splice(0, echo + 1);
      if (!isShown2()) props.value = chosen();
    });
    watch(
      "body",
      () => requestAnimationFrame(() => {
        const marked = boxes().filter((box) => box.defaultChecked);
        const value = known();
        const isLost = marked.some((box) => !value.includes(box.value));
        if (isLost && !sent.length) {
          props.value = marked.map((box) => box.value);
          trigger("change");
        }
        show();
      })
    );
    const early = boxes().filter((box) => box.checked !== box.defaultChecked);
    if (early.length) {
      send();
      early.filter((box) => box.checked).forEach(shareChoice);
    } else show();
    const earlier = choices.get(sharedRole(element));
    if (earlier !== void 0) adopt(element, earlier);
    element.dataset.ready = "true";
  };

  // components/teach/concept_dialog.js
  var wordsOf = ({ name, prompt, domain }) => `${name} ${prompt} ${domain}`.toLowerCase();
  var openConcepts = (place, concepts, current, choose, title = "Choose what to break") => {
    const take = (name) => {
      dialog.close();
      choose(name);
    };
    const tiles = concepts.map((concept) => ({
      words: wordsOf(concept),
      name: concept.name,
      node: make(
        "li",
        {},
        make(
          "button",
          {
            type: "button",
            "aria-current": concept.name === current ? "true" : false,
            onclick: () => take(concept.name)
          },
          make("img", { src: concept.image, alt: "", width: 112, height: 112 }),
          make("span", {}, concept.name)
        )
      )
    }));
    const none = make("p", { class: "none soft", role: "status" });
    const search = make("input", { type: "search", "aria-label": "Search the concepts" });
    search.placeholder = "Search: penguin, food, tower …";
    const shown = () => tiles.filter(({ node }) => !node.hidden);
    const filter = () => {
      const sought = search.value.trim().toLowerCase();
      tiles.forEach(({ node, words: words2 }) => {
        node.hidden = !words2.includes(sought);
      });
      const text = `No concept is called “${search.value}”. Clear the search to see all.`;
      none.replaceChildren(shown().length ? "" : text);
    };
    search.addEventListener("input", filter);
    search.addEventListener("keydown", (event) => {
      const [first] = shown();
      if (event.key !== "Enter" || !first) return;
      event.preventDefault();
      take(first.name);
    });
    const dialog = make(
      "dialog",
      { class: "concepts", "aria-label": title },
      make(
        "div",
        { class: "concepts-head" },
        make("h2", {}, title),
        search,
        make("button", { type: "button", onclick: () => dialog.close() }, "Close")
      ),
      none,
      make("ul", { class: "concept-tiles" }, ...tiles.map(({ node }) => node))
    );
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => dialog.remove());
    place.replaceChildren(dialog);
    dialog.showModal();
    search.focus();
  };

  // components/models/prompt_help.js
  var byQuery = (selector) => {
    const found = document.querySelector(selector);
    return found;
  };
  var reveal = (selector) => {
    const found = byQuery(selector);
    found?.scrollIntoView({ block: "center" });
    return found;
  };
  var openKeys2 = () => {
    const panel = reveal("#terms");
    const label = panel?.querySelector("button.label-wrap");
    if (label && !label.classList.contains("open")) label.click();
    focusWhenShown("#terms input, #terms textarea", 300);
  };
  var focusWhenShown = (selector, frames) => {
    const field = byQuery(selector);
    if (field?.checkVisibility()) field.focus();
    else if (frames) requestAnimationFrame(() => focusWhenShown(selector, frames - 1));
  };
  var openUpload = () => {
    const toggle = byQuery(".settings-toggle");
    if (toggle?.getAttribute("aria-expanded") === "false") toggle.click();
    const upload = reveal("#upload");
    const button3 = upload?.querySelector("button");
    button3?.focus();
    button3?.click();
  };
  var pressWhenEnabled = (button3) => {
    if (!(button3 instanceof HTMLButtonElement)) return;
    if (!button3.disabled) {
      button3.click();
      return;
    }
    document.getElementById("stop")?.click();
    const observer = new MutationObserver(() => {
      if (button3.disabled) return;
      observer.disconnect();
      button3.click();
    });
    observer.observe(button3, { attributes: true, attributeFilter: ["disabled"] });
  };
  var mount18 = ({ element, props, server }) => {
    const run = (prompt) => {
      const { target, starts } = props;
      const box = document.querySelector(`#${target} input, #${target} textarea`);
      if (!box) return;
      box.value = prompt;
      box.dispatchEvent(new Event("input", { bubbles: true }));
      requestAnimationFrame(() => pressWhenEnabled(document.getElementById(starts)));
    };
    const browse = async () => {
      const reply = await ask(server, "browse", {});
      const place = element.querySelector(".dialog-place");
      if (!place) return;
      if (reply.wrong) {
        place.replaceChildren(reply.wrong);
        return;
      }
      const { concepts } = reply;
      const choose = (name) => run(concepts.find((concept) => concept.name === name).prompt);
      openConcepts(place, concepts, "", choose, "Choose a concept");
    };
    const actions = {
      browse,
      keys: openKeys2,
      login: () => reveal("#login")?.click(),
      upload: openUpload
    };
    element.addEventListener("click", (event) => {
      const suggestion = closest(event, "button[data-prompt]");
      if (suggestion) run(suggestion.dataset.prompt);
      const button3 = closest(event, "button[data-action]");
      if (button3) actions[button3.dataset.action]?.();
    });
  };

  // components/models/settings_line.js
  var mount19 = ({ element, watch }) => {
    let isOpen = false;
    const show = () => {
      const button3 = element.querySelector(".settings-toggle");
      if (!button3) return;
      button3.setAttribute("aria-expanded", String(isOpen));
      document.getElementById(button3.getAttribute("aria-controls"))?.classList.toggle("unfolded", isOpen);
    };
    element.addEventListener("click", (event) => {
      if (!closest(event, ".settings-toggle")) return;
      isOpen = !isOpen;
      show();
    });
    watch("value", show);
    show();
  };

  // components/models/prompts.js
  var MOST2 = 8;
  var mount20 = ({ element }) => {
    const root = element.querySelector("[data-target]");
    const list = root.querySelector("[role=listbox]");
    const options = (
      /** @type {HTMLElement[]} */
      [...list.children]
    );
    let active = -1;
    let box = null;
    const shownOptions = () => options.filter((option) => !option.hidden);
    const close = () => {
      list.hidden = true;
      active = -1;
      if (!box) return;
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-activedescendant");
    };
    const take = (item) => {
      box.value = item.dataset.prompt;
      box.dispatchEvent(new Event("input", { bubbles: true }));
      close();
    };
    const start = () => {
      const { starts } = root.dataset;
      if (!starts) return;
      requestAnimationFrame(() => document.getElementById(starts)?.click());
    };
    const activate = (index) => {
      const shown = shownOptions();
      active = shown.length ? (index + shown.length) % shown.length : -1;
      options.forEach((option) => option.setAttribute("aria-selected", "false"));
      if (active < 0) return;
      shown[active].setAttribute("aria-selected", "true");
      shown[active].scrollIntoView({ block: "nearest" });
      box.setAttribute("aria-activedescendant", shown[active].id);
    };
    const open = () => {
      const typed = box.value.trim().toLowerCase();
      const completes = (prompt) => prompt !== typed && [prompt, ...prompt.split(" ")].some((words2) => words2.startsWith(typed));
      const matches = options.filter((option) => typed.length > 1 && completes(option.dataset.prompt.toLowerCase())).slice(0, MOST2);
      options.forEach((option) => {
        option.hidden = !matches.includes(option);
      });
      active = -1;
      list.hidden = matches.length === 0;
      box.setAttribute("aria-expanded", String(!list.hidden));
    };
    const steer = (event) => {
      if (list.hidden) return;
      if (event.key === "ArrowDown") {
        event.preventDefault();
        activate(active + 1);
      } else if (event.key === "ArrowUp") {
        event.preventDefault();
        activate(active < 0 ? -1 : active - 1);
      } else if (event.key === "Enter" && active >= 0) {
        event.preventDefault();
        event.stopImmediatePropagation();
        take(shownOptions()[active]);
      } else if (event.key === "Escape" || event.key === "Enter") {
        close();
      }
    };
    const attach = () => {
      const { target } = root.dataset;
      box = document.querySelector(`#${target} input, #${target} textarea`);
      if (!box) return false;
      box.setAttribute("role", "combobox");
      box.setAttribute("aria-autocomplete", "list");
      box.setAttribute("aria-controls", list.id);
      box.setAttribute("aria-expanded", "false");
      box.setAttribute("autocomplete", "off");
      box.addEventListener("input", (event) => {
        if (event.isTrusted) open();
      });
      box.addEventListener("blur", () => setTimeout(close, 150));
      box.addEventListener("keydown", steer, true);
      return true;
    };
    const observer = new MutationObserver(() => {
      if (attach()) observer.disconnect();
    });
    if (!attach()) observer.observe(document.body, { childList: true, subtree: true });
    element.addEventListener("mousedown", (event) => {
      const option = closest(event, "[role=option]");
      if (!option) return;
      event.preventDefault();
      take(option);
    });
    element.addEventListener("click", (event) => {
      const button3 = closest(event, "button[data-prompt]");
      if (!button3 || !box) return;
      take(button3);
      start();
    });
  };

  // components/people/labelling_keys.js
  var COMMANDS = {
    arrowleft: "previous",
    p: "previous",
    arrowright: "next",
    n: "next",
    arrowup: "up",
    arrowdown: "down",
    f: "unfinished",
    s: "skip",
    0: "skip",
    u: "undo",
    backspace: "undo",
    "?": "help"
  };
  var readCommand = (event) => COMMANDS[readDigit(event) || event.key.toLowerCase()] || null;
  var readChoice = (event) => (Number(readDigit(event)) || 0) - 1;
  var readDigit = (event) => {
    if (/^[0-9]$/.test(event.key)) return event.key;
    const place = /^Digit([0-9])$/.exec(event.code);
    return place && !event.shiftKey ? place[1] : "";
  };
  var makeKeyHelp = (choices2, isQueue) => {
    const lines = [
      [["1", String(choices2)], "to", "Answer the marked question"],
      isQueue ? [["S", "0"], "or", "Skip the image"] : [["F"], "", "Open the next unfinished image"],
      [["U", "Backspace"], "or", "Take back the last answer"],
      [["←", "→"], "and", "Open the previous or the next image"],
      [["↑", "↓"], "and", "Mark the question above or below"],
      [["?"], "", "Show or hide this list"]
    ];
    const terms = lines.map(
      ([keys, between, meaning]) => make(
        "div",
        {},
        make("dt", {}, ...makeKeys([...keys], String(between))),
        make("dd", {}, String(meaning))
      )
    );
    return make(
      "details",
      { class: "keys" },
      make("summary", {}, "Keys", make("kbd", { "aria-hidden": "true" }, "?")),
      make("dl", {}, ...terms)
    );
  };
  var makeKeys = (keys, between) => keys.flatMap((key, index) => [index ? ` ${between} ` : "", make("kbd", {}, key)]);

  // components/people/labelling.js
  var CANNOT_TELL = "Cannot be told";
  var ALL_DONE = "All images are labeled.";
  var activeDesk = null;
  var TYPING2 = "textarea, select, [contenteditable], input:not([type=radio])";
  var mount21 = ({ element, props, server, watch }) => {
    const usualMarks = props.marks;
    const root = element.querySelector(".desk");
    let work = null;
    let arrived = "";
    let current = 0;
    let sending = Promise.resolve();
    const unsaved = /* @__PURE__ */ new Set();
    let changes = [];
    const removed = /* @__PURE__ */ new Map();
    let preloaded = /* @__PURE__ */ new Map();
    let isWaiting = false;
    const find = (selector) => root.querySelector(selector);
    const fields = () => findAll(root, ".asks");
    const isFinished = (position) => work.answers[position].every((mark) => mark !== null);
    const say = (words2, isWrong = false) => {
      find(".told").replaceChildren(words2);
      find(".told").classList.toggle("wrong", isWrong);
    };
    const send = async (position) => {
      const answers = [...work.answers[position]];
      const taken = [...removed.get(position) || []];
      const request = { id: work.items[position].id, answers, removed: taken, who: work.who };
      const reply = await ask(server, "save", request);
      if (reply.wrong) {
        say(`Not saved: ${reply.wrong} It is tried again with the next answer.`, true);
        return;
      }
      taken.forEach((question) => removed.get(position).delete(question));
      if (JSON.stringify(answers) === JSON.stringify(work.answers[position])) {
        unsaved.delete(position);
      }
      if (!unsaved.size) say(findUnfinished() < 0 ? `Saved. ${ALL_DONE}` : "Saved.");
    };
    const save = (position) => {
      unsaved.add(position);
      say("Saving …");
      sending = sending.then(async () => {
        for (const waiting of [...unsaved]) await send(waiting);
      });
    };
    window.addEventListener("beforeunload", (event) => {
      if (unsaved.size) event.preventDefault();
    });
    const step = async (action, position) => {
      isWaiting = true;
      unsaved.add(position);
      say("Saving …");
      const { id } = work.items[position];
      const request = { action, id, answers: work.answers[position], who: work.who };
      const reply = await ask(server, "step", request);
      isWaiting = false;
      unsaved.delete(position);
      if (reply.wrong) {
        const isUndo = action === "undo";
        say(isUndo ? reply.wrong : `Not saved: ${reply.wrong} Press the key again.`, true);
        return;
      }
      work.queue = reply.queue;
      preload(reply.soon);
      if (action === "undo") reopen(reply.item);
      else open(reply.item);
      void showForecast();
    };
    const open = (item) => {
      show(item ? positionOf(item) : work.at);
      say(item ? "Saved." : ALL_DONE);
    };
    const reopen = (item) => {
      const position = positionOf(item);
      const answers = work.answers[position];
      answers[answers.length - 1] = null;
      changes = [];
      answers.forEach((mark, question) => {
        if (mark !== null) changes.push({ position, question, before: null });
      });
      show(position);
      say("Taken back.");
    };
    const positionOf = (item) => {
      const known = work.items.findIndex((other) => other.id === item.id);
      if (known >= 0) return known;
      work.answers.push(Array(item.questions.length).fill(null));
      return work.items.push(item) - 1;
    };
    const preload = (addresses) => {
      const images = addresses.map((address) => [address, findImage(address)]);
      preloaded = new Map(
        /** @type {[string, HTMLImageElement][]} */
        images
      );
    };
    const findImage = (address) => preloaded.get(address) || make("img", { src: address, draggable: "false" });
    const showForecast = async () => {
      if (!server.forecast) return;
      const reply = await ask(server, "forecast", work.who);
      find(".forecast").replaceChildren(reply.wrong || reply.words);
    };
    const showProgress = () => {
      const bar = root.querySelector("progress");
      if (work.queue) {
        bar.max = work.queue.done + work.queue.left;
        bar.value = work.queue.done;
        find(".done").replaceChildren(`${work.queue.done} labeled, ${work.queue.left} left`);
        return;
      }
      const done = work.items.filter((_, position) => isFinished(position)).length;
      bar.value = done;
      find(".done").replaceChildren(`${done} of ${work.items.length} labeled`);
    };
    const select = (question, focus = false) => {
      current = question;
      fields().forEach((field2, index) => field2.classList.toggle("current", index === question));
      const field = fields()[question];
      if (!focus || !field) return;
      const radio = field.querySelector("input:checked") || field.querySelector("input");
      radio.focus({ preventScroll: true });
      field.scrollIntoView({ block: "nearest" });
    };
    const answer = (question, mark) => {
      if (isWaiting) return;
      const wasFinished = isFinished(work.at);
      const answers = work.answers[work.at];
      changes.push({ position: work.at, question, before: answers[question] });
      answers[question] = mark;
      removed.get(work.at)?.delete(question);
      showProgress();
      const isNowFinished = isFinished(work.at);
      if (work.queue && isNowFinished) void step("keep", work.at);
      if (!work.queue) save(work.at);
      if (isNowFinished && !wasFinished && !work.queue) showUnfinished();
      else select(nextQuestion(question), true);
    };
    const nextQuestion = (question) => {
      const open2 = work.answers[work.at].indexOf(null, question);
      return open2 < 0 ? Math.min(question + 1, fields().length - 1) : open2;
    };
    const answerByKey = (choice) => {
      const radio = fields()[current].querySelectorAll("input")[choice];
      radio.checked = true;
      answer(current, radio.value);
    };
    const skip = () => {
      if (work.queue && !isWaiting) void step("skip", work.at);
    };
    const undo = () => {
      if (isWaiting) return;
      const change = changes.at(-1);
      const isOfThisImage = change && change.position === work.at && !isFinished(work.at);
      if (work.queue && !isOfThisImage) {
        void step("undo", work.at);
        return;
      }
      if (!change) {
        say("There is nothing to take back.");
        return;
      }
      changes.pop();
      takeBack(change);
    };
    const takeBack = ({ position, question, before }) => {
      work.answers[position][question] = before;
      if (!work.queue) {
        if (before === null)
          removed.set(position, (removed.get(position) || /* @__PURE__ */ new Set()).add(question));
        save(position);
      }
      show(position);
      select(question, true);
    };
    const makeChoice2 = (question, position, choice, words2) => {
      const mark = (question.marks || usualMarks)[choice];
      const radio = make("input", {
        type: "radio",
        name: `${element.id}-${work.at}-${position}`,
        value: mark,
        onchange: () => answer(position, mark),
        onfocus: () => select(position)
      });
      radio.checked = work.answers[work.at][position] === mark;
      const letter = /[A-E]/.test(mark) ? `${mark}) ` : "";
      return make(
        "label",
        { class: "mark" },
        radio,
        make("kbd", { "aria-hidden": "true" }, choice + 1),
        make("span", {}, letter + words2),
        question.judged === mark ? make("span", { class: "about" }, "judge") : null
      );
    };
    const makeQuestion = (question, position) => make(
      "fieldset",
      { class: "asks", onclick: () => select(position) },
      make("legend", {}, `${position + 1}. ${question.text}`),
      ...[...question.choices, CANNOT_TELL].map(
        (words2, choice) => makeChoice2(question, position, choice, words2)
      )
    );
    const makeReference = (reference) => make(
      "figure",
      {},
      make("img", { src: reference.picture, alt: `Reference image of ${reference.name}` }),
      make("figcaption", {}, `Reference: ${reference.name}`)
    );
    const show = (position, focus = true) => {
      work.at = Math.min(Math.max(position, 0), work.items.length - 1);
      const item = work.items[work.at];
      const name = `Image ${item.name || item.id}`;
      const image = findImage(item.picture);
      image.alt = name;
      find("img").replaceWith(image);
      find(".number").replaceChildren(name);
      find(".meant").replaceChildren(item.caption || "");
      find(".why").replaceChildren(item.why ? `Next because: ${item.why}` : "");
      find(".references").replaceChildren(...(item.references || []).map(makeReference));
      find(".questions").replaceChildren(...item.questions.map(makeQuestion));
      find(".previous").toggleAttribute("disabled", work.at === 0);
      find(".next").toggleAttribute("disabled", work.at === work.items.length - 1);
      if (!work.queue) {
        preload(work.items.slice(work.at + 1, work.at + 3).map((next) => next.picture));
      }
      showProgress();
      select(Math.max(work.answers[work.at].indexOf(null), 0), focus);
    };
    const showPrevious = () => show(work.at - 1);
    const showNext = () => show(work.at + 1);
    const findUnfinished = () => {
      const order = work.items.map((_, offset2) => (work.at + 1 + offset2) % work.items.length);
      return order.find((position) => !isFinished(position)) ?? -1;
    };
    const showUnfinished = () => {
      const open2 = findUnfinished();
      if (open2 < 0) say(ALL_DONE);
      else show(open2);
    };
    const selectAbove = () => select(Math.max(current - 1, 0), true);
    const selectBelow = () => select(Math.min(current + 1, fields().length - 1), true);
    const showKeys = () => find(".keys").toggleAttribute("open");
    const lay = () => {
      const button3 = (kind, words2, key, action) => make(
        "button",
        { type: "button", class: kind, "aria-keyshortcuts": key, onclick: action },
        words2,
        make("kbd", { "aria-hidden": "true" }, key)
      );
      const choices2 = Math.max(...work.items[0].questions.map((each) => each.choices.length)) + 1;
      const ofQueue = button3("skip", "Skip", "S", skip);
      const ofList = button3("onward", "Next unfinished", "F", showUnfinished);
      root.replaceChildren(
        make(
          "section",
          { class: "shown", "aria-label": "Image" },
          make("h2", { class: "number" }),
          make("p", { class: "meant" }),
          make(
            "div",
            { class: "sight" },
            make("img", { alt: "" }),
            make("div", { class: "references" })
          ),
          make("p", { class: "why" }),
          make(
            "div",
            { class: "moves" },
            button3("previous", "Previous", "P", showPrevious),
            button3("next", "Next", "N", showNext),
            work.queue ? ofQueue : ofList,
            button3("undo", "Undo", "U", undo)
          ),
          make(
            "p",
            { class: "tally" },
            make("progress", { max: work.items.length, "aria-label": "Labeled" }),
            make("span", { class: "done" }),
            make("span", { class: "forecast" })
          ),
          make("p", { class: "told", role: "status" }),
          makeKeyHelp(choices2, Boolean(work.queue))
        ),
        make("section", { class: "questions", "aria-label": "Questions" })
      );
    };
    const actions = {
      previous: showPrevious,
      next: showNext,
      up: selectAbove,
      down: selectBelow,
      unfinished: showUnfinished,
      skip,
      undo,
      help: showKeys
    };
    root.addEventListener("focusin", () => {
      activeDesk = root;
    });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING2);
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      const isOutOfSight = !root.offsetParent || activeDesk !== root;
      if (!work || isTyping || isShortcut || isOutOfSight) return;
      const field = fields()[current];
      const choice = readChoice(event);
      const command = readCommand(event);
      const isAnswer = !command && choice >= 0 && choice < findAll(field, "input").length;
      if (!command && !isAnswer) return;
      event.preventDefault();
      if (event.repeat && (isAnswer || command === "skip" || command === "undo")) return;
      if (command) actions[command]();
      else if (!isWaiting) answerByKey(choice);
    });
    const markPage = () => {
      const isOpen = document.querySelector(".desk fieldset") !== null;
      const isForRaters = document.querySelector("#rater-header") !== null;
      document.documentElement.classList.toggle("with-desk", isOpen);
      document.documentElement.classList.toggle("for-raters", isForRaters);
    };
    const refresh = () => {
      const next = JSON.stringify(props.value);
      if (next === arrived || !props.value || !Array.isArray(props.value.items)) return;
      arrived = next;
      work = JSON.parse(next);
      changes = [];
      removed.clear();
      if (!work.items.length) {
        work = null;
        root.replaceChildren();
        markPage();
        return;
      }
      activeDesk = root;
      lay();
      preload(work.soon || []);
      show(work.at);
      markPage();
      if (work.queue) void showForecast();
      element.dataset.ready = "true";
    };
    watch("value", refresh);
    markPage();
    refresh();
  };

  // components/questions/review.js
  var LETTERS = ["A", "B", "C", "D", "E"];
  var NONE = "E";
  var PAUSE = 500;
  var copy = (value) => JSON.parse(JSON.stringify(value));
  var trimSpaces = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  var contentOf2 = (row) => JSON.stringify([row.coi, trimSpaces(row.text), row.choices.map(trimSpaces), row.gold]);
  var fitHeight = (box) => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  };
  var asItems = (remarks) => remarks.map((remark) => make("li", {}, remark));
  var mount22 = ({ element, props, server, watch }) => {
    const root = element.querySelector(".review");
    let sheet = null;
    let previous = null;
    let serial2 = 0;
    let timer;
    const cards = () => findAll(root, ".draft");
    const find = (selector) => root.querySelector(selector);
    const originOf = (row) => {
      if (!row.was) return props.by_hand;
      const origin = row.origin || "";
      const isMarked = origin === props.by_hand || origin.endsWith(props.edited);
      if (isMarked || contentOf2(row) === contentOf2(row.was)) return origin || sheet.about.source;
      return [origin || sheet.about.source, props.edited].filter(Boolean).join(", ");
    };
    const report = () => {
      props.value = copy(sheet);
    };
    const showRemarks = async () => {
      const before = JSON.stringify(sheet);
      let remarks;
      try {
        remarks = await server.remarks(copy(sheet));
      } catch {
        return;
      }
      if (before !== JSON.stringify(sheet)) return;
      cards().forEach((card, index) => {
        const own = remarks.each[index] || [];
        card.querySelector(".remarks").replaceChildren(...asItems(own));
      });
      find(".remarks-of-all").replaceChildren(...asItems(remarks.all));
    };
    const changed = () => {
      report();
      clearTimeout(timer);
      timer = setTimeout(showRemarks, PAUSE);
    };
    const say = (words2, restorable = null) => {
      previous = restorable;
      find(".told-last").replaceChildren(words2);
      find(".bring-back").hidden = !restorable;
    };
    const number = () => cards().forEach((card, index, all) => {
      const name = `question ${index + 1}`;
      const labels = {
        ".up": `Move ${name} up`,
        ".down": `Move ${name} down`,
        ".drop": `Drop ${name}`,
        select: `Composition of interest of ${name}`,
        ".text": `Text of ${name}`
      };
      Object.entries(labels).forEach(
        ([selector, words2]) => findAll(card, selector).forEach((node) => node.setAttribute("aria-label", words2))
      );
      card.querySelector(".number").textContent = String(index + 1);
      card.setAttribute("aria-label", `Question ${index + 1}`);
      card.querySelector(".up").setAttribute("aria-disabled", String(index === 0));
      card.querySelector(".down").setAttribute("aria-disabled", String(index === all.length - 1));
    });
    const mark = (row, card) => {
      card.querySelector(".origin").textContent = originOf(row);
      findAll(card, ".pick-one").forEach(
        (choice) => choice.classList.toggle("gold", choice.dataset.letter === row.gold)
      );
    };
    const edit = (row, card, changes) => {
      Object.assign(row, changes);
      mark(row, card);
      changed();
    };
    const move = (row, card, step, focus = null) => {
      const from = sheet.rows.indexOf(row);
      const to = from + step;
      if (to < 0 || to >= sheet.rows.length) return;
      sheet.rows.splice(from, 1);
      sheet.rows.splice(to, 0, row);
      const list = find(".sheet");
      list.insertBefore(card, step < 0 ? list.children[to] : list.children[to + 1]);
      number();
      const button3 = card.querySelector(step < 0 ? ".up" : ".down");
      (focus || button3).focus();
      card.scrollIntoView({ block: "nearest" });
      say(`Question ${from + 1} is now question ${to + 1}.`);
      changed();
    };
    const drop = (row, card) => {
      const index = sheet.rows.indexOf(row);
      const before = copy(sheet);
      sheet.rows.splice(index, 1);
      card.remove();
      number();
      say(`Question ${index + 1} is dropped.`, before);
      const next = cards()[Math.min(index, cards().length - 1)];
      const button3 = next ? next.querySelector(".drop") : find(".add");
      button3.focus();
      changed();
    };
    const makeChoice2 = (row, card, index, name) => {
      const letter = LETTERS[index];
      const radio = make("input", {
        type: "radio",
        name,
        value: letter,
        "aria-label": `${letter} is the right answer`,
        onchange: () => edit(row, card, { gold: letter })
      });
      radio.checked = row.gold === letter;
      return make(
        "div",
        { class: "pick-one", "data-letter": letter },
        make(
          "label",
          { class: "mark", title: "Mark as the right answer" },
          radio,
          make("span", { class: "letter" }, letter)
        ),
        letter === NONE ? make("span", { class: "fixed" }, props.none) : makeChoiceText(row, card, index)
      );
    };
    const makeChoiceText = (row, card, index) => {
      const box = make("input", {
        type: "text",
        "aria-label": `Choice ${LETTERS[index]}`,
        maxlength: 1e3,
        oninput: () => edit(row, card, { choices: Object.assign([...row.choices], { [index]: box.value }) })
      });
      box.value = row.choices[index] || "";
      return box;
    };
    const makeHead = (row, card) => {
      const select = make(
        "select",
        { class: "coi", onchange: () => edit(row, card, { coi: select.value }) },
        row.coi ? null : make("option", { value: "" }, "composition of interest"),
        ...props.cois.map((coi) => make("option", { value: coi }, coi))
      );
      select.value = row.coi;
      const button3 = (kind, words2, action) => make("button", { type: "button", class: kind, onclick: action }, words2);
      return make(
        "div",
        { class: "draft-head" },
        make("span", { class: "number", "aria-hidden": "true" }),
        select,
        make("span", { class: "origin" }),
        make(
          "span",
          { class: "moves" },
          button3("up", "Up", () => move(row, card, -1)),
          button3("down", "Down", () => move(row, card, 1)),
          button3("drop", "Drop", () => drop(row, card))
        )
      );
    };
    const makeCard = (row) => {
      serial2 += 1;
      const name = `gold-${element.id || "review"}-${serial2}`;
      const card = make("li", { class: "draft", role: "group" });
      const text = make("textarea", {
        class: "text",
        rows: 1,
        maxlength: 2e3,
        placeholder: "What is to be seen in the image?",
        oninput: () => {
          fitHeight(text);
          edit(row, card, { text: text.value });
        }
      });
      text.value = row.text;
      card.append(
        makeHead(row, card),
        text,
        make(
          "div",
          { class: "pick-row", role: "radiogroup", "aria-label": "Choices; mark the right one" },
          ...LETTERS.map((_, index) => makeChoice2(row, card, index, name))
        ),
        make("ul", { class: "remarks" })
      );
      card.addEventListener("keydown", (event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!step || !event.altKey) return;
        event.preventDefault();
        move(row, card, step, closest(event, "*"));
      });
      mark(row, card);
      return card;
    };
    const add = () => {
      const row = {
        coi: "",
        text: "",
        choices: ["", "", "", ""],
        gold: "",
        origin: "",
        regions: [],
        was: null
      };
      sheet.rows.push(row);
      const card = makeCard(row);
      find(".sheet").append(card);
      number();
      say(`Question ${sheet.rows.length} is added.`);
      const text = card.querySelector(".text");
      text.focus();
      changed();
    };
    const show = (next) => {
      sheet = copy(next);
      const prompt = make("input", {
        type: "text",
        maxlength: 4e3,
        placeholder: "What the image should show",
        oninput: () => {
          sheet.prompt = prompt.value;
          changed();
        }
      });
      prompt.value = sheet.prompt;
      const button3 = (kind, words2, action) => make("button", { type: "button", class: kind, onclick: action }, words2);
      const bringBack = button3("bring-back", "Bring back", restore);
      bringBack.hidden = true;
      root.replaceChildren(
        make("label", { class: "for-prompt" }, make("span", {}, "For the prompt"), prompt),
        make("ul", { class: "remarks remarks-of-all" }),
        make("ol", { class: "sheet", "aria-label": "Questions" }, ...sheet.rows.map(makeCard)),
        make(
          "div",
          { class: "review-foot" },
          button3("add", "Add a question", add),
          make("span", { class: "told-last", role: "status" }),
          bringBack
        )
      );
      number();
      fitHeights();
      showRemarks();
    };
    const fitHeights = () => cards().forEach((card) => fitHeight(card.querySelector(".text")));
    const restore = () => {
      const replaced = copy(sheet);
      show(previous);
      report();
      say("Brought back.", replaced);
      const [first] = cards();
      const focus = first ? first.querySelector(".text") : find(".add");
      focus.focus();
    };
    const refresh = () => {
      const next = props.value;
      if (!next || !Array.isArray(next.rows)) return;
      if (sheet && next.stamp === sheet.stamp) {
        if (JSON.stringify(next) !== JSON.stringify(sheet)) report();
        return;
      }
      const replaced = sheet;
      show(next);
      if (replaced && element.getBoundingClientRect().top < 0) element.scrollIntoView();
      if (replaced && replaced.rows.length) say("Other questions stood here.", copy(replaced));
    };
    watch("value", refresh);
    refresh();
    let width = 0;
    new ResizeObserver(() => {
      if (element.clientWidth !== width) fitHeights();
      width = element.clientWidth;
    }).observe(element);
    element.dataset.ready = "true";
  };

  // components/questions/saved_sets.js
  var MEDIA_TYPES = {
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    jsonl: "application/jsonl"
  };
  var mount23 = ({ element, server, trigger }) => {
    const download = async (form, prompt) => {
      const message = element.querySelector(".export-wrong");
      message.textContent = "";
      const file = await ask(server, "export_sets", { prompt, form });
      if (file.wrong) {
        message.textContent = file.wrong;
        return;
      }
      const bytes2 = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
      saveFile(file.name, bytes2, MEDIA_TYPES[form]);
    };
    element.addEventListener("click", (event) => {
      const button3 = closest(event, "button");
      if (!button3) return;
      const { form, of, action } = button3.dataset;
      if (form) {
        download(
          /** @type {keyof typeof MEDIA_TYPES} */
          form,
          of || null
        );
        return;
      }
      const set = button3.closest(".set");
      trigger("select", { action, prompt: set.dataset.prompt });
    });
    element.addEventListener("input", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !target.matches(".filter")) return;
      const words2 = target.value.trim().toLowerCase();
      findAll(element, ".set").forEach((set) => {
        set.hidden = !set.dataset.prompt.toLowerCase().includes(words2);
      });
    });
  };

  // components/readings/form.js
  var AUTHOR = "hallascope-author";
  var PICTURE = "picture";
  var BOUNDS = ["any", "exactly", "at least", "at most", "about"];
  var DELETED = { object: "object", absent: "object", count: "count", relation: "relation" };
  var serial = 0;
  var labeled = (label, field) => make("label", {}, make("span", {}, label), field);
  var textBox = (value, attributes = {}) => {
    const box = make("input", { type: "text", maxlength: 200, autocomplete: "off", ...attributes });
    box.value = value;
    return box;
  };
  var selection = (options, value) => {
    const nodes = options.map(([name, words2]) => make("option", { value: name }, words2));
    const select = make("select", {}, ...nodes);
    select.value = value;
    return select;
  };
  var objectOptions = ({ objects }) => objects.map(({ id, name, attributes }) => [
    id,
    [...attributes.map(({ value }) => value), name].join(" ")
  ]);
  var splitCount = (count) => {
    if (!count) return ["any", ""];
    const { least, most, approximate } = count;
    if (approximate && most !== null) return ["about", Math.floor((least + most) / 2)];
    if (most === null) return ["at least", least];
    if (least === most) return ["exactly", least];
    return least ? ["same", ""] : ["at most", most];
  };
  var objectFields = ({ chip, reading }) => {
    const asked = reading.objects.find(({ id }) => id === chip.item);
    const [bound2, number] = splitCount(asked ? asked.count : null);
    const name = textBox(asked ? asked.name : "", { placeholder: "cat" });
    const boundOptions = BOUNDS.map((words2) => [words2, words2 === "any" ? "not said" : words2]);
    if (bound2 === "same") boundOptions.push(["same", `${asked.count.least} to ${asked.count.most}`]);
    const bounds = selection(boundOptions, bound2);
    const count = make("input", { type: "number", min: 1, max: 1e3, "aria-label": "Number" });
    count.value = String(number);
    count.addEventListener("input", () => {
      if (count.value && ["any", "same"].includes(bounds.value)) bounds.value = "exactly";
    });
    const isSameCount = () => bounds.value === bound2 && count.value === String(number);
    const values = asked ? asked.attributes.map(({ value }) => value) : [];
    const attributes = textBox(values.join(", "), { placeholder: "red, small", maxlength: 2e3 });
    const absent = make("input", { type: "checkbox" });
    absent.checked = asked ? asked.absent : chip.element === "absent";
    const firsts = { count, attribute: attributes };
    return {
      rows: [
        labeled("Object", name),
        make("div", { class: "pair" }, labeled("Count", bounds), count),
        labeled("Attributes", attributes),
        make("label", { class: "check" }, absent, make("span", {}, "must not appear"))
      ],
      first: firsts[chip.element] || name,
      read: () => ({
        kind: "object",
        id: chip.item,
        name: name.value,
        bound: isSameCount() ? "same" : bounds.value,
        number: count.value === "" ? null : Number(count.value),
        attributes: attributes.value,
        absent: absent.checked
      })
    };
  };
  var relationFields = ({ chip, reading, relations }) => {
    const objects = objectOptions(reading);
    const ids = objects.map(([id]) => id);
    const [first = "", second = PICTURE] = ids;
    const asked = chip.item ? reading.relations[Number(chip.item)] : null;
    const known = asked || { subject: first, words: "", target: second };
    serial += 1;
    const list = `asked-relations-${serial}`;
    const subject = selection(objects, known.subject);
    const words2 = textBox(known.words, { list, placeholder: "left of" });
    const target = selection([...objects, [PICTURE, "the image"]], known.target);
    return {
      rows: [
        labeled("Object", subject),
        labeled("Relation", words2),
        labeled("Of or to", target),
        make("datalist", { id: list }, ...relations.map((value) => make("option", { value })))
      ],
      first: words2,
      read: () => ({
        kind: "relation",
        index: chip.item ? Number(chip.item) : null,
        subject: subject.value,
        words: words2.value,
        target: target.value
      })
    };
  };
  var textFields = ({ chip, reading }) => {
    const asked = chip.item ? reading.texts[Number(chip.item)] : { text: "", on: "" };
    const text = textBox(asked.text, { placeholder: "OPEN" });
    const on = selection([["", "not said"], ...objectOptions(reading)], asked.on);
    return {
      rows: [labeled("Text", text), labeled("Written on", on)],
      first: text,
      read: () => ({
        kind: "text",
        index: chip.item ? Number(chip.item) : null,
        text: text.value,
        on: on.value
      })
    };
  };
  var FIELDS = { relation: relationFields, text: textFields };
  var deletionWords = (chip) => {
    const kind = DELETED[
      /** @type {keyof typeof DELETED} */
      chip.element
    ];
    return kind ? `Delete ${kind}` : `Delete ${chip.words}`;
  };
  var makeForm = (options) => {
    const { chip, save, cancel } = options;
    const { rows, first, read } = (FIELDS[chip.element] || objectFields)(options);
    const author = textBox(recall(AUTHOR) || "", { maxlength: 80, autocomplete: "name" });
    const wrong = make("p", { class: "wrong", role: "alert" });
    let isSending = false;
    const send = async (edit) => {
      if (isSending) return;
      isSending = true;
      wrong.replaceChildren();
      const problem = await save(author.value, edit);
      isSending = false;
      if (!problem) {
        remember(AUTHOR, author.value);
        return;
      }
      wrong.replaceChildren(problem);
      if (!author.value.trim()) author.focus();
    };
    const remove = () => send({ kind: "removal", element: chip.element, item: chip.item, words: chip.words });
    const node = make(
      "form",
      {
        class: "asked-form",
        novalidate: true,
        "aria-label": chip.item ? `Correct ${chip.words}` : `Add: ${chip.element}`,
        onsubmit: (event) => {
          event.preventDefault();
          send(read());
        },
        onkeydown: (event) => {
          if (event.key === "Escape") cancel();
        }
      },
      ...rows,
      labeled("Your name", author),
      make(
        "div",
        { class: "buttons" },
        make("button", { type: "submit", class: "primary" }, "Save"),
        chip.item ? make("button", { type: "button", onclick: remove }, deletionWords(chip)) : null,
        make("button", { type: "button", onclick: cancel }, "Cancel")
      ),
      wrong
    );
    return {
      node,
      focus: () => {
        first.focus();
        if (first instanceof HTMLInputElement) first.select();
      }
    };
  };

  // components/readings/panel.js
  var PAUSE2 = 500;
  var CHANGED = "hallascope:reading";
  var STEPS3 = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  var keysOf = (node) => (
    /** @type {string[]} */
    JSON.parse(node.dataset.keys)
  );
  var mount24 = ({ element, props, server, watch }) => {
    const root = element.querySelector(".asked-place");
    const place = make("div", { class: "asked-shown" });
    const told = make("span", { class: "asked-told", role: "status" });
    const undoButton = make("button", { type: "button", class: "asked-link", hidden: true }, "Undo");
    root.append(place, make("p", { class: "asked-foot" }, told, undoButton));
    let reading = null;
    let undos = [];
    let prompt = "";
    let requests = 0;
    let timer;
    const chips = () => findAll(place, ".asked-chip");
    const isFormOpen = () => place.querySelector(".asked-form") !== null;
    const say = (words2, isWrong = false) => {
      told.replaceChildren(words2);
      told.classList.toggle("wrong", isWrong);
      undoButton.hidden = !undos.length;
    };
    const show = (view) => {
      place.innerHTML = view.html;
      reading = view.reading;
      findAll(place, ".words .word[role]").forEach((word, index) => {
        word.tabIndex = index ? -1 : 0;
      });
    };
    const read = async () => {
      requests += 1;
      const request = requests;
      if (!prompt) {
        place.replaceChildren();
        reading = null;
        say("");
        return;
      }
      place.setAttribute("aria-busy", "true");
      const view = await ask(server, "read", { prompt });
      if (request !== requests) return;
      place.removeAttribute("aria-busy");
      if (view.wrong) {
        place.replaceChildren();
        reading = null;
        say(view.wrong, true);
        return;
      }
      show(view);
      say("");
    };
    const lightUp = (node) => {
      const keys = node ? keysOf(node) : [];
      findAll(place, "[data-keys]").forEach(
        (other) => other.classList.toggle(
          "near",
          keysOf(other).some((key) => keys.includes(key))
        )
      );
    };
    const moveOn = (node, step) => {
      const isChip = node.matches(".asked-chip");
      const group = isChip ? chips() : findAll(place, ".words .word[role]");
      const next = group[(group.indexOf(node) + step + group.length) % group.length];
      group.forEach((other) => {
        other.tabIndex = other === next ? 0 : -1;
      });
      next.focus();
    };
    const goToChip = (word) => {
      const [key] = keysOf(word);
      const chip = chips().find((other) => keysOf(other).includes(key));
      chip.focus();
    };
    const closeForm = () => {
      place.querySelector(".asked-form")?.remove();
      chips().forEach((chip) => chip.setAttribute("aria-expanded", "false"));
    };
    const showChange = (view, words2, at) => {
      requests += 1;
      show(view);
      say(words2);
      const focus = chips()[Math.min(at, chips().length - 1)] || place.querySelector("[data-add]");
      focus.focus();
      document.dispatchEvent(new CustomEvent(CHANGED, { detail: { source: element, prompt } }));
    };
    const save = async (author, edit, at) => {
      const before = reading;
      const view = await ask(server, "save", { author, reading: before, edit });
      if (view.wrong) return view.wrong;
      const kept = view.reading;
      const isOwn = before.source === "person" && before.author === kept.author;
      undos.push({ author: kept.author, reading: isOwn ? before : null, prompt });
      showChange(view, "Saved. It is used from the next run on.", at);
      return "";
    };
    const confirm = async () => {
      const wrong = await save(recall(AUTHOR) || "Anonymous", null, 0);
      if (wrong) say(wrong, true);
    };
    const removeCorrection = async () => {
      const before = reading;
      const view = await ask(server, "remove", { author: before.author, prompt });
      if (view.wrong) {
        say(view.wrong, true);
        return;
      }
      undos.push({ author: before.author, reading: before, prompt });
      showChange(view, "The correction is removed.", 0);
    };
    const undo = async () => {
      const last = undos[undos.length - 1];
      const view = last.reading ? await ask(server, "save", { author: last.author, reading: last.reading, edit: null }) : await ask(server, "remove", { author: last.author, prompt: last.prompt });
      if (view.wrong) {
        say(view.wrong, true);
        return;
      }
      undos.pop();
      showChange(view, "Undone.", 0);
    };
    const openForm = (chip, button3) => {
      closeForm();
      const index = chips().indexOf(button3);
      const at = index < 0 ? chips().length : index;
      const form = makeForm({
        chip,
        reading,
        relations: props.relations,
        save: (author, edit) => save(author, edit, at),
        cancel: () => {
          closeForm();
          button3.focus();
        }
      });
      button3.setAttribute("aria-expanded", "true");
      (button3.closest("li") || button3.closest("p")).append(form.node);
      form.focus();
    };
    place.addEventListener("click", (event) => {
      const button3 = closest(event, "button");
      const word = closest(event, ".words .word[role]");
      if (word) goToChip(word);
      if (!button3) return;
      const { chip, add } = button3.dataset;
      if (chip) openForm(JSON.parse(chip), button3);
      else if (add) openForm({ element: add, item: "", words: "" }, button3);
      else if (button3.dataset.do === "remove") removeCorrection();
      else if (button3.dataset.do === "confirm") confirm();
    });
    place.addEventListener("keydown", (event) => {
      const node = closest(event, "[data-keys]");
      if (!node || node !== event.target || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = STEPS3[
        /** @type {keyof typeof STEPS} */
        event.key
      ];
      const isPress = event.key === "Enter" || event.key === " ";
      if (step) moveOn(node, step);
      else if (isPress && !node.matches("button")) goToChip(node);
      else return;
      event.preventDefault();
    });
    ["mouseover", "focusin"].forEach(
      (type) => place.addEventListener(type, (event) => lightUp(closest(event, "[data-keys]")))
    );
    ["mouseleave", "focusout"].forEach((type) => place.addEventListener(type, () => lightUp(null)));
    undoButton.addEventListener("click", undo);
    document.addEventListener(CHANGED, (event) => {
      const { detail } = (
        /** @type {CustomEvent<{source: HTMLElement, prompt: string}>} */
        event
      );
      if (detail.source !== element && detail.prompt === prompt && !isFormOpen()) read();
    });
    const refresh = () => {
      const next = String(props.value || "").split(/\s+/).filter(Boolean).join(" ");
      if (next === prompt) return;
      const isFirst = prompt === "";
      prompt = next;
      undos = [];
      clearTimeout(timer);
      timer = setTimeout(read, isFirst && next.length < 2 ? 0 : PAUSE2);
    };
    watch("value", refresh);
    refresh();
    element.dataset.ready = "true";
  };

  // components/share/share.js
  var KINDS2 = ["question", "finding"];
  var chosenIn2 = (exhibit) => {
    const row = exhibit.querySelector("[data-said].lit");
    const keys = row ? JSON.parse(row.dataset.keys) : [];
    return keys.find((key) => KINDS2.includes(key.split("=")[0])) ?? "";
  };
  var shownImage = (evidence) => {
    const exhibit = document.querySelector(`#${evidence} .exhibit[data-run]`);
    if (!exhibit) return null;
    const { run, key, metric } = exhibit.dataset;
    return { run, key, metric: metric ?? "", chosen: chosenIn2(exhibit) };
  };
  var openDialog2 = (place, title, content) => {
    const close = make("button", { type: "button", class: "share-close" }, "Close");
    const dialog = make(
      "dialog",
      { class: "share-dialog", "aria-label": title },
      make("div", { class: "share-head" }, make("h2", {}, title), close),
      ...content
    );
    close.addEventListener("click", () => dialog.close());
    place.replaceChildren();
    showDialog(dialog, place);
  };
  var copyButton = (words2, field, said) => make(
    "button",
    {
      type: "button",
      class: "share-button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(field.value);
          said.textContent = "Copied.";
        } catch {
          field.select();
          said.textContent = "It is selected: press Ctrl+C (or ⌘C) to copy it.";
        }
      }
    },
    words2
  );
  var textField = (label, text, rows) => {
    const field = make("textarea", {
      "aria-label": label,
      rows,
      readonly: true,
      spellcheck: "false"
    });
    field.value = text;
    return {
      field,
      labeled: make("label", { class: "share-field" }, make("span", {}, label), field)
    };
  };
  var status = () => make("p", { class: "share-said", role: "status" });
  var openCard = (place, shared) => {
    const said = status();
    const link = make("input", { type: "text", readonly: true, "aria-label": "Link" });
    link.value = `${location.origin}${location.pathname}?${shared.query}`;
    const preview = make("img", {
      src: shared.card,
      alt: shared.alt,
      width: 1200,
      height: 630,
      class: "share-card"
    });
    preview.addEventListener("error", () => {
      said.textContent = "The card could not be drawn. Close this, and try again.";
    });
    const download = make(
      "a",
      { href: shared.card, download: shared.name, class: "share-button" },
      "Download card (PNG)"
    );
    openDialog2(place, "Share this image", [
      preview,
      make("p", { class: "share-field" }, link),
      make("p", { class: "share-actions" }, copyButton("Copy link", link, said), download),
      said
    ]);
  };
  var selectField = (label, choices2, chosen) => {
    const field = make(
      "select",
      { "aria-label": label },
      ...Object.entries(choices2).map(([value, words2]) => make("option", { value }, words2))
    );
    field.value = chosen in choices2 ? chosen : "";
    return {
      field,
      labeled: make("label", { class: "share-field" }, make("span", {}, label), field)
    };
  };
  var imageChoice = ({ key, name, src }) => make(
    "label",
    { class: "share-image" },
    make("input", { type: "checkbox", value: key, checked: true }),
    src ? make("img", { src, alt: "", width: 72, height: 72 }) : null,
    make("span", {}, name)
  );
  var openExport = (element, server, run, choices2) => {
    const row = element.querySelector(".share-row");
    const query = readAddress();
    const said = status();
    const types = { "": "All question types" };
    const cois = JSON.parse(row.dataset.cois);
    cois.forEach((coi2) => {
      types[coi2] = coi2;
    });
    const form = selectField("Format", JSON.parse(row.dataset.formats), "");
    form.field.selectedIndex = 0;
    const state = (query.get("state") ?? "").replace("-", " ");
    const outcome = selectField("Verdicts", JSON.parse(row.dataset.outcomes), state);
    const coi = selectField("Question types", types, query.get("coi") ?? "");
    const list = make("div", { class: "share-images" }, ...choices2.images.map(imageChoice));
    const boxes = () => findAll(list, "input").map((box) => (
      /** @type {HTMLInputElement} */
      box
    ));
    const checked = () => boxes().filter((box) => box.checked).map((box) => box.value);
    const download = make("button", { type: "button", class: "share-button primary" }, "Download");
    const count = make("span", {});
    const refresh = () => {
      count.textContent = `${checked().length} of ${choices2.images.length} images`;
      download.disabled = !checked().length;
    };
    const all = make("button", { type: "button", class: "share-link" }, "Check all or none");
    all.addEventListener("click", () => {
      const on = checked().length < boxes().length;
      boxes().forEach((box) => {
        box.checked = on;
      });
      refresh();
    });
    list.addEventListener("change", refresh);
    download.addEventListener("click", async () => {
      download.disabled = true;
      said.textContent = "Writing the file …";
      const file = await ask(server, "export_selection", {
        run,
        format: form.field.value,
        images: checked().length < boxes().length ? checked() : [],
        outcome: outcome.field.value,
        coi: coi.field.value
      });
      refresh();
      said.textContent = file.wrong ?? file.said;
      if (file.wrong) return;
      const bytes2 = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
      saveFile(file.name, bytes2, file.kind);
    });
    refresh();
    openDialog2(element.querySelector(".share-dialog-place"), "Export results", [
      make("div", { class: "share-fields" }, form.labeled, outcome.labeled, coi.labeled),
      make("fieldset", {}, make("legend", {}, count, " ", all), list),
      make("p", { class: "share-actions" }, download),
      said
    ]);
  };
  var openCitation = (place, { paragraph, bibtex }) => {
    const said = status();
    const methods = textField("Methods paragraph", paragraph, 9);
    const entries = textField("BibTeX", bibtex, 9);
    openDialog2(place, "Cite this run", [
      methods.labeled,
      entries.labeled,
      make(
        "p",
        { class: "share-actions" },
        copyButton("Copy paragraph", methods.field, said),
        copyButton("Copy BibTeX", entries.field, said)
      ),
      said
    ]);
  };
  var mount25 = ({ element, server }) => {
    const message = () => element.querySelector(".share-wrong");
    const actions = {
      share: async (shown) => {
        const shared = await ask(server, "share_card", shown);
        if (!shared.wrong) openCard(element.querySelector(".share-dialog-place"), shared);
        return shared.wrong;
      },
      export: async ({ run }) => {
        const choices2 = await ask(server, "export_choices", { run });
        if (!choices2.wrong) openExport(element, server, run, choices2);
        return choices2.wrong;
      },
      cite: async ({ run }) => {
        const text = await ask(server, "cite_run", { run });
        if (!text.wrong) openCitation(element.querySelector(".share-dialog-place"), text);
        return text.wrong;
      }
    };
    element.addEventListener("click", async (event) => {
      const button3 = closest(event, "[data-share]");
      if (!button3) return;
      const row = element.querySelector(".share-row");
      const shown = shownImage(row.dataset.evidence);
      const wrong = shown ? await actions[button3.dataset.share](shown) : "Generate images first, or open a run.";
      message().textContent = wrong ?? "";
    });
  };

  // components/runs/panel.js
  var PANEL = "runs";
  var PAGE = 30;
  var MOST3 = 600;
  var PAUSE3 = 250;
  var CLOSED = { panel: null, find: null, compare: null };
  var shownRun = () => {
    const grid = document.querySelector("#cards .pictures");
    return grid && grid.dataset.run || "";
  };
  var isRunning = () => document.querySelector("#stop:not(:disabled)") !== null;
  var mount26 = ({ element, server, trigger }) => {
    const opener = element.querySelector(".runs-open");
    const dialog = element.querySelector(".runs-dialog");
    const body = dialog.querySelector(".runs-body");
    const status2 = dialog.querySelector(".runs-status");
    const search = dialog.querySelector(".runs-search");
    const compareButton = dialog.querySelector(".runs-compare");
    const backButton = dialog.querySelector(".runs-back");
    let chosen = [];
    let limit = PAGE;
    let requests = 0;
    let depth = -1;
    let shown = null;
    let timer;
    let coming = null;
    const say = (words2, isWrong = false) => {
      status2.textContent = words2;
      status2.classList.toggle("wrong", isWrong);
    };
    const showChoices = () => {
      findAll(body, ".run-choose").forEach((box) => {
        box.checked = chosen.includes(
          /** @type {HTMLInputElement} */
          box.value
        );
      });
      compareButton.disabled = chosen.length !== 2;
    };
    const fill = async (name, request) => {
      requests += 1;
      const own = requests;
      body.setAttribute("aria-busy", "true");
      const view = await ask(server, name, request);
      if (own !== requests) return;
      body.removeAttribute("aria-busy");
      say(view.wrong || "", Boolean(view.wrong));
      if (view.wrong) body.replaceChildren();
      else body.innerHTML = view.html;
      showChoices();
    };
    const list = () => fill("list_runs", { text: search.value, limit });
    const show = async () => {
      const query = readAddress();
      const pair = query.get("compare") || "";
      const isComparison = pair.split(",").length === 2;
      backButton.hidden = !isComparison;
      search.parentElement.hidden = isComparison;
      if (isComparison) {
        if (shown === pair) return;
        shown = pair;
        const [run, other] = pair.split(",");
        await fill("compare", { run, other });
        return;
      }
      shown = "";
      search.value = query.get("find") || "";
      await list();
    };
    const follow = () => {
      const isNamed = readAddress().get("panel") === PANEL;
      if (!isNamed) {
        if (dialog.open) dialog.close();
        shown = null;
        return;
      }
      if (!dialog.open) dialog.showModal();
      show();
    };
    const open = () => {
      depth = readDepth();
      limit = PAGE;
      chosen = [];
      pushAddress({ panel: PANEL });
      follow();
    };
    const close = () => {
      const steps = readDepth() - depth;
      if (depth >= 0 && steps > 0) {
        history.go(-steps);
      } else {
        changeAddress(CLOSED);
        follow();
      }
    };
    const openRun = (run, image = null) => {
      pushAddress({ ...CLOSED, ...choiceChanges(null), ...NO_FILTERS, run, image });
      follow();
      coming = run;
      requestedRuns.add(run);
      trigger("select", { run });
    };
    const followRun = () => {
      const run = readAddress().get("run") || "";
      if (run === shownRun() || run === coming || isRunning()) return;
      coming = run;
      requestedRuns.add(run);
      trigger("select", { run });
    };
    const putForm = (card, content, submit) => {
      const actions = (
        /** @type {HTMLElement} */
        card.querySelector(".run-actions")
      );
      const form = make("form", { class: "run-form" }, ...content);
      const end = () => {
        form.remove();
        actions.hidden = false;
        actions.querySelector("button").focus();
      };
      form.append(make("button", { type: "button", class: "run-cancel", onclick: end }, "Cancel"));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        submit();
      });
      actions.hidden = true;
      actions.after(form);
      form.querySelector("input, button").focus();
    };
    const change = async (name, request, done) => {
      const result = await ask(server, name, request);
      if (result.wrong) {
        say(result.wrong, true);
        return result;
      }
      await list();
      say(done);
      const again = body.querySelector(`[data-run="${CSS.escape(String(request.run))}"] .run-name`);
      (again || body).focus();
      return result;
    };
    const rename = (card) => {
      const { run, name } = card.dataset;
      const field = make("input", {
        type: "text",
        value: name,
        maxlength: 120,
        "aria-label": "Name"
      });
      const save = make("button", { type: "submit" }, "Save name");
      putForm(
        card,
        [field, save],
        () => change("rename", { run, name: field.value }, "The name is saved.")
      );
      field.select();
    };
    const remove = async (card) => {
      const { run } = card.dataset;
      const plan = await ask(server, "plan_deletion", { run });
      if (plan.wrong) {
        say(plan.wrong, true);
        return;
      }
      const words2 = make("p", { role: "alert" }, plan.sentence);
      const confirm = make("button", { type: "submit", class: "run-delete" }, "Delete run");
      putForm(card, [words2, confirm], async () => {
        chosen = chosen.filter((other) => other !== run);
        const result = await change("delete", { run }, "The run is deleted.");
        if (result.wrong || !result.deleted.includes(shownRun())) return;
        changeAddress({ ...choiceChanges(null), ...NO_FILTERS, run: null, image: null });
        trigger("select", { run: "" });
      });
    };
    const act = (button3, card) => {
      const { run } = card.dataset;
      if (button3.dataset.do === "rename") rename(card);
      else if (button3.dataset.do === "delete") remove(card);
      else {
        const pinned = button3.dataset.value === "true";
        change("pin", { run, pinned }, pinned ? "The run is pinned." : "The run is unpinned.");
      }
    };
    opener.addEventListener("click", open);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      const cancel = body.querySelector(".run-cancel");
      if (cancel) cancel.click();
      else close();
    });
    dialog.addEventListener("close", () => {
      if (readAddress().get("panel") === PANEL) close();
    });
    dialog.querySelector(".runs-close").addEventListener("click", close);
    backButton.addEventListener("click", () => {
      pushAddress({ compare: null });
      show();
    });
    compareButton.addEventListener("click", () => {
      pushAddress({ compare: chosen.join(",") });
      show();
    });
    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        changeAddress({ find: search.value.trim() || null });
        limit = PAGE;
        list();
      }, PAUSE3);
    });
    body.addEventListener("change", (event) => {
      const box = (
        /** @type {HTMLInputElement | null} */
        closest(event, ".run-choose")
      );
      if (!box) return;
      chosen = chosen.filter((run) => run !== box.value);
      if (box.checked) chosen = [...chosen, box.value].slice(-2);
      showChoices();
    });
    body.addEventListener("click", (event) => {
      const opened = closest(event, "[data-open]");
      const action = closest(event, ".run-action");
      if (opened) openRun(opened.dataset.open, opened.dataset.image || null);
      else if (action) act(action, closest(event, ".run-card"));
      else if (closest(event, ".runs-more")) {
        limit = Math.min(limit + PAGE, MOST3);
        list();
      }
    });
    document.addEventListener(RETURN, () => {
      follow();
      followRun();
    });
    document.addEventListener(RUN_SHOWN, () => {
      if (coming === shownRun()) coming = null;
      queueMicrotask(followRun);
    });
    follow();
    element.dataset.ready = "true";
  };

  // components/js/visit.js
  var recallInVisit = (name) => {
    try {
      return JSON.parse(sessionStorage.getItem(name));
    } catch {
      return null;
    }
  };
  var rememberInVisit = (name, value) => {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
    }
  };

  // components/teach/class_set.js
  var NAME = "hallascope-class-set";
  var CHANGED2 = "hallascope:class-set";
  var readDraft = () => {
    const kept = recallInVisit(NAME);
    return Array.isArray(kept) ? kept.filter((entry) => entry && Array.isArray(entry.item)) : [];
  };
  var writeDraft = (entries) => rememberInVisit(NAME, entries);
  var addToDraft = (added) => {
    const entries = readDraft();
    const known = new Set(entries.map(({ item }) => JSON.stringify(item)));
    const fresh = added.filter(({ item }) => !known.has(JSON.stringify(item)));
    writeDraft([...entries, ...fresh]);
    document.dispatchEvent(new CustomEvent(CHANGED2));
    return { added: fresh.length, total: entries.length + fresh.length };
  };

  // components/teach/break_it.js
  var VISIT = "hallascope-break-it";
  var MOST_SHOWN = 12;
  var KEPT = 200;
  var SPARKS = 16;
  var ICONS = {
    right: "M3.2 8.6 6.5 12 12.8 4.6",
    found: "M7 2.6a4.4 4.4 0 1 1 0 8.8a4.4 4.4 0 0 1 0-8.8M10.2 10.2 13.6 13.6",
    missed: "M4 4 12 12M12 4 4 12",
    "false alarm": "M8 2.2 14.6 13.6H1.4ZM8 6.6v3.1M8 11.5v.1"
  };
  var UNKNOWN = "M5.4 5.9a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 1.9M8 12.9v.1";
  var makeIcon = (outcome) => {
    const holder = make("span", { class: "outcome-icon" });
    holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path fill="none"
    d="${ICONS[outcome] || UNKNOWN}" stroke="currentColor" stroke-width="2" stroke-linecap="round"
    stroke-linejoin="round"/></svg>`;
    return holder;
  };
  var makeOutcome = (outcome) => make(
    "span",
    { class: `outcome ${outcome.replace(" ", "-")}` },
    makeIcon(outcome),
    make("span", {}, outcome)
  );
  var imageAddress = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  var button = (kind, words2, action) => make("button", { type: "button", class: kind, onclick: action }, words2);
  var latestOnly = (send) => {
    let isBusy = false;
    let waiting = null;
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
  var recallVisit = () => {
    const kept = recallInVisit(VISIT);
    const isWhole = kept && Array.isArray(kept.tried) && Array.isArray(kept.finds);
    return isWhole ? kept : { tried: [], finds: [] };
  };
  var pathOf = (polygon) => `M${polygon.map(([x, y]) => `${100 * Number(x)},${100 * Number(y)}`).join("L")}Z`;
  var mount27 = ({ element, server }) => {
    const root = element.querySelector(".break-it");
    let sheet = null;
    let chosen = null;
    let answers = null;
    const firstJudge = root.dataset.judge;
    let judge = firstJudge;
    const remembered = /* @__PURE__ */ new Map();
    let cards = [];
    let turn = 0;
    let isOwn = false;
    const visit = recallVisit();
    const find = (selector) => root.querySelector(selector);
    const ask2 = (name, request) => ask(server, name, request);
    const say = (words2, isWrong = false) => {
      find(".told").replaceChildren(words2);
      find(".told").classList.toggle("wrong", isWrong);
    };
    const showMasks = () => {
      const overlay = find(".overlay");
      const lit = sheet.switches.flatMap(
        ({ wrong, outlines: outlines2 }, index) => wrong && outlines2.length ? [{ index, path: outlines2.map(pathOf).join("") }] : []
      );
      const drawn2 = lit.flatMap(
        ({ index, path }) => ["under", "over"].map(
          (layer) => `<path class="${layer}" data-fact="${index}" d="${path}"></path>`
        )
      );
      overlay.innerHTML = drawn2.join("");
    };
    const showDrawing = () => {
      const image = (
        /** @type {HTMLImageElement} */
        find(".stage img")
      );
      image.src = imageAddress(sheet.svg);
      const errors = sheet.switches.filter(({ wrong }) => wrong);
      const listed = errors.map(({ question, shown }) => `${question} ${shown}`).join("; ");
      image.alt = errors.length ? `${sheet.prompt}, drawn with errors: ${listed}` : `${sheet.prompt}, drawn without errors`;
      find(".concept-name").replaceChildren(sheet.prompt);
      find(".seed").replaceChildren(`Drawing ${sheet.seed}`);
      showMasks();
    };
    const makeCard = (fact, index) => {
      const radios = {};
      const options = fact.options.map((option) => {
        const radio = make("input", {
          type: "radio",
          name: `${element.id || "break-it"}-fact-${index}`,
          value: option.value,
          onchange: chooseFacts
        });
        radios[option.value] = radio;
        const hidden = option.label === option.words ? "" : `, ${option.words}`;
        return make(
          "label",
          { class: option.right ? "option true" : "option", title: option.right ? "True" : false },
          radio,
          make("span", {}, option.label),
          option.right ? makeIcon("right") : null,
          make("span", { class: "unseen" }, option.right ? `${hidden}, true` : hidden)
        );
      });
      const truth = make("p", { class: "answer-line" });
      const judgeStrip = make("p", { class: "answer-line" });
      const light2 = (on) => () => findAll(root, `.overlay [data-fact="${index}"]`).forEach(
        (node) => node.classList.toggle("near", on)
      );
      const box = make(
        "fieldset",
        { class: "fact", onpointerenter: light2(true), onpointerleave: light2(false) },
        make(
          "legend",
          {},
          make("span", {}, fact.question),
          make("span", { class: "kind" }, fact.kind)
        ),
        make("div", { class: "options" }, ...options),
        make("div", { class: "strips" }, truth, judgeStrip)
      );
      return { box, truth, judge: judgeStrip, radios };
    };
    const makeCards = () => {
      cards = sheet.switches.map(makeCard);
      find(".facts").replaceChildren(...cards.map(({ box }) => box));
    };
    const showTruth2 = (card, fact) => {
      card.radios[fact.value].checked = true;
      card.box.classList.toggle("is-wrong", fact.wrong);
      card.truth.replaceChildren(
        make("span", { class: "who" }, "Truth"),
        make("strong", {}, fact.shown),
        make(
          "span",
          { class: "about" },
          fact.wrong ? `wrong, should be ${fact.truth}` : "as it should be"
        )
      );
    };
    const showAnswer = (card, fact, answer) => {
      const who = make("span", { class: "who" }, "Judge");
      card.box.dataset.outcome = answer ? answer.outcome : "";
      if (!fact.asked) {
        const words2 = fact.wrong ? "No question asks about this error." : "No question asks this.";
        card.judge.replaceChildren(who, makeOutcome("not asked"), aboutOf(words2));
      } else if (answer) {
        const words2 = answer.answer ? make("strong", {}, answer.answer) : null;
        const note = answer.note ? aboutOf(answer.note) : null;
        card.judge.replaceChildren(
          who,
          ...[words2, makeOutcome(answer.outcome), note].filter(Boolean)
        );
      } else {
        card.judge.replaceChildren(who, make("span", { class: "about waiting" }, "answering …"));
      }
    };
    const aboutOf = (words2) => make("span", { class: "about" }, words2);
    const errorKey = (fact) => `${judge} ${sheet.concept} ${fact.parameter} ${fact.value}`;
    const showVisit = () => {
      const { finds, tried } = visit;
      const errors = finds.length === 1 ? "error" : "errors";
      find(".tally").replaceChildren(
        make("strong", {}, String(finds.length)),
        make("span", {}, `${errors} that the judge does not see, of ${tried.length} that you tried`)
      );
      find(".shelf").hidden = finds.length === 0;
      find(".finds").replaceChildren(
        ...finds.slice(-MOST_SHOWN).reverse().map(
          ({ words: words2, image, alteration }) => make(
            "li",
            {},
            make(
              "button",
              { type: "button", title: words2, onclick: () => choose(alteration) },
              make("img", { src: image, alt: `Open your find: ${words2}`, width: 64, height: 64 })
            )
          )
        )
      );
    };
    const celebrate = () => {
      const burst = make("span", { class: "burst", "aria-hidden": "true" });
      for (let spark = 0; spark < SPARKS; spark += 1) {
        burst.append(make("i", { style: `--turn:${360 * spark / SPARKS}deg` }));
      }
      find(".burst").replaceWith(burst);
      find(".tally").classList.remove("more");
      requestAnimationFrame(() => find(".tally").classList.add("more"));
    };
    const answeredFacts = () => sheet.switches.filter(({ asked }) => asked).map((fact, index) => ({ fact, answer: answers[index] }));
    const countErrors = () => {
      let isNew = false;
      answeredFacts().forEach(({ fact, answer }) => {
        const key = errorKey(fact);
        if (!fact.wrong || answer.outcome === "no answer") return;
        if (!visit.tried.includes(key)) visit.tried.push(key);
        if (answer.outcome !== "missed" || visit.finds.some((known) => known.key === key)) return;
        const { concept, facts, seed } = sheet;
        const words2 = `${sheet.prompt}. ${fact.question} ${fact.shown}`;
        const image = imageAddress(sheet.svg);
        visit.finds.push({ key, words: words2, image, alteration: { concept, facts, seed } });
        isNew = true;
      });
      rememberInVisit(VISIT, visit);
      return isNew;
    };
    const ofOutcome = (outcome) => answeredFacts().filter(({ answer }) => answer.outcome === outcome);
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
        const words3 = `${fact.question} The drawing shows “${fact.shown}”, the judge says “${answer.answer}”.`;
        return { kind: "missed", title, words: words3 };
      }
      if (failed) {
        return { kind: "open", title: "The judge gave no answer", words: "Try another drawing." };
      }
      if (found) {
        const title = found === 1 ? "The judge finds your error" : "The judge finds all your errors";
        const words3 = alarm || "Try another value, a second error, or another drawing.";
        return { kind: "found", title, words: words3 };
      }
      if (unasked) {
        const words3 = "So the judge cannot find it. Make one of the other facts wrong.";
        return { kind: "open", title: "No question asks about this error", words: words3 };
      }
      if (alarms) {
        const words3 = "Everything in the drawing is right, but the judge sees an error.";
        return { kind: "alarm", title: "A false alarm", words: words3 };
      }
      const words2 = "Switch a fact to make it wrong.";
      return { kind: "right", title: "All is right, and the judge agrees", words: words2 };
    };
    const showSummary = () => {
      const box = find(".outcome-box");
      if (!answers) {
        box.dataset.kind = "waiting";
        return;
      }
      const { kind, title, words: words2 } = summarize();
      box.dataset.kind = kind;
      find(".outcome-title").replaceChildren(title);
      find(".outcome-words").replaceChildren(words2);
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
    const showSheet = (next) => {
      const isOther = !sheet || sheet.concept !== next.concept;
      sheet = next;
      if (isOther) makeCards();
      cards.forEach((card, index) => showTruth2(card, sheet.switches[index]));
      const errors = sheet.exercises.length;
      find(".add-to-set").toggleAttribute("disabled", errors === 0);
      find(".reset").toggleAttribute("disabled", errors === 0);
      showDrawing();
    };
    const nameOf = ({ concept, facts, seed }) => JSON.stringify([judge, concept, facts, seed]);
    const writeChoice2 = ({ concept, facts, seed }) => changeAddress({
      tab: "teach",
      part: "break",
      concept,
      facts: facts || null,
      seed: seed ? String(seed) : null,
      judge: judge === firstJudge ? null : judge
    });
    const draw = latestOnly(
      /** @param {{own: number, name: string, alteration: Alteration}} request */
      async ({ own, name, alteration }) => {
        const reply = await ask2(name, alteration);
        if (own !== turn) return;
        if (reply.wrong) {
          say(reply.wrong, true);
          return;
        }
        showSheet(reply);
        if (name === "surprise") {
          chosen = reply;
          writeChoice2(reply);
          askJudge({ own, alteration: reply });
        }
        showAnswers();
      }
    );
    const askJudge = latestOnly(
      /** @param {{own: number, alteration: Alteration}} request */
      async ({ own, alteration }) => {
        if (own !== turn) return;
        const { concept, facts, seed } = alteration;
        const name = nameOf(alteration);
        const reply = remembered.has(name) ? { answers: remembered.get(name) } : await ask2("ask", { concept, facts, seed: String(seed), judge });
        if (reply.answers && remembered.size < KEPT) remembered.set(name, reply.answers);
        if (own !== turn) return;
        if (reply.wrong) {
          say(reply.wrong, true);
          return;
        }
        answers = reply.answers;
        if (sheet && nameOf(sheet) === name) showAnswers();
      }
    );
    const beginTurn = () => {
      turn += 1;
      isOwn = true;
      answers = null;
      say("");
      showSummary();
    };
    const choose = (alteration) => {
      const { concept, facts, seed } = alteration;
      chosen = { concept, facts, seed };
      beginTurn();
      writeChoice2(chosen);
      draw({
        own: turn,
        name: "draw",
        alteration: { concept, facts, seed: (
          /** @type {any} */
          String(seed)
        ) }
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
      const reply = await ask2("browse", {});
      if (reply.wrong) {
        say(reply.wrong, true);
        return;
      }
      openConcepts(
        find(".dialog-place"),
        reply.concepts,
        sheet.concept,
        (concept) => choose({ concept, facts: "", seed: 0 })
      );
    };
    const toggleMasks = () => {
      const isOn = root.classList.toggle("outlined");
      find(".outline-switch").setAttribute("aria-pressed", String(isOn));
    };
    const openSets = () => {
      const tab = document.querySelector("#teach-parts [role=tab][data-tab-id=sets]");
      tab.click();
    };
    const addToSet = () => {
      const { added, total } = addToDraft(sheet.exercises);
      const exercises = added === 1 ? "1 exercise" : `${added} exercises, one for each error`;
      const words2 = added ? `Added: ${exercises}. ` : "It is in your class set already. ";
      find(".told").classList.remove("wrong");
      find(".told").replaceChildren(
        words2,
        button("open-set link", `Open your class set (${total})`, openSets)
      );
    };
    const makeJudges = (judges) => {
      const select = make(
        "select",
        { class: "judge-choice" },
        ...judges.map((name) => make("option", { value: name, selected: name === judge }, name))
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
    const lay = (judges) => {
      root.classList.add("outlined");
      const outlines2 = button("outline-switch", "Outline errors", toggleMasks);
      outlines2.setAttribute("aria-pressed", "true");
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
              onclick: chooseConcept
            },
            make("span", { class: "concept-name" }),
            make("span", { class: "change" }, "Change")
          ),
          button("surprise primary", "Surprise me", surprise),
          button("another", "Another drawing", drawAnother),
          button("reset", "Reset", reset),
          make("p", { class: "tally" })
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
              make("p", { class: "outcome-words" })
            ),
            make(
              "div",
              { class: "under" },
              button("add-to-set", "Add to my class set", addToSet),
              outlines2,
              make("span", { class: "seed soft" }),
              makeJudges(judges)
            ),
            make(
              "div",
              { class: "shelf", hidden: true },
              make("p", { class: "soft" }, "Your finds in this visit"),
              make("ul", { class: "finds" })
            )
          ),
          make("section", { class: "facts", "aria-label": "The facts: switch them" })
        ),
        make("div", { class: "dialog-place" })
      );
    };
    const begin = async () => {
      const query = readAddress();
      const names = ["concept", "facts", "seed", "judge"];
      const request = Object.fromEntries(names.map((name) => [name, query.get(name) || ""]));
      const reply = await ask2("begin", request);
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
    const page2 = element.closest(".gradio-container");
    if (page2) {
      new IntersectionObserver(
        ([{ isIntersecting }]) => page2.classList.toggle("with-sticky", isIntersecting)
      ).observe(root);
    }
    begin();
  };

  // components/teach/exercise.js
  var NAME2 = "hallascope-learner";
  var STEP4 = 0.02;
  var MISSING = "something is missing";
  var TITLES = { level: "Level", coi: "Composition", category: "Category" };
  var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  var makeSign = (right) => {
    const sign = make("span", { class: `sign ${right ? "correct" : "incorrect"}` });
    const path = right ? "M3.2 8.6 6.5 12 12.8 4.6" : "M4 4 12 12M12 4 4 12";
    sign.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"
    fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>`;
    return sign;
  };
  var makeLine = (right, words2) => make("li", {}, makeSign(right), make("span", {}, words2));
  var verdictTitle = (result) => {
    if (result.fact && result.place !== false) return "Found";
    return result.fact || result.place ? "Half of it" : "Not this time";
  };
  var percent = (share2) => `${Math.round(share2 * 100)} %`;
  var clamp2 = (value) => Math.min(1, Math.max(0, value));
  var mount28 = ({ element, props, server }) => {
    const root = element.querySelector(".teach");
    const sorts = props.sorts || null;
    let work = null;
    let arrived = "";
    let position = 0;
    let sheet = null;
    let mark = null;
    let crosshair = [0.5, 0.5];
    let results = [];
    let turn = 0;
    const viewerRefreshers = [];
    const find = (selector) => root.querySelector(selector);
    const findButton = (selector) => (
      /** @type {HTMLButtonElement} */
      find(selector)
    );
    const ask2 = (name, request) => ask(server, name, request);
    const say = (words2, isWrong = false) => {
      find(".told").replaceChildren(words2);
      find(".told").classList.toggle("wrong", isWrong);
    };
    const paintMark = () => {
      const pin = find(".pin");
      if (!pin) return;
      const [x, y] = mark && mark.at ? mark.at : [0, 0];
      pin.hidden = !(mark && mark.at);
      pin.style.left = `${x * 100}%`;
      pin.style.top = `${y * 100}%`;
      find(".field").style.setProperty("--x", `${crosshair[0] * 100}%`);
      find(".field").style.setProperty("--y", `${crosshair[1] * 100}%`);
      const part = mark && mark.part;
      find(".missing").setAttribute("aria-pressed", String(part === MISSING));
      const list = (
        /** @type {HTMLSelectElement} */
        find(".parts")
      );
      list.value = part && part !== MISSING ? part : "";
    };
    const setMark = (next, words2 = "") => {
      if (results[position]) return;
      mark = next;
      paintMark();
      say(words2);
    };
    const markPart = (part) => setMark({ part }, `Marked: ${part}.`);
    const markAt = (x, y) => {
      crosshair = [x, y];
      const words2 = `Marked: ${percent(x)} from the left, ${percent(y)} from the top.`;
      setMark({ at: [x, y] }, words2);
    };
    const steer = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || results[position]) return;
      const arrow = ARROWS[
        /** @type {keyof typeof ARROWS} */
        event.key
      ];
      if (event.key === "Enter" || event.key === " ") {
        markAt(crosshair[0], crosshair[1]);
      } else if (arrow) {
        const step = STEP4 * (event.shiftKey ? 4 : 1);
        crosshair = crosshair.map((share2, axis) => clamp2(share2 + arrow[axis] * step));
        paintMark();
        const [left, top] = crosshair.map(percent);
        say(`${left} from the left, ${top} from the top; Enter marks.`);
      } else {
        return;
      }
      event.preventDefault();
    };
    const markByMouse = (event) => {
      const { left, top, width, height } = find(".field").getBoundingClientRect();
      markAt(clamp2((event.clientX - left) / width), clamp2((event.clientY - top) / height));
    };
    const makeField = () => {
      const markable = {
        tabindex: "0",
        role: "application",
        "aria-roledescription": "image to mark",
        "aria-label": "The image. Arrows move the crosshair, with Shift further; Enter marks the place.",
        onclick: markByMouse,
        onkeydown: steer
      };
      const picture = make("img", {
        src: sheet.picture,
        width: sheet.width,
        height: sheet.height,
        draggable: "false",
        alt: `An image that was to show ${sheet.prompt}`
      });
      return make(
        "div",
        { class: "field", ...sheet.place ? markable : {} },
        picture,
        make("span", { class: "crosshair", "aria-hidden": "true" }),
        make("span", { class: "pin", hidden: true, "aria-hidden": "true" })
      );
    };
    const makePlaces = () => {
      const legend = make("legend", {}, "1. Where is it wrong?");
      if (!sheet.place) {
        return make(
          "fieldset",
          { class: "where" },
          legend,
          make("p", { class: "soft" }, "The place is not known exactly, so it is not asked for."),
          make("select", { class: "parts", hidden: true }),
          make("button", { class: "missing", hidden: true, type: "button" })
        );
      }
      const list = make(
        "select",
        { class: "parts", "aria-label": "Name the part" },
        ...["", ...sheet.parts].map(
          (part) => make("option", { value: part }, part || "choose a part")
        )
      );
      list.addEventListener("change", () => list.value ? markPart(list.value) : setMark(null));
      const toggleMissing = () => mark && mark.part === MISSING ? setMark(null) : markPart(MISSING);
      const missing = make(
        "button",
        { type: "button", class: "missing", "aria-pressed": "false", onclick: toggleMissing },
        "Something is missing"
      );
      return make(
        "fieldset",
        { class: "where" },
        legend,
        make("p", { class: "soft" }, "Click the place in the image, or name it:"),
        make("div", { class: "named" }, list, missing)
      );
    };
    const makeFacts = () => {
      const name = `${element.id || "teach"}-fact`;
      return make(
        "fieldset",
        { class: "which" },
        make("legend", {}, "2. Which fact is wrong?"),
        ...sheet.facts.map(
          (fact, value) => make(
            "label",
            { class: "mark" },
            make("input", { type: "radio", name, value }),
            make("span", {}, fact)
          )
        )
      );
    };
    const chosenFact = () => {
      const radio = root.querySelector(".which input:checked");
      return radio ? Number(radio.value) : null;
    };
    const lock = () => {
      findAll(root, ".asks input, .asks select, .asks .missing, .check").forEach(
        (node) => node.setAttribute("disabled", "")
      );
      find(".field").removeAttribute("tabindex");
    };
    const markFacts = (result) => {
      const facts = findAll(root, ".which .mark");
      facts[result.answer].classList.add("gold");
      facts[result.answer].append(make("span", { class: "about" }, "this is wrong"));
      const isMissed = result.chosen !== null && result.chosen !== result.answer;
      if (isMissed) facts[result.chosen].classList.add("missed");
    };
    const showTruth2 = (result) => {
      find(".truth").innerHTML = result.viewer;
      viewerRefreshers.forEach((refresh) => refresh());
      const canvas = find(".truth .canvas");
      if (!canvas || !mark || !mark.at) return;
      const [left, top] = mark.at.map((share2) => `${share2 * 100}%`);
      const style = `left:${left};top:${top}`;
      canvas.append(make("span", { class: "pin yours", "aria-hidden": "true", style }));
    };
    const reveal2 = (result) => {
      const wrongFact = sheet.facts[result.answer];
      const placeWords = result.place ? "The place is right." : "The place is not right.";
      const factWords = result.fact ? "The fact is right." : `The fact is not right: it is “${wrongFact}”`;
      find(".verdict").replaceChildren(
        make("h3", { tabindex: "-1" }, verdictTitle(result)),
        make(
          "ul",
          {},
          ...result.place === null ? [] : [makeLine(result.place, placeWords)],
          makeLine(result.fact, factWords)
        ),
        make("p", { class: "judge soft" })
      );
      find(".verdict").hidden = false;
      markFacts(result);
      showTruth2(result);
      lock();
    };
    const showScore = () => {
      const done = results.filter(Boolean);
      const asked = done.filter(({ place }) => place !== null);
      const facts = done.filter(({ fact }) => fact).length;
      const places = asked.filter(({ place }) => place).length;
      const score = `Right so far: ${facts} of ${done.length} facts, ${places} of ${asked.length} places`;
      find(".score").replaceChildren(done.length ? score : "Nothing answered yet");
      const standing = done.length ? done[done.length - 1].standing : null;
      find(".standing").replaceChildren(
        standing && standing.name ? `${standing.name}, in all: ${standing.facts} of ${standing.done} facts, ${standing.places} of ${standing.asked} places` : ""
      );
    };
    const showJudge = async () => {
      const place = find(".judge");
      const ownTurn = turn;
      place.replaceChildren("The judge is looking …");
      const reply = await ask2("judge", { item: work.items[position], position });
      if (ownTurn === turn && place.isConnected) place.replaceChildren(reply.wrong || reply.words);
    };
    const check2 = async () => {
      const chosen = chosenFact();
      if (sheet.place && mark === null) {
        say("Mark the place first: click it in the image, or name it.", true);
        return;
      }
      if (chosen === null) {
        say("Choose the fact that is wrong first.", true);
        return;
      }
      const ownTurn = turn;
      const name = (
        /** @type {HTMLInputElement} */
        find(".name").value
      );
      findButton(".check").disabled = true;
      const item = work.items[position];
      const reply = await ask2("check", { item, position, mark, chosen, name, token: work.token });
      if (ownTurn !== turn) return;
      if (reply.wrong) {
        findButton(".check").disabled = false;
        say(reply.wrong, true);
        return;
      }
      results[position] = { ...reply, chosen, mark };
      say("");
      reveal2(results[position]);
      find(".verdict h3").focus({ preventScroll: true });
      showScore();
      showSteps();
      await showJudge();
    };
    const showSteps = () => {
      findButton(".previous").disabled = position === 0;
      findButton(".next").disabled = position === work.items.length - 1;
      find(".next").classList.toggle("primary", Boolean(results[position]));
    };
    const showSheet = (focus) => {
      find(".body").hidden = false;
      say("");
      const prompt = make("strong", {}, sheet.prompt);
      find(".meant").replaceChildren("Prompt: ", prompt, ". One fact is wrong.");
      find(".field").replaceWith(makeField());
      find(".where").replaceWith(makePlaces());
      find(".which").replaceWith(makeFacts());
      findButton(".check").disabled = false;
      const result = results[position];
      mark = result ? result.mark : null;
      paintMark();
      if (result) {
        const radios = findAll(root, ".which input");
        if (radios[result.chosen]) radios[result.chosen].checked = true;
        reveal2(result);
        showJudge();
      } else if (focus && sheet.place) {
        find(".field").focus({ preventScroll: true });
      }
      element.dataset.shown = String(turn);
    };
    const open = async (next, focus = true) => {
      position = next;
      turn += 1;
      const ownTurn = turn;
      mark = null;
      crosshair = [0.5, 0.5];
      find(".number").replaceChildren(`Image ${position + 1} of ${work.items.length}`);
      find(".truth").replaceChildren();
      find(".verdict").hidden = true;
      showSteps();
      const reply = await ask2("show", { item: work.items[position], position });
      if (ownTurn !== turn) return;
      if (reply.wrong) {
        find(".body").hidden = true;
        say(reply.wrong, true);
        return;
      }
      sheet = reply;
      showSheet(focus);
    };
    const practice = async () => {
      const names = Object.keys(sorts);
      const chosen = names.map((name) => {
        const select = (
          /** @type {HTMLSelectElement} */
          find(`[name=${name}]`)
        );
        return [name, select.value];
      });
      const reply = await ask2("practice", Object.fromEntries(chosen));
      if (reply.wrong) say(reply.wrong, true);
      else start(reply);
    };
    const makeFilters = () => {
      if (!sorts || work.title) return null;
      const selects = Object.entries(sorts).map(
        ([name, options]) => make(
          "label",
          {},
          make("span", {}, TITLES[name]),
          make(
            "select",
            { name, onchange: practice },
            ...options.map(
              ([value, words2]) => make("option", { value, selected: work.wanted[name] === value }, words2)
            )
          )
        )
      );
      const more = make("button", { type: "button", class: "more", onclick: practice }, "Shuffle");
      return make("div", { class: "sorts" }, ...selects, more);
    };
    const makeHeader = () => {
      const name = make("input", {
        class: "name",
        type: "text",
        maxlength: "80",
        autocomplete: "name",
        value: recall(NAME2) || ""
      });
      name.addEventListener("change", () => remember(NAME2, name.value));
      const note = sorts ? "Enter a name to save your answers." : "";
      return make(
        "div",
        { class: "desk-head" },
        work.title ? make("h2", { class: "lesson" }, work.title) : null,
        makeFilters(),
        make(
          "label",
          { class: "who" },
          make("span", {}, "Your name"),
          name,
          make("span", { class: "soft" }, note)
        )
      );
    };
    const makeBody = () => make(
      "div",
      { class: "body", hidden: true },
      make(
        "section",
        { class: "shown", "aria-label": "The image" },
        make("h2", { class: "number" }),
        make("p", { class: "meant" }),
        make("div", { class: "field" })
      ),
      make(
        "section",
        { class: "asks", "aria-label": "Your answer" },
        make("fieldset", { class: "where" }),
        make("fieldset", { class: "which" }),
        make("button", { type: "button", class: "check primary", onclick: check2 }, "Check"),
        make("div", { class: "verdict", hidden: true })
      )
    );
    const makeMoves = () => {
      const openPrevious = () => open(position - 1);
      const openNext = () => open(position + 1);
      return make(
        "div",
        { class: "moves" },
        make("button", { type: "button", class: "previous", onclick: openPrevious }, "Previous"),
        make("button", { type: "button", class: "next", onclick: openNext }, "Next image"),
        make("span", { class: "score soft" }),
        make("span", { class: "standing soft" })
      );
    };
    const lay = () => {
      root.replaceChildren(
        makeHeader(),
        makeBody(),
        make("p", { class: "told", role: "status" }),
        makeMoves(),
        make("div", { class: "truth" })
      );
      viewerRefreshers.length = 0;
      mount10({
        element: find(".truth"),
        trigger: () => {
        },
        watch: (_, refresh) => viewerRefreshers.push(refresh)
      });
    };
    const start = (value) => {
      const next = JSON.stringify(value);
      if (!value || !Array.isArray(value.items) || !value.items.length || next === arrived) return;
      arrived = next;
      work = JSON.parse(next);
      results = [];
      lay();
      showScore();
      open(0, false);
    };
    const begin = async () => {
      const set = readAddress().get("set") || "";
      const reply = props.value || await ask2("begin", { set });
      if (reply.wrong) {
        root.replaceChildren(
          make("p", { class: "told wrong", role: "alert" }, reply.wrong),
          make("button", { type: "button", onclick: beginWithoutSet }, "Practise without it")
        );
      } else {
        start(reply);
      }
      element.dataset.ready = "true";
    };
    const beginWithoutSet = async () => start(await ask2("begin", { set: "" }));
    begin();
  };

  // components/html/fields/number_field.js
  var NOTE = "out-of-bounds";
  var bound = (field, name) => {
    const match = field.className.match(new RegExp(`(?:^|\\s)${name}-(\\S+)`));
    return match ? match[1] : "";
  };
  var readable = (number) => Number(number).toLocaleString("en-US");
  var noteOf = (box) => box.parentElement.querySelector(`.${NOTE}`);
  var addNote = (box) => {
    const id = `note-${Math.random().toString(36).slice(2)}`;
    const note = make("span", { class: NOTE, id, role: "alert" });
    box.after(note);
    box.setAttribute("aria-describedby", id);
    return note;
  };
  var findFault = (box, field) => {
    const isWhole = field.classList.contains("whole");
    box.min = bound(field, "least");
    box.max = bound(field, "most");
    const { badInput, rangeUnderflow, rangeOverflow } = box.validity;
    const isFraction = isWhole && !Number.isInteger(Number(box.value));
    const isMissing = box.value === "" && !field.classList.contains("optional");
    if (!(isMissing || badInput || rangeUnderflow || rangeOverflow || isFraction)) return "";
    const kind = isWhole ? "whole number" : "number";
    const upTo = box.max && ` to ${readable(box.max)}`;
    return `Give a ${kind} from ${readable(box.min)}${upTo}.`;
  };
  var check = (box, field) => {
    const fault = findFault(box, field);
    box.setAttribute("aria-invalid", String(fault !== ""));
    if (fault) {
      (noteOf(box) || addNote(box)).textContent = fault;
    } else if (noteOf(box)) {
      noteOf(box).remove();
      box.removeAttribute("aria-describedby");
    }
    return fault;
  };
  var makeWholeNumber = (label, low, high, value, name) => {
    const box = make("input", { type: "number", class: name, step: "1" });
    box.value = String(value);
    const classes = `bounded whole least-${low} most-${high}`;
    const field = make("label", { class: classes }, make("span", {}, label), box);
    const findFaultOf = (called) => {
      const fault = check(box, field);
      return fault && `The ${called} is ${box.value || "missing"}: g${fault.slice(1)}`;
    };
    return { box, field, findFault: findFaultOf };
  };
  ["input", "change", "focusin", "focusout"].forEach(
    (type) => document.addEventListener(type, (event) => {
      const box = event.target;
      const field = closest(event, ".bounded");
      if (field && box instanceof HTMLInputElement && box.type === "number") check(box, field);
    })
  );

  // components/teach/lesson_editor.js
  var TITLES2 = { level: "Level", coi: "Composition", category: "Category" };
  var labeled2 = (words2, control) => make("label", {}, make("span", {}, words2), control);
  var button2 = (kind, words2, action) => make("button", { type: "button", class: kind, onclick: action }, words2);
  var fillOptions = (select, entries, nothing) => {
    const shown = entries.length ? entries : [{ words: nothing, item: null }];
    select.replaceChildren(
      ...shown.map((entry) => make("option", { value: JSON.stringify(entry) }, entry.words))
    );
  };
  var chosenEntry = (select) => {
    const entry = select.value ? JSON.parse(select.value) : null;
    return entry && entry.item ? entry : null;
  };
  var linkTo = (query) => `${location.origin}${location.pathname}?${new URLSearchParams(query)}`;
  var mount29 = ({ element, props, server }) => {
    const root = element.querySelector(".bench");
    const known = props.known;
    let entries = [];
    let lesson = null;
    const find = (selector) => root.querySelector(selector);
    const say = (words2, isWrong = false) => {
      find(".told").replaceChildren(words2);
      find(".told").classList.toggle("wrong", isWrong);
    };
    const askOrSay = async (name, request) => {
      const reply = await ask(server, name, request);
      if (!reply.wrong) return reply;
      say(reply.wrong, true);
      return null;
    };
    const move = (from, to) => {
      const [entry] = entries.splice(from, 1);
      if (to !== null) entries.splice(to, 0, entry);
      listChanged();
      const position = Math.min(to ?? from, entries.length - 1);
      const focus = find(".chosen-items").children[position]?.querySelector("button:not(:disabled)");
      focus?.focus();
    };
    const makeEntry = (entry, position) => {
      const step = (words2, to, disabled) => make(
        "button",
        {
          type: "button",
          disabled,
          "aria-label": `${words2}: ${entry.words}`,
          onclick: () => move(position, to)
        },
        words2
      );
      return make(
        "li",
        {},
        make("span", {}, entry.words),
        make(
          "span",
          { class: "row-moves" },
          step("Up", position - 1, position === 0),
          step("Down", position + 1, position === entries.length - 1),
          step("Remove", null, false)
        )
      );
    };
    const forgetLesson = () => {
      lesson = null;
      find(".made").hidden = true;
    };
    const listChanged = () => {
      writeDraft(entries);
      forgetLesson();
      find(".chosen-items").replaceChildren(...entries.map(makeEntry));
      find(".none-yet").hidden = entries.length > 0;
      find(".finish").toggleAttribute("disabled", entries.length === 0);
    };
    const add = (added) => {
      entries = [...entries, ...added];
      listChanged();
      say(added.length === 1 ? `Added: ${added[0].words}` : `${added.length} exercises added.`);
    };
    const makeDrawing = () => {
      const list = `${element.id}-prompts`;
      const faults = make(
        "select",
        { class: "faults" },
        make("option", { value: "" }, "name a prompt first")
      );
      const seed = makeWholeNumber("Seed", 0, 999999, 0, "seed");
      const listFaults = async () => {
        const reply = await askOrSay("faults", { prompt: prompt.value });
        if (!reply) return;
        fillOptions(faults, reply.found, "nothing can be wrong in it");
        say("");
      };
      const prompt = make("input", { type: "text", class: "prompt", list, onchange: listFaults });
      const addDrawing = () => {
        const fault = seed.findFault("seed");
        if (fault) {
          say(fault, true);
          return;
        }
        const entry = chosenEntry(faults);
        if (!entry) {
          say("Name a prompt that Primer draws first, then what is wrong in it.", true);
          return;
        }
        const number = Number(seed.box.value);
        const words2 = `${entry.item[0]}: ${entry.words}`;
        add([{ item: [...entry.item.slice(0, 3), number], words: words2 }]);
      };
      return make(
        "fieldset",
        {},
        make("legend", {}, "A drawing"),
        make("datalist", { id: list }, ...known.prompts.map((value) => make("option", { value }))),
        labeled2("It is to show", prompt),
        labeled2("What is wrong", faults),
        seed.field,
        button2("add-drawing", "Add", addDrawing)
      );
    };
    const makeSample = () => {
      const number = makeWholeNumber("How many", 1, 40, 5, "number");
      const selects = Object.entries(known.sorts).map(
        ([name, options]) => make(
          "select",
          { name },
          ...options.map(([value, words2]) => make("option", { value }, words2))
        )
      );
      const addSample = async () => {
        const fault = number.findFault("number of exercises");
        if (fault) {
          say(fault, true);
          return;
        }
        const sorts = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
        const reply = await askOrSay("chance", { number: Number(number.box.value), ...sorts });
        if (reply) add(reply.found);
      };
      return make(
        "fieldset",
        {},
        make("legend", {}, "By chance"),
        number.field,
        ...selects.map((select) => labeled2(TITLES2[select.name], select)),
        button2("add-chance", "Add", addSample)
      );
    };
    const makeRunPicture = () => {
      const faults = make(
        "select",
        { class: "wrongs" },
        make("option", { value: "" }, "name a run first")
      );
      const listFaults = async () => {
        const reply = await askOrSay("wrongs", { run: run.value });
        if (!reply) return;
        fillOptions(faults, reply.found, "nothing in it is known to be wrong");
        say("");
      };
      const run = make("input", {
        type: "text",
        class: "run",
        value: readAddress().get("run") || "",
        onchange: listFaults
      });
      const addPicture = () => {
        const entry = chosenEntry(faults);
        if (entry) add([entry]);
        else say("Look for what is wrong in the run first, then choose.", true);
      };
      return make(
        "fieldset",
        {},
        make("legend", {}, "An image of a run"),
        labeled2("Run", run),
        button2("look-run", "Show", listFaults),
        labeled2("What is wrong, and in which image", faults),
        button2("add-run", "Add", addPicture)
      );
    };
    const makeLink = (words2, url, kind) => {
      const field = make("input", { type: "text", readonly: true, class: kind, value: url });
      field.addEventListener("focus", () => field.select());
      const copy2 = async () => {
        field.select();
        try {
          await navigator.clipboard.writeText(url);
          say("Copied.");
        } catch {
          say("Copy what is marked by hand: this browser does not let a page do it.");
        }
      };
      return make(
        "div",
        { class: "linked" },
        labeled2(words2, field),
        make("button", { type: "button", onclick: copy2 }, "Copy")
      );
    };
    const askAnswers = () => askOrSay("answers", { token: lesson.token, key: lesson.key });
    const showAnswers = async () => {
      const reply = await askAnswers();
      if (reply) find(".class").innerHTML = reply.html;
    };
    const saveAnswers = async () => {
      const reply = await askAnswers();
      if (reply) saveFile("answers.csv", reply.csv, "text/csv");
    };
    const savePage = async () => {
      say("The page is being made; the judge looks at every image …");
      const reply = await askOrSay("as_page", { token: lesson.token });
      if (!reply) return;
      saveFile(reply.name, reply.text, "text/html");
      say("The page is saved: it opens without a server.");
    };
    const showLesson = () => {
      const { token, key } = lesson;
      const learner = linkTo({ tab: "teach", set: token });
      const teacher = linkTo({ tab: "teach", part: "sets", set: token, key });
      const teacherWords = "For you alone: with this link you see the answers. Keep it.";
      const teacherButtons = [
        button2("look-answers", "Look at the answers", showAnswers),
        button2("save-answers", "Save the answers as a table", saveAnswers)
      ];
      find(".made").hidden = false;
      find(".made").replaceChildren(
        make("h3", { tabindex: "-1" }, "The set is ready"),
        makeLink("For learners: the link holds the whole set", learner, "learner-link"),
        ...key ? [makeLink(teacherWords, teacher, "teacher-link")] : [],
        make(
          "div",
          { class: "row-moves" },
          button2("save-page", "Save as a page without a server", savePage),
          ...key ? teacherButtons : []
        ),
        make("div", { class: "class" })
      );
    };
    const finish = async () => {
      const title = root.querySelector(".title");
      const items = entries.map(({ item }) => item);
      const reply = await askOrSay("make", { title: title.value, items });
      if (!reply) return;
      lesson = reply;
      showLesson();
      say("");
      find(".made h3").focus();
    };
    const lay = () => {
      const title = make("input", {
        type: "text",
        class: "title",
        maxlength: "120",
        oninput: forgetLesson
      });
      const none = "No exercises yet: add some above. They are asked in this order.";
      root.replaceChildren(
        make("p", { class: "told", role: "status" }),
        labeled2("Title of the set", title),
        make("div", { class: "adding" }, makeDrawing(), makeSample(), makeRunPicture()),
        make(
          "section",
          { "aria-label": "The exercises of the set" },
          make("p", { class: "soft none-yet" }, none),
          make("ol", { class: "chosen-items" })
        ),
        button2("finish primary", "Make the set", finish),
        make("section", { class: "made", hidden: true })
      );
    };
    const openDraft = () => {
      entries = readDraft();
      listChanged();
    };
    const begin = async () => {
      const query = readAddress();
      if (!query.get("set") || query.get("part") !== "sets") return;
      const request = { set: query.get("set"), key: query.get("key") || "" };
      const reply = await askOrSay("begin", request);
      if (!reply) return;
      entries = reply.items;
      listChanged();
      const title = root.querySelector(".title");
      title.value = reply.title;
      lesson = { token: reply.token, key: reply.key };
      showLesson();
      if (lesson.key) showAnswers();
    };
    lay();
    openDraft();
    document.addEventListener(CHANGED2, openDraft);
    begin();
    element.dataset.ready = "true";
  };

  // components/teach/odd_one_out.js
  var HIDDEN = "hallascope-rounds-hidden";
  var ICONS2 = {
    right: "M3.2 8.6 6.5 12 12.8 4.6",
    wrong: "M4 4 12 12M12 4 4 12",
    none: "M4 8H12"
  };
  var MEANINGS = {
    found: "the judge sees the error",
    missed: "the judge takes it for right",
    "false alarm": "the judge objects, but nothing is wrong",
    "not asked": "no question is about it"
  };
  var RUN_SHOWN2 = "#cards .tile, #status .status.wrong";
  var RUN_BUSY = "#status progress";
  var percent2 = (share2) => `${(100 * share2).toFixed(1)} %`;
  var makeIcon2 = (name) => {
    const holder = make("span", { class: "round-icon" });
    holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS2[name]}"/></svg>`;
    return holder;
  };
  var makeOutline = (outline) => {
    const holder = make("span", { class: "round-outline" });
    holder.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true"><path class="halo"/><path class="line"/></svg>`;
    holder.querySelectorAll("path").forEach((path) => path.setAttribute("d", outline));
    return holder;
  };
  var makeMark = (kind, words2, isError = false) => {
    const classes = { right: "correct", wrong: "incorrect", none: "unasked" };
    return make(
      "li",
      {},
      make(
        "span",
        {
          class: `sign ${classes[kind]}${isError ? " judge-errs" : ""}`,
          role: "img",
          "aria-label": words2,
          title: words2
        },
        makeIcon2(kind)
      )
    );
  };
  var makeTruthMark = (mark) => makeMark(mark.wrong ? "wrong" : "right", mark.truth);
  var makeJudgeMark = (mark) => {
    const isError = mark.word === "missed" || mark.word === "false alarm";
    if (mark.flagged === null) return makeMark("none", mark.answer, isError);
    return makeMark(mark.flagged ? "wrong" : "right", mark.answer, isError);
  };
  var makeWord = (word) => make("span", { class: `round-word ${word.replace(" ", "-")}`, title: MEANINGS[word] }, word);
  var words = (marks) => marks.flatMap(({ word }) => word === null ? [] : [word]);
  var makeStrip = (label, marks) => make(
    "div",
    { class: "round-strip" },
    make("span", { class: "round-label" }, label),
    make("ul", { class: "strip", "aria-label": label }, ...marks)
  );
  var makeStrips = (image) => make(
    "div",
    { class: "round-strips" },
    makeStrip("Truth", image.marks.map(makeTruthMark)),
    makeStrip("Judge", image.marks.map(makeJudgeMark)),
    make(
      "p",
      { class: "round-words" },
      ...words(image.marks).map(makeWord),
      make("span", { class: "soft" }, `${image.correct} of ${image.answered}`)
    )
  );
  var makeOpenStrips = () => make(
    "div",
    { class: "round-strips open", "aria-hidden": "true" },
    ...["Truth", "Judge"].map(
      (label) => makeStrip(
        label,
        Array.from({ length: 5 }, () => make("li", {}, make("span", { class: "sign" })))
      )
    ),
    make("p", { class: "round-words" })
  );
  var mount30 = ({ element, props, server }) => {
    const root = element.querySelector(".rounds");
    const { judge, total, sensitivity, specificity, example } = props.first;
    const rounds = [props.first.round];
    let guesses = [];
    let position = 0;
    const isHit = (number) => guesses[number] === rounds[number].odd;
    const isJudgeHit = (number) => rounds[number].judge === rounds[number].odd;
    const ownScore = () => guesses.filter((_, number) => isHit(number)).length;
    const judgeScore = () => guesses.filter((_, number) => isJudgeHit(number)).length;
    const load = async (number) => {
      if (rounds[number]) return null;
      const reply = await ask(server, "more", number);
      if (reply.wrong) return reply.wrong;
      rounds[number] = reply;
      return null;
    };
    const say = (sentence) => {
      root.querySelector(".rounds-said").replaceChildren(sentence);
    };
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
        make("strong", {}, score)
      );
    };
    const makeTallies = () => make("div", { class: "tallies" }, makeTally("You", isHit), makeTally("Judge", isJudgeHit));
    const makeHead = (title, lead = "") => make(
      "header",
      { class: "rounds-head" },
      make("div", {}, make("h2", { tabindex: "-1" }, title), make("p", { class: "soft" }, lead)),
      make(
        "div",
        { class: "rounds-place" },
        make("span", {}, position < total ? `Round ${position + 1} of ${total}` : ""),
        make("button", { type: "button", class: "rounds-hide", onclick: hideByHand }, "Hide")
      )
    );
    const makeExample = () => make(
      "div",
      { class: "round-example" },
      make(
        "div",
        { class: "round-frame" },
        make("img", {
          src: example.images[0].source,
          alt: `${example.name}: ${example.shown} in place of ${example.expected}`,
          width: 320,
          height: 320
        }),
        makeOutline(example.outline)
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
          " what a model sees."
        )
      ),
      makeStrips(example.images[0])
    );
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
    const makeResult = (round) => {
      const right = guesses[position] === round.odd;
      const isLast = position === total - 1;
      return make(
        "div",
        { class: `round-result ${right ? "hit" : "miss"}` },
        make(
          "h3",
          {},
          makeIcon2(right ? "right" : "wrong"),
          right ? "You found it" : `It is image ${round.odd + 1}`
        ),
        make("p", { class: "round-question" }, round.question),
        make(
          "p",
          {},
          make("span", { class: "round-shown" }, `Drawn: ${round.shown}`),
          " · ",
          make("span", { class: "round-expected" }, `Expected: ${round.expected}`)
        ),
        make("p", { class: "soft round-why" }, round.why),
        make("p", { class: "round-judge" }, judgeSentence(round)),
        make(
          "button",
          { type: "button", class: "rounds-next primary", onclick: isLast ? showEnd : openNext },
          isLast ? "See the result" : "Next round"
        )
      );
    };
    const makeWaiting = () => make(
      "div",
      { class: "round-waiting" },
      make("h3", {}, "Your guess?"),
      make(
        "p",
        { class: "soft" },
        "Three images are as they should be, one has a wrong fact. The judge answers five questions about each; its guess is the image with the lowest score."
      )
    );
    const makeSidePart = () => {
      if (position in guesses) return makeResult(rounds[position]);
      return position === 0 ? makeExample() : makeWaiting();
    };
    const makeSide = () => make("div", { class: "rounds-side" }, makeSidePart(), makeTallies());
    const makeTileImage = (image) => make("img", { src: image.source, alt: "", width: 320, height: 320, draggable: "false" });
    const makeOpenTile = (image, number) => make(
      "li",
      { class: "round-tile open" },
      make(
        "button",
        {
          type: "button",
          class: "round-pick",
          "aria-label": `Image ${number + 1} of ${rounds[position].images.length}`,
          onclick: () => guess(number)
        },
        makeTileImage(image)
      ),
      makeOpenStrips()
    );
    const makeSolvedTile = (image, number) => {
      const round = rounds[position];
      const isOdd = number === round.odd;
      const tags = [
        guesses[position] === number ? make("span", { class: "round-tag you" }, "Your guess") : null,
        round.judge === number ? make("span", { class: "round-tag" }, "Judge's guess") : null
      ];
      const alt = isOdd ? `Image ${number + 1}, wrong: ${round.shown} in place of ${round.expected}` : `Image ${number + 1}, as expected`;
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
          make("span", { class: "round-tags" }, ...tags)
        ),
        makeStrips(image)
      );
    };
    const showRound = () => {
      const round = rounds[position];
      root.classList.toggle("guessed", position in guesses);
      const makeTile = position in guesses ? makeSolvedTile : makeOpenTile;
      root.replaceChildren(
        makeHead(
          `Which of these is not ${round.name}?`,
          "One of the four has a wrong fact. Choose it, and see whether the judge finds it too."
        ),
        make(
          "div",
          { class: "rounds-body" },
          makeSide(),
          make("ol", { class: "rounds-tiles" }, ...round.images.map(makeTile))
        ),
        make("p", { class: "rounds-said unseen", role: "status" })
      );
      root.dataset.round = String(position + 1);
    };
    const guess = (number) => {
      if (position in guesses) return;
      guesses[position] = number;
      const round = rounds[position];
      showRound();
      const own = isHit(position) ? "You found it." : `It is image ${round.odd + 1}.`;
      say(
        `${own} ${round.question} Drawn: ${round.shown}. Expected: ${round.expected}. ${judgeSentence(round)} You ${ownScore()}, judge ${judgeScore()}.`
      );
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
    const makeErrors = () => {
      const rows = rounds.flatMap(
        (round) => round.images.flatMap(
          (image, number) => words(image.marks).filter((word) => word !== "found").map((word) => makeError(round, image, number, word))
        )
      );
      return make("ul", { class: "round-errors" }, ...rows);
    };
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
          isOdd ? makeOutline(round.outline) : null
        ),
        make(
          "span",
          {},
          makeWord(word),
          make("strong", {}, round.name),
          make(
            "span",
            { class: "soft" },
            isOdd ? `${round.question} Drawn: ${round.shown}. Expected: ${round.expected}.` : mark.answer
          )
        )
      );
    };
    const openTeach = () => {
      const tab = document.querySelector("#tabs [role=tab][data-tab-id=teach]");
      tab.click();
    };
    const focusPrompt = () => {
      const prompt = document.querySelector("#prompt input, #prompt textarea");
      prompt.scrollIntoView({ block: "center" });
      prompt.focus();
    };
    const showEnd = () => {
      position = total;
      root.replaceChildren(
        makeHead(
          `You ${ownScore()}, judge ${judgeScore()}`,
          `Of ${total} rounds. The judge is ${judge}.`
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
              `The rounds are chosen, they are not a random sample: in its trial on Primer images the judge flags ${percent2(sensitivity)} of the wrong facts and accepts ${percent2(specificity)} of the right ones, where it is asked about them.`
            ),
            make(
              "div",
              { class: "rounds-moves" },
              make(
                "button",
                { type: "button", class: "primary", onclick: focusPrompt },
                "Try a prompt of your own"
              ),
              make(
                "button",
                { type: "button", onclick: openTeach },
                "Find more errors on the Learn tab"
              ),
              make("button", { type: "button", onclick: playAgain }, "Play again")
            )
          ),
          make("div", {}, make("h3", {}, "What the judge missed"), makeErrors())
        ),
        make("p", { class: "rounds-said unseen", role: "status" })
      );
      root.dataset.round = "end";
      root.querySelector("h2").focus({ preventScroll: true });
    };
    const hide = () => {
      const again = make(
        "button",
        { type: "button", class: "rounds-again", onclick: showAgain },
        "Play the rounds again"
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
      const find = (selector) => document.querySelector(selector) !== null;
      let shown = find(RUN_SHOWN2);
      let busy = find(RUN_BUSY);
      const observer = new MutationObserver(() => {
        if (!element.isConnected) {
          observer.disconnect();
          return;
        }
        const [nowShown, nowBusy] = [find(RUN_SHOWN2), find(RUN_BUSY)];
        if (nowShown && !shown || nowBusy && !busy) hideForRun();
        [shown, busy] = [nowShown, nowBusy];
      });
      observer.observe(element.closest(".tabitem") || document.body, {
        childList: true,
        subtree: true
      });
      document.addEventListener("click", (event) => {
        if (element.isConnected && closest(event, "#go")) hideForRun();
      });
    };
    watchRuns();
    if (readAddress().get("run") || recall(HIDDEN) === "yes" || document.querySelector(RUN_SHOWN2)) {
      hide();
    } else {
      showRound();
    }
    element.dataset.ready = "true";
  };

  // components/html/definitions.js
  var TAB_METRICS = {
    ihalla: "ihalla",
    fig: "fig",
    scene_graph: "scene-graph",
    factualbench: "factualbench"
  };
  var CHOICES = {
    explore: "#metrics input:checked",
    leaderboard: "#board input[name=board-metric]:checked"
  };
  var shownMetrics = () => {
    const tab = document.querySelector("#tabs [role=tab][aria-selected=true]");
    const name = tab?.dataset.tabId ?? "";
    if (name in TAB_METRICS) return [TAB_METRICS[name]];
    const boxes = name in CHOICES ? findAll(document, CHOICES[name]) : [];
    return boxes.map((box) => box.value);
  };
  var update = () => {
    const shown = shownMetrics();
    for (const line of findAll(document, "[data-defines]"))
      line.hidden = !shown.includes(line.dataset.defines);
  };
  window.addEventListener("change", () => setTimeout(update, 0), true);
  var drawn = new MutationObserver(() => {
    const tabs = document.querySelector("#tabs .tab-wrapper");
    if (!tabs || !document.querySelector("[data-defines]")) return;
    drawn.disconnect();
    new MutationObserver(update).observe(tabs, {
      attributes: true,
      attributeFilter: ["aria-selected"],
      childList: true,
      subtree: true
    });
    update();
  });
  drawn.observe(document.documentElement, { childList: true, subtree: true });
  var offered = new MutationObserver(() => {
    if (!document.querySelector(CHOICES.explore)) return;
    offered.disconnect();
    update();
  });
  offered.observe(document.documentElement, { childList: true, subtree: true });

  // components/html/fields/key_field.js
  document.addEventListener("paste", (event) => {
    const field = closest(event, "#terms input[type=password]");
    if (field) requestAnimationFrame(() => field.blur());
  });

  // components/theme/look.js
  var KEY = "hallascope-look";
  var rememberedLook = () => recall(KEY);
  var showLook = (look) => {
    document.body.classList.toggle("dark", look === "dark");
    findAll(document, "[data-look]").forEach((button3) => {
      button3.setAttribute("aria-pressed", String(look === "dark"));
    });
  };
  var listenForLook = () => document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-look]")) return;
    const look = document.body.classList.contains("dark") ? "light" : "dark";
    remember(KEY, look);
    showLook(look);
  });

  // components/theme/page_look.js
  var TAB_BUTTONS = "#tabs .tab-wrapper :is([role=tab], .overflow-dropdown button)";
  var OPEN_MENU = ".overflow-menu:has(.overflow-dropdown:not(.hide)) > button";
  listenForLook();
  if (!readAddress().get("__theme") && rememberedLook()) {
    const observer = new MutationObserver(() => {
      if (!document.querySelector("[data-look]")) return;
      observer.disconnect();
      showLook(rememberedLook());
    });
    observer.observe(document.documentElement, { childList: true, subtree: true });
  }
  var readPlaces = () => {
    const header = document.querySelector("[data-tabs]");
    return JSON.parse(header.dataset.tabs);
  };
  var parts = {};
  document.addEventListener("click", (event) => {
    const button3 = closest(event, TAB_BUTTONS);
    const place = button3 && readPlaces()[button3.textContent.trim()];
    if (!place) return;
    if (place.part) parts[place.tab] = place.first ? null : place.part;
    const isFirstTab = place.first && !place.part;
    pushAddress({ tab: isFirstTab ? null : place.tab, part: parts[place.tab] || null });
  });
  var namedPlace = () => {
    const query = readAddress();
    const tab = query.get("tab");
    const part = Object.values(readPlaces()).find(
      (place) => place.part !== null && place.part === tab
    );
    return part || { tab, part: query.get("part") };
  };
  var openPlace = (isWanted) => {
    const places = readPlaces();
    const buttons = findAll(document, TAB_BUTTONS).filter((button4) => {
      const place = places[button4.textContent.trim()];
      return place && isWanted(place);
    });
    const button3 = buttons.find((each) => each.checkVisibility()) || buttons[0];
    if (button3 && button3.getAttribute("aria-selected") !== "true") button3.click();
    return Boolean(button3);
  };
  var showPlace = () => {
    const { tab, part } = namedPlace();
    openPlace((place) => !place.part && (tab ? place.tab === tab : place.first));
    const isPart = (place) => place.part !== null && place.tab === tab && (part ? place.part === part : place.first);
    if (!Object.values(readPlaces()).some(isPart) || openPlace(isPart)) return;
    const observer = new MutationObserver(() => {
      if (openPlace(isPart)) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  };
  document.addEventListener("hallascope:opened", () => {
    if (!readAddress().get("tab")) return;
    const { tab, part } = namedPlace();
    parts[tab] = part;
    changeAddress({ tab, part });
    showPlace();
  });
  addEventListener("popstate", () => {
    if (!document.querySelector("[data-tabs]")) return;
    parts[readAddress().get("tab")] = readAddress().get("part");
    showPlace();
    document.dispatchEvent(new Event(RETURN));
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" ? document.querySelector(OPEN_MENU) : null;
    if (!menu) return;
    event.preventDefault();
    menu.click();
    menu.focus();
  });
  document.addEventListener(
    "click",
    (event) => {
      const chip = closest(event, "a.judge-chip");
      const tab = document.querySelector("#tabs [role=tab][data-tab-id=judges]");
      if (!chip || !tab || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      event.stopPropagation();
      changeAddress({ judge: chip.dataset.judge });
      tab.click();
      document.dispatchEvent(new CustomEvent("hallascope:judge"));
    },
    true
  );

  // components/js/page.js
  window.hallascope = {
    "cards/cards": mount,
    "comparison/slider": mount2,
    "comparison/tables": mount3,
    "error_analysis/error_map": mount4,
    "error_analysis/selection_bar": mount5,
    "error_analysis/gallery": mount6,
    "error_analysis/slice_table": mount8,
    "error_analysis/run_changes": mount7,
    "error_analysis/image_grid": mount9,
    "evidence/viewer": mount10,
    "html/fields/file_button": mount11,
    "judges/judges": mount12,
    "leaderboard/drilldown": mount13,
    "leaderboard/figure_clicks": mount14,
    "leaderboard/leaderboard_controls": mount15,
    "leaderboard/scatter_hover": mount16,
    "models/pickers": mount17,
    "models/prompt_help": mount18,
    "models/settings_line": mount19,
    "models/prompts": mount20,
    "people/labelling": mount21,
    "questions/review": mount22,
    "questions/saved_sets": mount23,
    "readings/panel": mount24,
    "share/share": mount25,
    "runs/panel": mount26,
    "teach/break_it": mount27,
    "teach/exercise": mount28,
    "teach/lesson_editor": mount29,
    "teach/odd_one_out": mount30
  };
})();
