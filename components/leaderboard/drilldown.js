/* Things to pick from a leaderboard: buttons with `data-pick`. What was picked stands in the address; Python is told all that is picked.
   `data-keeps` of a button names what else stays picked; a button with `data-event` only turns the page. */
const PREFIX = "board-";
const PICKS = ["model", "group", "page", "prompt", "picture"];
const address = () => new URLSearchParams(location.search);
const buttons = () => [...element.querySelectorAll("[data-pick]")];
const pickOf = (button) => JSON.parse(button.dataset.pick);
const picked = () => {
  const found = address();
  return Object.fromEntries(PICKS.filter((name) => found.has(PREFIX + name)).map((name) => [name, found.get(PREFIX + name)]));
};
const within = (found, pick) => Object.entries(pick).every(([name, value]) => found[name] === String(value));
let told = null;

const show = () => buttons().forEach((button) => {
  const on = within(picked(), pickOf(button));
  button.setAttribute("aria-pressed", String(on));
  const line = button.closest("tr, li");
  if (line) line.classList.toggle("chosen", on);
});
const state = () => `${JSON.stringify(picked())} ${element.textContent.length}`;
const tell = (event) => { told = state(); trigger(event, picked()); };
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (!button) return;
  const found = address();
  const keeps = JSON.parse(button.dataset.keeps || "[]");
  PICKS.forEach((name) => { if (!keeps.includes(name)) found.delete(PREFIX + name); });
  Object.entries(pickOf(button)).forEach(([name, value]) => found.set(PREFIX + name, value));
  history.replaceState(history.state, "", `${location.pathname}?${found}`);
  show();
  tell(button.dataset.event || "select");
});
element.addEventListener("input", (event) => {
  if (!event.target.matches("[type=search]")) return;
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  element.querySelectorAll("tbody tr").forEach((row) => {
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
});
/* A bar of the figure is the button of its row. */
document.addEventListener("hallascope:bar", ({ detail }) => {
  const bar = { model: detail.model, group: detail.group };
  const button = buttons().find((one) => JSON.stringify(pickOf(one)) === JSON.stringify(bar));
  if (button) button.click();
});
const refresh = () => {
  show();
  const found = picked();
  const known = buttons().some((button) => !button.dataset.event && within(found, pickOf(button)));
  if (known) { if (told !== state()) tell("select"); return; }
  if (told) { told = null; trigger("select", {}); }
};
document.addEventListener("hallascope:board", refresh); // other bars: what was picked of the old ones is not picked any more
watch("value", refresh);
refresh();
