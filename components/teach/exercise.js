/* The desk of a learner: a picture with one wrong fact. Mark the place (mouse, or arrows and Enter, or by name), choose the fact, see the
   truth. Everything that people wrote becomes text nodes; the truth comes as HTML from the viewer's own builders. `server` has begin, show,
   check, judge and practice: on the dashboard they are Python, on a page without a server they read what the page brought along. */
const root = element.querySelector(".teach");
const SORTS = props.sorts || null; // null: there is nothing to choose from, only the set
const NAME = "hallascope-learner";
const STEP = 0.02; // of the picture, that an arrow moves the crosshair
const TITLES = { level: "Level", coi: "Composition", category: "Category" };
const ICONS = { right: "M3.2 8.6 6.5 12 12.8 4.6", wrong: "M4 4 12 12M12 4 4 12" };
let held = null; // { items, title, token, wanted }
let shownWork = "";
let at = 0;
let sheet = null; // of the exercise that is shown
let mark = null; // { at: [x, y] } or { part }
let cross = [0.5, 0.5];
let results = []; // by place: what `check` said
let turn = 0; // counts what is shown, so that a late reply finds no other exercise

const viewer = (element, trigger, watch) => {
/* THE VIEWER */
};
const refreshers = [];

const sign = (right) => {
  const holder = make("span", { class: `sign ${right ? "correct" : "incorrect"}` });
  holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[right ? "right" : "wrong"]}" fill="none" `
    + `stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>`;
  return holder;
};
const find = (selector) => root.querySelector(selector);
const remember = (name) => { try { localStorage.setItem(NAME, name); } catch { /* a private window keeps nothing */ } };
const remembered = () => { try { return localStorage.getItem(NAME) || ""; } catch { return ""; } };
const asked = async (name, about) => {
  try { return await server[name](about); } catch { return { wrong: "The page's server does not answer: try again, or open the page anew." }; }
};
const say = (words, wrong = false) => {
  find(".told").replaceChildren(words);
  find(".told").classList.toggle("wrong", wrong);
};

/* --- the place --------------------------------------------------------------------------------------------------------------------- */

const percent = (share) => `${Math.round(share * 100)} %`;
const paintMark = () => {
  const pin = find(".pin");
  const field = find(".field");
  if (!pin) return;
  const [x, y] = mark && mark.at ? mark.at : [0, 0];
  pin.hidden = !(mark && mark.at);
  pin.style.left = `${x * 100}%`;
  pin.style.top = `${y * 100}%`;
  field.style.setProperty("--x", `${cross[0] * 100}%`);
  field.style.setProperty("--y", `${cross[1] * 100}%`);
  const named = mark && mark.part;
  find(".missing").setAttribute("aria-pressed", String(named === "something is missing"));
  find(".parts").value = named && named !== "something is missing" ? named : "";
};
const put = (next, words) => {
  if (results[at]) return;
  mark = next;
  paintMark();
  say(words);
};
const putAt = (x, y) => {
  cross = [x, y];
  put({ at: [x, y] }, `Marked: ${percent(x)} from the left, ${percent(y)} from the top.`);
};
const within = (value) => Math.min(1, Math.max(0, value));
const steer = (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || results[at]) return;
  if (event.key === "Enter" || event.key === " ") putAt(...cross);
  else if (step) {
    const by = STEP * (event.shiftKey ? 4 : 1);
    cross = [within(cross[0] + step[0] * by), within(cross[1] + step[1] * by)];
    paintMark();
    say(`${percent(cross[0])} from the left, ${percent(cross[1])} from the top; Enter marks.`);
  } else return;
  event.preventDefault();
};
const click = (event) => {
  const { left, top, width, height } = find(".field").getBoundingClientRect();
  putAt(within((event.clientX - left) / width), within((event.clientY - top) / height));
};
const field = () => {
  const about = `The picture. Arrows move the crosshair, with Shift further; Enter marks the place.`;
  const picture = make("img", {
    src: sheet.picture, width: sheet.width, height: sheet.height, draggable: "false", alt: `A picture that was to show ${sheet.prompt}`,
  });
  const steered = { tabindex: "0", role: "application", "aria-roledescription": "picture to mark", "aria-label": about, onclick: click, onkeydown: steer };
  const plain = { class: "field" };
  const marks = [make("span", { class: "crosshair", "aria-hidden": "true" }), make("span", { class: "pin", hidden: true, "aria-hidden": "true" })];
  return sheet.place ? make("div", { class: "field", ...steered }, picture, ...marks) : make("div", plain, picture, ...marks);
};
const places = () => {
  if (!sheet.place) return make("fieldset", { class: "where" }, make("legend", {}, "1. Where is it wrong?"),
    make("p", { class: "soft" }, "Nobody knows the place exactly, so it is not asked for."), make("select", { class: "parts", hidden: true }), make("button", { class: "missing", hidden: true, type: "button" }));
  const options = ["", ...sheet.parts].map((part) => make("option", { value: part }, part || "choose a part"));
  const list = make("select", {
    class: "parts", "aria-label": "Name the part",
    onchange: (event) => (event.target.value ? put({ part: event.target.value }, `Marked: ${event.target.value}.`) : put(null, "")),
  }, ...options);
  const lacking = make("button", {
    type: "button", class: "missing", "aria-pressed": "false",
    onclick: () => (mark && mark.part === "something is missing" ? put(null, "") : put({ part: "something is missing" }, "Marked: something is missing.")),
  }, "Something is missing");
  return make("fieldset", { class: "where" }, make("legend", {}, "1. Where is it wrong?"),
    make("p", { class: "soft" }, "Click the place in the picture, or name it:"), make("div", { class: "named" }, list, lacking));
};

