/* The review: cards of questions to edit, move, drop and add. The value is the sheet; everything is built from nodes, so no text becomes
   markup. Only a sheet with a new stamp is shown: what else comes back is an echo, and must not undo what was typed meanwhile. */
const LETTERS = ["A", "B", "C", "D", "E"];
const PAUSE = 500; // milliseconds without typing before the server is asked for remarks
const root = element.querySelector(".review");
let sheet = null; // { stamp, prompt, about, rows }
let before = null; // what a "bring it back" restores: { sheet, words }
let serial = 0;
let timer = null;

const copy = (value) => JSON.parse(JSON.stringify(value));
const spaced = (text) => text.split(/\s+/).filter(Boolean).join(" ");
const content = (row) => JSON.stringify([row.coi, spaced(row.text), row.choices.map(spaced), row.gold]);
const origin = (row) => {
  if (!row.was) return props.by_hand;
  const said = row.origin || "";
  if (said === props.by_hand || said.endsWith(props.edited) || content(row) === content(row.was)) return said || sheet.about.source;
  return [said || sheet.about.source, props.edited].filter(Boolean).join(", ");
};

/* --- what the server is told, and what it says ------------------------------------------------------------------ */

const tell = () => { props.value = copy(sheet); };
const look = async () => {
  const asked = JSON.stringify(sheet);
  let said;
  try { said = await server.remarks(copy(sheet)); } catch { return; } // without remarks one can review all the same
  if (asked !== JSON.stringify(sheet)) return; // typed on since: asked again after the next pause
  cards().forEach((card, at) => {
    card.querySelector(".remarks").replaceChildren(...(said.each[at] || []).map((words) => make("li", {}, words)));
  });
  root.querySelector(".remarks-of-all").replaceChildren(...said.all.map((words) => make("li", {}, words)));
};
const touched = () => {
  tell();
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
};

/* --- cards -------------------------------------------------------------------------------------------------------- */

const cards = () => [...root.querySelectorAll(".draft")];
const fit = (box) => { box.style.height = "auto"; box.style.height = `${box.scrollHeight + 2}px`; };
const say = (words, back = null) => {
  before = back;
  root.querySelector(".told-last").replaceChildren(words);
  root.querySelector(".bring-back").hidden = !back;
};
const number = () => cards().forEach((card, at, all) => {
  const name = `question ${at + 1}`;
  const label = (selector, words) => card.querySelectorAll(selector).forEach((node) => node.setAttribute("aria-label", words));
  card.querySelector(".number").textContent = at + 1;
  card.setAttribute("aria-label", `Question ${at + 1}`);
  label(".up", `Move ${name} up`);
  label(".down", `Move ${name} down`);
  label(".drop", `Drop ${name}`);
  label("select", `Composition of interest of ${name}`);
  label(".text", `Text of ${name}`);
  card.querySelector(".up").setAttribute("aria-disabled", String(at === 0));
  card.querySelector(".down").setAttribute("aria-disabled", String(at === all.length - 1));
});
const said = (row, card) => {
  card.querySelector(".origin").textContent = origin(row);
  card.querySelectorAll(".pick-one").forEach((one) => one.classList.toggle("gold", one.dataset.letter === row.gold));
};
const edit = (row, card, change) => { change(); said(row, card); touched(); };
const move = (row, card, step, focus) => {
  const at = sheet.rows.indexOf(row);
  const to = at + step;
  if (to < 0 || to >= sheet.rows.length) return;
  sheet.rows.splice(at, 1);
  sheet.rows.splice(to, 0, row);
  const list = root.querySelector(".sheet");
  list.insertBefore(card, step < 0 ? list.children[to] : list.children[to + 1]);
  number();
  (focus || card.querySelector(step < 0 ? ".up" : ".down")).focus();
  card.scrollIntoView({ block: "nearest" });
  say(`Question ${at + 1} is now question ${to + 1}.`);
  touched();
};
const drop = (row, card) => {
  const at = sheet.rows.indexOf(row);
  const was = copy(sheet);
  sheet.rows.splice(at, 1);
  card.remove();
  number();
  say(`Question ${at + 1} is dropped.`, was);
  const next = cards()[Math.min(at, cards().length - 1)];
  (next ? next.querySelector(".drop") : root.querySelector(".add")).focus();
  touched();
};
const choice = (row, card, place, name) => {
  const letter = LETTERS[place];
  const none = letter === "E";
  const radio = make("input", {
    type: "radio", name, value: letter, "aria-label": `${letter} is the right answer`,
    onchange: () => edit(row, card, () => { row.gold = letter; }),
  });
  radio.checked = row.gold === letter;
  const box = none
    ? make("span", { class: "fixed" }, props.none)
    : make("input", { type: "text", "aria-label": `Choice ${letter}`, maxlength: 1000, oninput: () => edit(row, card, () => { row.choices[place] = box.value; }) });
  if (!none) box.value = row.choices[place] || "";
  return make("div", { class: "pick-one", "data-letter": letter },
    make("label", { class: "mark", title: "Mark as the right answer" }, radio, make("span", { class: "letter" }, letter)), box);
};
const draft = (row) => {
  const name = `gold-${element.id || "review"}-${serial++}`;
  const card = make("li", { class: "draft", role: "group" });
  const select = make("select", { class: "coi", onchange: () => edit(row, card, () => { row.coi = select.value; }) },
    row.coi ? null : make("option", { value: "" }, "composition of interest"),
    ...props.cois.map((coi) => make("option", { value: coi }, coi)));
  select.value = row.coi;
  const text = make("textarea", {
    class: "text", rows: 1, maxlength: 2000, placeholder: "What is to be seen in the image?",
    oninput: () => { fit(text); edit(row, card, () => { row.text = text.value; }); },
  });
  text.value = row.text;
  const button = (kind, words, action) => make("button", { type: "button", class: kind, onclick: action }, words);
  card.append(
    make("div", { class: "draft-head" }, make("span", { class: "number", "aria-hidden": "true" }), select, make("span", { class: "origin" }),
      make("span", { class: "moves" }, button("up", "Up", () => move(row, card, -1)), button("down", "Down", () => move(row, card, 1)),
        button("drop", "Drop", () => drop(row, card)))),
    text,
    make("div", { class: "pick-row", role: "radiogroup", "aria-label": "Choices; mark the right one" }, ...LETTERS.map((_, place) => choice(row, card, place, name))),
    make("ul", { class: "remarks" }),
  );
  card.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    move(row, card, step, document.activeElement);
  });
  said(row, card);
  return card;
};
const add = () => {
  const row = { coi: "", text: "", choices: ["", "", "", ""], gold: "", origin: "", regions: [], was: null };
  sheet.rows.push(row);
  const card = draft(row);
  root.querySelector(".sheet").append(card);
  number();
  say(`Question ${sheet.rows.length} is added.`);
  card.querySelector(".text").focus();
  touched();
};

