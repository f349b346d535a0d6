/* Cards of pictures: one of them is chosen, by mouse or keyboard; the choice is in the address and is told to Python. */
const NOTHING = { question: null, finding: null, segment: null }; // nothing of the picture is chosen
const address = () => new URLSearchParams(location.search);
const write = (changes) => {
  const found = address();
  Object.entries(changes).forEach(([name, value]) => (value === null ? found.delete(name) : found.set(name, value)));
  history.replaceState(history.state, "", `${location.pathname}?${found}`);
};
const grid = () => element.querySelector(".pictures");
const cards = () => [...element.querySelectorAll(".tile")];
const picks = () => [...element.querySelectorAll(".pick")];
let run = null;
let chosen = null;
let told = null;
let own = false; // the person chose the picture, or the address named it; else it is the one to look at first, once that is known

const show = () => cards().forEach((card) => {
  const on = card.dataset.key === chosen;
  card.classList.toggle("chosen", on);
  card.querySelector(".pick").setAttribute("aria-pressed", String(on));
});
const tell = () => {
  const card = cards().find((c) => c.dataset.key === chosen);
  const state = card ? `${run} ${chosen} ${card.dataset.version}` : null;
  if (state !== told && card) { told = state; trigger("select", { run, key: chosen }); }
};
/* The evidence comes into sight, if it is not there; it may come only after the choice. */
const bring = () => {
  const place = document.querySelector("#evidence");
  if (!place) return;
  const top = place.getBoundingClientRect().top;
  if (top >= 0 && top < innerHeight / 3) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
};
const pick = (key) => {
  own = true;
  choose(key);
  bring();
};
const choose = (key) => {
  if (key === chosen) return;
  write({ run, image: key, ...NOTHING });
  chosen = key;
  show();
  tell();
  document.dispatchEvent(new CustomEvent("hallascope:choose", { detail: { source: element, run, key, chosen: null } }));
};
document.addEventListener("hallascope:choose", ({ detail }) => {
  if (detail.source === element || detail.run !== run) return;
  own = true;
  if (detail.key === chosen) return;
  chosen = detail.key;
  show();
  tell();
});
const refresh = () => {
  const now = grid() ? grid().dataset.run : "";
  if (!now) return;
  const keys = cards().map((card) => card.dataset.key);
  if (now !== run) {
    run = now;
    const asked = address();
    own = asked.get("run") === run && keys.includes(asked.get("image"));
    chosen = asked.get("run") === run && keys.includes(asked.get("image")) ? asked.get("image") : keys[0];
    write(asked.get("run") === run && asked.get("image") === chosen ? { run, image: chosen } : { run, image: chosen, ...NOTHING });
  }
  const first = grid().dataset.first;
  if (!own && first && first !== chosen) {
    chosen = first;
    write({ image: chosen, ...NOTHING });
    document.dispatchEvent(new CustomEvent("hallascope:choose", { detail: { source: element, run, key: chosen, chosen: null } }));
  }
  show();
  tell();
};

element.addEventListener("click", (event) => {
  const card = event.target.closest(".tile");
  if (card && !event.target.closest("a")) pick(card.dataset.key);
});
element.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const here = picks().indexOf(document.activeElement);
  if (!step || here < 0) return;
  event.preventDefault();
  const all = picks();
  all[(here + step + all.length) % all.length].focus();
});
watch("value", refresh);
refresh();
