/* What is shown of a leaderboard: the value is what was chosen, lists by name; it stands in the address. Of new boxes those are checked that
   were before; what they do not have is as if it had not been chosen, and Python sees it so too. What was picked behind a bar stays picked
   while the bars are the same ones. */
const PREFIX = "board-";
const PICKS = ["model", "group", "page", "prompt", "picture"];
const LOOKS = ["view", "published", "one", "other"]; // these change how numbers are shown, and no number
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const fields = () => [...element.querySelectorAll("[data-field]")];
const boxes = (field) => [...field.querySelectorAll("input")];
const read = (field) => field.matches("select") ? [field.value] : boxes(field).filter((box) => box.checked).map((box) => box.value);
const shown = () => Object.fromEntries(fields()
  .map((field) => [field.dataset.field, read(field), field.dataset.default])
  .filter(([, found, plain]) => found.length && !same(found, [plain]))
  .map(([name, found]) => [name, found]));
const check = (field, wanted) => {
  const known = boxes(field).some((box) => wanted.includes(box.value));
  boxes(field).forEach((box) => { box.checked = wanted.includes(box.value) || (!known && box.type === "radio" && box.value === field.dataset.default); });
};
const select = (field, wanted) => {
  field.value = wanted;
  if (field.selectedIndex < 0) field.value = field.dataset.default;
};
const apply = (value) => fields().forEach((field) => {
  const wanted = (value || {})[field.dataset.field] || [field.dataset.default];
  if (field.matches("select")) select(field, wanted[0]); else check(field, wanted);
});
const stays = (before, after) => {
  const apart = [before, after].map((value) => same(value.view, ["apart"]));
  return apart[0] === apart[1] && [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .every((name) => LOOKS.includes(name) || same(before[name], after[name]));
};
const write = (value) => {
  const address = new URLSearchParams(location.search);
  const names = new Set([...fields().map((field) => field.dataset.field), ...Object.keys(last)]);
  if (!stays(last, value)) PICKS.forEach((name) => names.add(name));
  names.forEach((name) => address.delete(PREFIX + name));
  Object.entries(value).forEach(([name, found]) => found.forEach((one) => address.append(PREFIX + name, one)));
  history.replaceState(history.state, "", `${location.pathname}${address.size ? "?" + address : ""}`);
  document.dispatchEvent(new CustomEvent("hallascope:board"));
};
let last = props.value || {};
element.addEventListener("change", () => {
  const value = shown();
  if (same(value, last)) return;
  write(value);
  last = value;
  props.value = value;
  trigger("change");
});
watch("value", () => {
  if (same(props.value, last)) return;
  last = props.value || {};
  apply(last);
});
watch("body", () => requestAnimationFrame(() => apply(last)));
apply(last);
element.dataset.ready = "true";
