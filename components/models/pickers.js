/* Chips: the value is the list of chosen ids; a value set from Python is shown in the boxes. */
const boxes = () => [...element.querySelectorAll("input")];
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const shown = () => boxes().filter((box) => box.checked).map((box) => box.value);
const show = () => {
  const value = Array.isArray(props.value) ? props.value : [];
  boxes().forEach((box) => { box.checked = value.includes(box.value); });
};
const sent = []; // what the person chose, until it has come back: a late echo must not undo a newer choice
element.addEventListener("change", () => {
  if (!same(shown(), props.value)) {
    sent.push(JSON.stringify(shown()));
    props.value = shown();
    trigger("change");
  }
});
watch("value", () => {
  const at = sent.indexOf(JSON.stringify(props.value));
  if (at < 0) return show();
  sent.splice(0, at + 1);
  if (!same(shown(), props.value)) props.value = shown();
});
watch("body", () => requestAnimationFrame(show)); // Gradio fits the old boxes to the new chips: what was checked stays checked
show();
element.dataset.ready = "true";