/* --- the fact ---------------------------------------------------------------------------------------------------------------------- */

const facts = () => make("fieldset", { class: "which" }, make("legend", {}, "2. Which fact is wrong?"), ...sheet.facts.map((fact, place) => make("label", { class: "mark" },
  make("input", { type: "radio", name: `${element.id || "teach"}-fact`, value: place }), make("span", {}, fact))));
const chosenFact = () => { const radio = find(".which input:checked"); return radio ? Number(radio.value) : null; };

/* --- the answer -------------------------------------------------------------------------------------------------------------------- */

const lock = () => {
  root.querySelectorAll(".asks input, .asks select, .asks .missing, .check").forEach((node) => { node.disabled = true; });
  find(".field").removeAttribute("tabindex");
};
const line = (right, words) => make("li", {}, sign(right), make("span", {}, words));
const reveal = (said, focus) => {
  const lines = [];
  if (said.place !== null) lines.push(line(said.place, said.place ? "The place is right." : "The place is not right."));
  lines.push(line(said.fact, said.fact ? "The fact is right." : `The fact is not right: it is “${sheet.facts[said.answer]}”`));
  find(".verdict").replaceChildren(make("h3", { tabindex: "-1" }, said.fact && said.place !== false ? "Found" : said.fact || said.place ? "Half of it" : "Not this time"),
    make("ul", {}, ...lines), make("p", { class: "judge soft" }));
  find(".verdict").hidden = false;
  const marked = [...root.querySelectorAll(".which .mark")];
  marked[said.answer].classList.add("gold");
  marked[said.answer].append(make("span", { class: "about" }, "this is wrong"));
  if (said.chosen !== null && said.chosen !== said.answer) marked[said.chosen].classList.add("missed");
  find(".truth").innerHTML = said.viewer; // built and escaped by the evidence viewer
  refreshers.forEach((refresh) => refresh());
  if (mark && mark.at) {
    const canvas = find(".truth .canvas");
    if (canvas) canvas.append(make("span", { class: "pin yours", "aria-hidden": "true", style: `left:${mark.at[0] * 100}%;top:${mark.at[1] * 100}%` }));
  }
  lock();
  if (focus) find(".verdict h3").focus({ preventScroll: true });
};
const tally = () => {
  const done = results.filter(Boolean);
  const asks = done.filter((one) => one.place !== null);
  const words = done.length
    ? `Right so far: ${done.filter((one) => one.fact).length} of ${done.length} facts, ${asks.filter((one) => one.place).length} of ${asks.length} places`
    : "Nothing answered yet";
  find(".score").replaceChildren(words);
  const last = done.length ? done[done.length - 1].standing : null;
  find(".standing").replaceChildren(last && last.name ? `${last.name}, in all: ${last.facts} of ${last.done} facts, ${last.places} of ${last.asked} places` : "");
};
const showJudge = async (mine) => {
  const place = find(".judge");
  place.replaceChildren("The judge is looking …");
  const said = await asked("judge", { item: held.items[at], position: at });
  if (mine === turn && place.isConnected) place.replaceChildren(said.wrong || said.words);
};
const check = async () => {
  const chosen = chosenFact();
  if (sheet.place && mark === null) return say("Mark the place first: click it in the picture, or name it.", true);
  if (chosen === null) return say("Choose the fact that is wrong first.", true);
  const mine = turn;
  find(".check").disabled = true;
  const said = await asked("check", { item: held.items[at], position: at, mark, chosen, name: find(".name").value, token: held.token });
  if (mine !== turn) return undefined;
  if (said.wrong) { find(".check").disabled = false; return say(said.wrong, true); }
  results[at] = { ...said, chosen, mark };
  say("");
  reveal(results[at], true);
  tally();
  step();
  return showJudge(mine);
};

