/* The table of answers: a cell or a column is chosen, the address and the other views follow. */
const root = () => element.querySelector(".compare");
const buttons = () => [...element.querySelectorAll("button[data-key]")];
let key = null;
let chosen = null; // the key of what is chosen of the picture, e.g. question=2
let told = null;

const show = () => buttons().forEach((button) => {
  const on = button.dataset.key === key && (button.dataset.chosen === undefined || button.dataset.chosen === chosen);
  button.setAttribute("aria-pressed", String(on));
  button.parentElement.classList.toggle("chosen", button.dataset.key === key);
});
const tell = () => {
  const state = `${root().dataset.run} ${key} ${element.textContent.length}`;
  if (key && state !== told) { told = state; trigger("select", { run: root().dataset.run, key }); }
};
const announce = () => document.dispatchEvent(new CustomEvent("hallascope:choose", {
  detail: { source: element, run: root().dataset.run, key, chosen },
}));

element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-key]");
  if (!button) return;
  key = button.dataset.key;
  chosen = button.dataset.chosen ?? null;
  show();
  announce();
  tell();
});
element.addEventListener("keydown", (event) => {
  const here = event.target.closest("button[data-key]");
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  if (!here || !step) return;
  const row = here.closest("tr");
  const rows = [...element.querySelectorAll("tr")].filter((line) => line.querySelector("button"));
  const next = rows[rows.indexOf(row) + step[0]];
  const column = [...row.querySelectorAll("button")].indexOf(here) + step[1];
  const button = next && next.querySelectorAll("button")[column];
  if (button) { event.preventDefault(); button.focus(); }
});
document.addEventListener("hallascope:choose", ({ detail }) => {
  if (detail.source === element || !root() || detail.run !== root().dataset.run) return;
  key = detail.key;
  chosen = detail.chosen;
  show();
  tell();
});
const refresh = () => {
  if (!root() || !root().dataset.run) return;
  const asked = new URLSearchParams(location.search);
  const keys = buttons().map((button) => button.dataset.key);
  key = asked.get("run") === root().dataset.run && keys.includes(asked.get("image")) ? asked.get("image") : keys[0];
  chosen = asked.has("question") ? `question=${asked.get("question")}` : null;
  show();
  tell();
};
watch("value", refresh);
refresh();
