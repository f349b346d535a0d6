/* The bench of a teacher: exercises are added to a list, put in order, and become a link or a page. Everything is built from nodes, so no
   text becomes markup; the table of the class comes as HTML from its own builders. */
const root = element.querySelector(".bench");
const KNOWN = props.known; // { sorts, prompts }
const TITLES = { level: "Level", coi: "Composition", category: "Category" };
let items = []; // { item, words }
let made = null; // { token, key, id }

const find = (selector) => root.querySelector(selector);
const asked = async (name, about) => {
  try { return await server[name](about); } catch { return { wrong: "The page's server does not answer: try again, or open the page anew." }; }
};
const say = (words, wrong = false) => {
  find(".told").replaceChildren(words);
  find(".told").classList.toggle("wrong", wrong);
};
const told = (said) => { if (said.wrong) say(said.wrong, true); return !said.wrong; };

/* --- the list ---------------------------------------------------------------------------------------------------------------------- */

const move = (from, to) => {
  const [one] = items.splice(from, 1);
  if (to !== null) items.splice(to, 0, one);
  changed();
  const row = find(".chosen-items").children[Math.min(to === null ? from : to, items.length - 1)];
  if (row) row.querySelector("button:not(:disabled)").focus();
};
const entry = (one, place) => {
  const step = (words, to, off) => make("button", { type: "button", disabled: off, "aria-label": `${words}: ${one.words}`, onclick: () => move(place, to) }, words);
  return make("li", {}, make("span", {}, one.words), make("span", { class: "row-moves" },
    step("Up", place - 1, place === 0), step("Down", place + 1, place === items.length - 1), step("Remove", null, false)));
};
const changed = () => {
  made = null;
  find(".chosen-items").replaceChildren(...items.map(entry));
  find(".none-yet").hidden = items.length > 0;
  find(".made").hidden = true;
  find(".finish").disabled = items.length === 0;
};
const add = (more) => {
  items = [...items, ...more];
  changed();
  say(more.length === 1 ? `Added: ${more[0].words}` : `${more.length} exercises added.`);
};

/* --- what can be added --------------------------------------------------------------------------------------------------------------- */

const labelled = (words, control) => make("label", {}, make("span", {}, words), control);
const fill = (select, found, nothing) => {
  select.replaceChildren(...(found.length ? found : [{ words: nothing, item: null }]).map((one) => make("option", { value: JSON.stringify(one) }, one.words)));
};
const picked = (select) => { const one = select.value ? JSON.parse(select.value) : null; return one && one.item ? one : null; };
const drawing = () => {
  const list = `${element.id}-prompts`;
  const faults = make("select", { class: "faults" }, make("option", { value: "" }, "name a prompt first"));
  const seed = make("input", { type: "number", class: "seed", min: "0", max: "999999", value: "0" });
  const look = async () => {
    const said = await asked("faults", { prompt: prompt.value });
    if (told(said)) { fill(faults, said.found, "nothing can be wrong in it"); say(""); }
  };
  const prompt = make("input", { type: "text", class: "prompt", list, onchange: look });
  const put = () => {
    const one = picked(faults);
    if (!one) return say("Name a prompt that Primer draws first, then what is wrong in it.", true);
    return add([{ item: [...one.item.slice(0, 3), Math.max(0, Math.trunc(Number(seed.value)) || 0)], words: `${one.item[0]}: ${one.words}` }]);
  };
  return make("fieldset", {}, make("legend", {}, "A drawing"), make("datalist", { id: list }, ...KNOWN.prompts.map((one) => make("option", { value: one }))),
    labelled("It is to show", prompt), labelled("What is wrong", faults), labelled("Seed", seed), make("button", { type: "button", class: "add-drawing", onclick: put }, "Add"));
};
const sample = () => {
  const number = make("input", { type: "number", class: "number", min: "1", max: "40", value: "5" });
  const selects = Object.entries(KNOWN.sorts).map(([name, options]) => make("select", { name }, ...options.map(([value, words]) => make("option", { value }, words))));
  const put = async () => {
    const said = await asked("chance", { number: Number(number.value), ...Object.fromEntries(selects.map((one) => [one.name, one.value])) });
    if (told(said)) add(said.found);
  };
  return make("fieldset", {}, make("legend", {}, "By chance"), labelled("How many", number), ...selects.map((one) => labelled(TITLES[one.name], one)),
    make("button", { type: "button", class: "add-chance", onclick: put }, "Add"));
};
const ofRun = () => {
  const wrongs = make("select", { class: "wrongs" }, make("option", { value: "" }, "name a run first"));
  const look = async () => {
    const said = await asked("wrongs", { run: run.value });
    if (told(said)) { fill(wrongs, said.found, "nothing in it is known to be wrong"); say(""); }
  };
  const run = make("input", { type: "text", class: "run", value: new URLSearchParams(location.search).get("run") || "", onchange: look });
  const put = () => { const one = picked(wrongs); return one ? add([one]) : say("Look for what is wrong in the run first, then choose.", true); };
  return make("fieldset", {}, make("legend", {}, "A picture of a run"), labelled("Run", run), make("button", { type: "button", class: "look-run", onclick: look }, "Look"),
    labelled("What is wrong, and in which picture", wrongs), make("button", { type: "button", class: "add-run", onclick: put }, "Add"));
};

