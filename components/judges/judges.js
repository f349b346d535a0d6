/* The table of judges: one is chosen by a click, by a chip elsewhere or by the address; Python is told which. */
const names = () => [...element.querySelectorAll("button[data-judge]")];
let told = null;
const wanted = () => new URLSearchParams(location.search).get("judge");
const show = () => names().forEach((button) => {
  const on = button.dataset.judge === wanted();
  button.setAttribute("aria-pressed", String(on));
  button.closest("tr").classList.toggle("chosen", on);
});
const tell = () => {
  const judge = wanted();
  const state = `${judge} ${element.textContent.length}`;
  if (judge && names().length && state !== told) { told = state; trigger("select", { judge }); }
};
const refresh = () => { show(); tell(); };
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-judge]");
  if (!button) return;
  const address = new URLSearchParams(location.search);
  address.set("judge", button.dataset.judge);
  history.replaceState(history.state, "", `${location.pathname}?${address}`);
  refresh();
});
element.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const here = names().indexOf(document.activeElement);
  if (!step || here < 0) return;
  const next = names()[here + step];
  if (next) { event.preventDefault(); next.focus(); }
});
document.addEventListener("hallascope:judge", refresh);
watch("value", refresh);
refresh();