/* --- from one to the next ---------------------------------------------------------------------------------------------------------- */

const step = () => {
  find(".previous").disabled = at === 0;
  find(".next").disabled = at === held.items.length - 1;
  find(".next").classList.toggle("primary", Boolean(results[at]));
};
const open = async (place, focus = true) => {
  at = place;
  turn += 1;
  const mine = turn;
  mark = null;
  cross = [0.5, 0.5];
  find(".number").replaceChildren(`Picture ${at + 1} of ${held.items.length}`);
  find(".truth").replaceChildren();
  find(".verdict").hidden = true;
  step();
  const said = await asked("show", { item: held.items[at], position: at });
  if (mine !== turn) return;
  if (said.wrong) { find(".body").hidden = true; say(said.wrong, true); return; }
  sheet = said;
  find(".body").hidden = false;
  say("");
  find(".meant").replaceChildren("It was to show ", make("strong", {}, sheet.prompt), ". One fact is wrong.");
  find(".field").replaceWith(field());
  find(".where").replaceWith(places());
  find(".which").replaceWith(facts());
  find(".check").disabled = false;
  mark = results[at] ? results[at].mark : null;
  paintMark();
  if (results[at]) {
    const radio = root.querySelectorAll(".which input")[results[at].chosen];
    if (radio) radio.checked = true;
    reveal(results[at], false);
    showJudge(mine);
  } else if (focus && sheet.place) find(".field").focus({ preventScroll: true });
  element.dataset.shown = String(turn);
};
const practise = async () => {
  const wanted = Object.fromEntries(Object.keys(SORTS).map((name) => [name, find(`[name=${name}]`).value]));
  const said = await asked("practice", wanted);
  if (said.wrong) say(said.wrong, true);
  else arrive(said);
};
const filters = () => {
  if (!SORTS || held.title) return [];
  const selects = Object.entries(SORTS).map(([name, options]) => make("label", {}, make("span", {}, TITLES[name]),
    make("select", { name, onchange: practise }, ...options.map(([value, words]) => make("option", { value, selected: held.wanted[name] === value }, words)))));
  return [make("div", { class: "sorts" }, ...selects, make("button", { type: "button", class: "more", onclick: practise }, "Other pictures"))];
};
const lay = () => {
  const named = make("input", { class: "name", type: "text", maxlength: "80", autocomplete: "name", value: remembered(), onchange: (event) => remember(event.target.value) });
  const note = SORTS ? "With a name, your first answer to each picture is kept." : "";
  root.replaceChildren(
    make("div", { class: "desk-head" },
      ...(held.title ? [make("h2", { class: "lesson" }, held.title)] : []), ...filters(),
      make("label", { class: "who" }, make("span", {}, "Your name"), named, make("span", { class: "soft" }, note))),
    make("div", { class: "body", hidden: true },
      make("section", { class: "shown", "aria-label": "The picture" }, make("h2", { class: "number" }), make("p", { class: "meant" }), make("div", { class: "field" })),
      make("section", { class: "asks", "aria-label": "Your answer" }, make("fieldset", { class: "where" }), make("fieldset", { class: "which" }),
        make("button", { type: "button", class: "check primary", onclick: check }, "Check"), make("div", { class: "verdict", hidden: true }))),
    make("p", { class: "told", role: "status" }),
    make("div", { class: "moves" },
      make("button", { type: "button", class: "previous", onclick: () => open(at - 1) }, "Previous"),
      make("button", { type: "button", class: "next", onclick: () => open(at + 1) }, "Next picture"),
      make("span", { class: "score soft" }), make("span", { class: "standing soft" })),
    make("div", { class: "truth" }),
  );
  refreshers.length = 0;
  viewer(find(".truth"), () => {}, (_, refresh) => refreshers.push(refresh));
};
const arrive = (value) => {
  const work = JSON.stringify(value);
  if (!value || !Array.isArray(value.items) || !value.items.length || work === shownWork) return;
  shownWork = work;
  held = JSON.parse(work);
  results = [];
  lay();
  tally();
  open(0, false);
};
/* What is on the desk first: what the page brought along, else the set of the address, else what the server begins with. */
const begin = async () => {
  const said = props.value || await asked("begin", { set: new URLSearchParams(location.search).get("set") || "" });
  if (said.wrong) root.replaceChildren(make("p", { class: "told wrong", role: "alert" }, said.wrong), make("button", { type: "button", onclick: unlinked }, "Practise without it"));
  else arrive(said);
  element.dataset.ready = "true";
};
const unlinked = async () => arrive(await asked("begin", { set: "" }));
begin();