/* --- the link, the page, the class ----------------------------------------------------------------------------------------------------- */

const address = (about) => `${location.origin}${location.pathname}?${new URLSearchParams(about)}`;
const linked = (words, url, kind) => {
  const field = make("input", { type: "text", readonly: true, class: kind, value: url, onfocus: (event) => event.target.select() });
  const copy = async () => {
    field.select();
    try { await navigator.clipboard.writeText(url); say("Copied."); } catch { say("Copy what is marked by hand: this browser does not let a page do it."); }
  };
  return make("div", { class: "linked" }, labelled(words, field), make("button", { type: "button", onclick: copy }, "Copy"));
};
const save = (name, text, kind) => {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};
const answers = async () => {
  const said = await asked("answers", { token: made.token, key: made.key });
  if (told(said)) find(".class").innerHTML = said.html; // built and escaped by the tables' own builders
};
const table = async () => {
  const said = await asked("answers", { token: made.token, key: made.key });
  if (told(said)) save("answers.csv", said.csv, "text/csv");
};
const page = async () => {
  say("The page is being made; the judge looks at every picture …");
  const said = await asked("as_page", { token: made.token });
  if (told(said)) { save(said.name, said.text, "text/html"); say("The page is saved: it opens without a server."); }
};
const showMade = () => {
  const learner = address({ tab: "teach", set: made.token });
  const teacher = address({ tab: "teach", part: "sets", set: made.token, key: made.key });
  find(".made").hidden = false;
  find(".made").replaceChildren(make("h3", { tabindex: "-1" }, "The set is ready"),
    linked("For learners: the link holds the whole set", learner, "learner-link"),
    ...(made.key ? [linked("For you alone: with this link you see the answers. Keep it.", teacher, "teacher-link")] : []),
    make("div", { class: "row-moves" }, make("button", { type: "button", class: "save-page", onclick: page }, "Save as a page without a server"),
      ...(made.key ? [make("button", { type: "button", class: "look-answers", onclick: answers }, "Look at the answers"), make("button", { type: "button", class: "save-answers", onclick: table }, "Save the answers as a table")] : [])),
    make("div", { class: "class" }));
};
const finish = async () => {
  const said = await asked("make", { title: find(".title").value, items: items.map((one) => one.item) });
  if (!told(said)) return;
  made = said;
  showMade();
  say("");
  find(".made h3").focus();
};
const lay = () => {
  root.replaceChildren(
    make("p", { class: "told", role: "status" }),
    labelled("Title of the set", make("input", { type: "text", class: "title", maxlength: "120", oninput: () => { made = null; find(".made").hidden = true; } })),
    make("div", { class: "adding" }, drawing(), sample(), ofRun()),
    make("section", { "aria-label": "The exercises of the set" }, make("p", { class: "soft none-yet" }, "No exercises yet: add some above. They are asked in this order."), make("ol", { class: "chosen-items" })),
    make("button", { type: "button", class: "finish primary", disabled: true, onclick: finish }, "Make the set"),
    make("section", { class: "made", hidden: true }),
  );
};
/* A set that the address names, with the key to its answers where that stands there, too. */
const begin = async () => {
  const found = new URLSearchParams(location.search);
  if (!found.get("set") || found.get("part") !== "sets") return;
  const said = await asked("begin", { set: found.get("set"), key: found.get("key") || "" });
  if (!told(said)) return;
  items = said.items;
  changed();
  find(".title").value = said.title;
  made = { token: said.token, key: said.key };
  showMade();
  if (made.key) answers();
};
lay();
changed();
begin();
element.dataset.ready = "true";
