/* Chips: the value is the list of chosen ids; a value set from Python is shown in the boxes. */
const boxes = () => [...element.querySelectorAll("input")];
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const shown = () => boxes().filter((box) => box.checked).map((box) => box.value);
const show = () => {
  const value = Array.isArray(props.value) ? props.value : [];
  boxes().forEach((box) => { box.checked = value.includes(box.value); });
};
element.addEventListener("change", () => {
  if (!same(shown(), props.value)) {
    props.value = shown();
    trigger("change");
  }
});
watch("value", show);
show();
element.dataset.ready = "true";
