/* The desk: one picture, its questions, an answer by a key. Everything is built from nodes, so no text becomes markup. Answers are sent one
   after the other, so that the last line of a picture is its newest. */
const KEYS = props.marks; // "A" to "E" and "?", on the keys 1 to 6; a question may have marks of its own
const CANNOT_BE_TOLD = "Cannot be told";
const root = element.querySelector(".desk");
// { items: [{ id, picture, caption, questions: [{ text, choices, marks, judged }] }], answers: [[mark or null]], at, who }
let held = null;
let shownWork = ""; // the work as it arrived last
let current = 0; // the question that a key answers
let sending = Promise.resolve();
const unsaved = new Set(); // places of pictures whose answers are not kept yet

const find = (selector) => root.querySelector(selector);
const finished = (place) => held.answers[place].every((mark) => mark !== null);

/* --- saving --------------------------------------------------------------------------------------------------------- */

const status = (words, wrong = false) => {
  find(".told").replaceChildren(words);
  find(".told").classList.toggle("wrong", wrong);
};
const send = async (place) => {
  const answers = [...held.answers[place]];
  let said;
  try { said = await server.save({ id: held.items[place].id, answers, who: held.who }); } catch { said = { wrong: "The page's server does not answer." }; }
  if (said.wrong) status(`Not saved: ${said.wrong} It is tried again with the next answer.`, true);
  else {
    if (JSON.stringify(answers) === JSON.stringify(held.answers[place])) unsaved.delete(place);
    if (!unsaved.size) status("Saved.");
  }
};
const save = (place) => {
  unsaved.add(place);
  status("Saving …");
  sending = sending.then(async () => { for (const one of [...unsaved]) await send(one); });
};
window.addEventListener("beforeunload", (event) => { if (unsaved.size) event.preventDefault(); });

/* --- answering ------------------------------------------------------------------------------------------------------ */

const fields = () => [...root.querySelectorAll(".asks")];
const count = () => {
  const done = held.answers.filter((_, place) => finished(place)).length;
  find("progress").value = done;
  find(".done").replaceChildren(`${done} of ${held.items.length} labelled`);
};
const look = (question, focus) => {
  current = question;
  fields().forEach((field, place) => field.classList.toggle("current", place === question));
  const field = fields()[question];
  if (!focus || !field) return;
  (field.querySelector("input:checked") || field.querySelector("input")).focus({ preventScroll: true });
  field.scrollIntoView({ block: "nearest" });
};
const answer = (question, mark) => {
  held.answers[held.at][question] = mark;
  count();
  save(held.at);
};
const press = (place) => { // of the key: answers the question and goes on to the next
  const field = fields()[current];
  if (!field) return;
  const radio = field.querySelectorAll("input")[place];
  radio.checked = true;
  answer(current, radio.value);
  look(Math.min(current + 1, fields().length - 1), true);
};

/* --- showing -------------------------------------------------------------------------------------------------------- */

const option = (question, place, words, chosen) => {
  const asked = held.items[held.at].questions[question];
  const mark = (asked.marks || KEYS)[place];
  const radio = make("input", {
    type: "radio", name: `${element.id}-${held.at}-${question}`, value: mark,
    onchange: () => answer(question, radio.value), onfocus: () => look(question),
  });
  radio.checked = chosen === mark;
  const letter = /[A-E]/.test(mark) ? `${mark}) ` : "";
  const judged = asked.judged === mark ? [make("span", { class: "about" }, "judge")] : [];
  return make("label", { class: "mark" }, radio, make("kbd", { "aria-hidden": "true" }, place + 1), make("span", {}, letter + words), ...judged);
};
const asks = (question, place) => {
  const chosen = held.answers[held.at][place];
  const options = [...question.choices, CANNOT_BE_TOLD].map((words, at) => option(place, at, words, chosen));
  return make("fieldset", { class: "asks", onclick: () => look(place) }, make("legend", {}, `${place + 1}. ${question.text}`), ...options);
};
const show = (at, focus = true) => {
  held.at = Math.min(Math.max(at, 0), held.items.length - 1);
  const item = held.items[held.at];
  find("img").src = item.picture;
  find("img").alt = `Picture ${item.name || item.id}`;
  find(".number").replaceChildren(`Picture ${item.name || item.id}`);
  find(".meant").replaceChildren(item.caption || "");
  find(".questions").replaceChildren(...item.questions.map(asks));
  find(".previous").disabled = held.at === 0;
  find(".next").disabled = held.at === held.items.length - 1;
  count();
  const open = held.answers[held.at].indexOf(null);
  look(Math.max(open, 0), focus);
};
const onward = () => { // to the next picture that is not finished, around the end
  const order = held.items.map((_, step) => (held.at + 1 + step) % held.items.length);
  const open = order.find((place) => !finished(place));
  if (open === undefined) status("All pictures are labelled.");
  else show(open);
};
const button = (kind, words, key, action) => make("button", { type: "button", class: kind, "aria-keyshortcuts": key, onclick: action },
  words, make("kbd", { "aria-hidden": "true" }, key));
const lay = () => root.replaceChildren(
  make("section", { class: "shown" }, make("h2", { class: "number" }), make("p", { class: "meant" }), make("img", { draggable: "false" }),
    make("div", { class: "moves" }, button("previous", "Previous", "P", () => show(held.at - 1)), button("next", "Next", "N", () => show(held.at + 1)),
      button("onward", "Next unfinished", "U", onward)),
    make("p", { class: "tally" }, make("progress", { max: held.items.length, "aria-label": "Labelled" }), make("span", { class: "done" })),
    make("p", { class: "told", role: "status" })),
  make("section", { class: "questions", "aria-label": "Questions" }),
);
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest && event.target.closest("textarea, select, [contenteditable], input:not([type=radio])");
  if (!held || typing || event.ctrlKey || event.metaKey || event.altKey || !root.offsetParent) return; // not while the desk is out of sight
  const action = { p: () => show(held.at - 1), n: () => show(held.at + 1), u: onward }[event.key.toLowerCase()];
  const field = fields()[current];
  const place = field ? [...field.querySelectorAll("input")].findIndex((_, at) => event.key === String(at + 1)) : -1;
  if (!action && place < 0) return;
  event.preventDefault();
  if (action) action();
  else press(place);
});
const arrive = () => {
  const work = JSON.stringify(props.value);
  if (work === shownWork || !props.value || !Array.isArray(props.value.items)) return;
  shownWork = work;
  held = JSON.parse(work);
  if (!held.items.length) {
    held = null;
    root.replaceChildren();
    return;
  }
  lay();
  show(held.at);
  element.dataset.ready = "true";
};
watch("value", arrive);
arrive();