/* --- the whole ------------------------------------------------------------------------------------------------------ */

const show = (next) => {
  sheet = copy(next);
  const prompt = make("input", { type: "text", maxlength: 4000, placeholder: "What the picture should show", oninput: () => { sheet.prompt = prompt.value; touched(); } });
  prompt.value = sheet.prompt;
  root.replaceChildren(
    make("label", { class: "for-prompt" }, make("span", {}, "For the prompt"), prompt),
    make("ul", { class: "remarks remarks-of-all" }),
    make("ol", { class: "sheet", "aria-label": "Questions" }, ...sheet.rows.map(draft)),
    make("div", { class: "review-foot" }, make("button", { type: "button", class: "add", onclick: add }, "Add a question"),
      make("span", { class: "told-last", role: "status" }),
      make("button", { type: "button", class: "bring-back", hidden: true, onclick: restore }, "Bring back")),
  );
  number();
  cards().forEach((card) => fit(card.querySelector(".text")));
  look();
};
const restore = () => {
  const [back, now] = [before, copy(sheet)];
  show(back);
  tell();
  say("Brought back.", now);
  (cards()[0] ? cards()[0].querySelector(".text") : root.querySelector(".add")).focus();
};
const arrive = () => {
  const next = props.value;
  if (!next || !Array.isArray(next.rows)) return;
  if (sheet && next.stamp === sheet.stamp) {
    if (JSON.stringify(next) !== JSON.stringify(sheet)) tell(); // a late echo
    return;
  }
  const [first, was] = [!sheet, sheet && sheet.rows.length ? sheet : null];
  show(next);
  if (!first && element.getBoundingClientRect().top < 0) element.scrollIntoView(); // opened from the list below
  if (was) say("Other questions stood here.", copy(was));
};
watch("value", arrive);
arrive();
let width = 0;
new ResizeObserver(() => { // the width is known only once the tab is open, and changes with the window
  if (element.clientWidth !== width) cards().forEach((card) => fit(card.querySelector(".text")));
  width = element.clientWidth;
}).observe(element);
element.dataset.ready = "true";
