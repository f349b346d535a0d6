/* The evidence viewer: a question and the region it is about light up together, in both directions, without asking the server. */
const all = (selector) => [...element.querySelectorAll(selector)];
const one = (selector) => element.querySelector(selector);
const listOf = (node, name) => JSON.parse(node.dataset[name] || "[]");
let shownKey = null;
let chosen = null;

const remember = () => {
  const root = one(".evidence");
  const found = new URLSearchParams(location.search);
  if (!root || !root.dataset.key || found.get("run") !== root.dataset.run || found.get("image") !== root.dataset.key) return;
  if (chosen === null) found.delete("question"); else found.set("question", String(chosen + 1));
  history.replaceState(history.state, "", `${location.pathname}?${found}`);
};
const kindOf = (card) => ["correct", "incorrect", "left-out"].find((kind) => card.classList.contains(kind)) || "waiting";

/* Light up what belongs to the chosen question; with `related`, its neighbours about the same region too. */
const paint = () => {
  const card = chosen === null ? null : one(`.question[data-question="${chosen}"]`);
  const parts = card ? listOf(card, "parts") : [];
  const overlay = one(".overlay");
  const regions = all(".region");
  const lit = regions.filter((region) => parts.includes(region.dataset.part));
  all(".question").forEach((other) => {
    other.classList.toggle("lit", other === card);
    other.querySelector(".question-title").setAttribute("aria-pressed", String(other === card));
  });
  regions.forEach((region) => {
    region.classList.toggle("lit", lit.includes(region));
    region.setAttribute("aria-pressed", String(lit.includes(region)));
  });
  if (overlay) {
    overlay.dataset.kind = card ? kindOf(card) : "";
    overlay.classList.toggle("lit", Boolean(card));
    overlay.classList.toggle("counting", Boolean(card) && card.dataset.coi === "counting");
    overlay.classList.toggle("everything", Boolean(card) && parts.length === 0);
    const shapes = lit.map((region) => region.querySelector(".shape").getAttribute("d")).join("");
    one(".veil").setAttribute("d", shapes ? `M0 0H1000V1000H0Z${shapes}` : "");
  }
  say(card, parts, lit);
};
const say = (card, parts, lit) => {
  const hint = one(".hint");
  if (!hint) return;
  const missing = parts.filter((part) => !lit.some((region) => region.dataset.part === part));
  let words = hint.dataset.idle;
  if (card && parts.length === 0) words = "This question is about the whole picture.";
  else if (card && lit.length) words = `Marked: ${lit.map((region) => region.dataset.part).join(", ")}.${missing.length ? ` Not in this picture: ${missing.join(", ")}.` : ""}`;
  else if (card && all(".region").length) words = `Not to be seen in this picture: ${parts.join(", ")}.`;
  if (hint.textContent !== words) hint.textContent = words;
};
const choose = (index, toggle) => {
  chosen = toggle && chosen === index ? null : index;
  paint();
  remember();
  const { run, key } = one(".evidence").dataset;
  document.dispatchEvent(new CustomEvent("hallascope:choose", { detail: { source: element, run, key, question: chosen } }));
  trigger("select", { run, key, question: chosen });
};
/* A choice made elsewhere on the page; the address is right already, or is written here. */
document.addEventListener("hallascope:choose", ({ detail }) => {
  const root = one(".evidence");
  if (detail.source === element || !root || !root.dataset.key) return;
  const found = new URLSearchParams(location.search);
  found.set("run", detail.run);
  found.set("image", detail.key);
  if (detail.question === null) found.delete("question"); else found.set("question", String(detail.question + 1));
  history.replaceState(history.state, "", `${location.pathname}?${found}`);
  if (detail.key === root.dataset.key) { chosen = detail.question; paint(); }
});

/* From a region to its questions: the first one, and with every further time the next. */
const fromRegion = (region) => {
  const about = listOf(region, "questions");
  if (!about.length) return;
  const here = about.indexOf(chosen);
  choose(about[(here + 1) % about.length], false);
  const card = one(`.question[data-question="${chosen}"]`);
  if (card) card.scrollIntoView({ block: "nearest", behavior: "smooth" });
};
const related = (indices) => all(".question").forEach((card) => {
  card.classList.toggle("near", indices.includes(Number(card.dataset.question)));
});

element.addEventListener("click", (event) => {
  if (event.target.closest("details")) return;
  const region = event.target.closest(".region");
  if (region) return fromRegion(region);
  const card = event.target.closest(".question");
  if (card) return choose(Number(card.dataset.question), true);
  if (event.target.closest(".overlay") && chosen !== null) choose(null, false);
});
element.addEventListener("keydown", (event) => {
  const region = event.target.closest(".region");
  if (region && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return fromRegion(region);
  }
  if (event.key === "Escape" && chosen !== null) return choose(null, false);
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const ring = region ? all(".region") : event.target.classList.contains("question-title") ? all(".question .question-title") : [];
  if (!ring.length) return;
  event.preventDefault();
  const next = ring[(ring.indexOf(region || event.target) + step + ring.length) % ring.length];
  next.focus();
  if (!region) choose(Number(next.closest(".question").dataset.question), false);
});
const hover = (event) => {
  const region = event.target.closest && event.target.closest(".region");
  related(region && event.type !== "mouseout" && event.type !== "focusout" ? listOf(region, "questions") : []);
};
["mouseover", "mouseout", "focusin", "focusout"].forEach((type) => element.addEventListener(type, hover));

const refresh = () => {
  const root = one(".evidence");
  const key = root ? root.dataset.key : null;
  if (key !== shownKey) {
    shownKey = key;
    const asked = new URLSearchParams(location.search);
    const question = Number(asked.get("question"));
    chosen = key && asked.get("image") === key && question >= 1 && one(`.question[data-question="${question - 1}"]`) ? question - 1 : null;
    all("details").forEach((details) => { details.open = false; });
  }
  paint();
};
watch("value", refresh);
refresh();
