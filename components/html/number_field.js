/* Fields for numbers: what is out of bounds is said beside the field while it stands there; it goes as soon as the number is right. */
(function () {
  "use strict";
  const NOTE = "out-of-bounds";
  const bound = (field, name) => (field.className.match(new RegExp(`(?:^|\\s)${name}-(\\S+)`)) || [null, ""])[1];
  const shown = (number) => Number(number).toLocaleString("en-US");
  const noteOf = (box) => box.parentElement.querySelector(`.${NOTE}`);
  const note = (box) => {
    const found = document.createElement("span");
    found.className = NOTE;
    found.id = `note-${Math.random().toString(36).slice(2)}`;
    found.setAttribute("role", "alert");
    box.after(found);
    box.setAttribute("aria-describedby", found.id);
    return found;
  };
  const check = (box, field) => {
    const whole = field.classList.contains("whole");
    box.min = bound(field, "least");
    box.max = bound(field, "most");
    const { badInput, rangeUnderflow, rangeOverflow } = box.validity;
    const wrong = box.value === "" || badInput || rangeUnderflow || rangeOverflow || (whole && !Number.isInteger(Number(box.value)));
    box.setAttribute("aria-invalid", String(wrong));
    if (wrong) {
      const to = box.max && ` to ${shown(box.max)}`;
      (noteOf(box) || note(box)).textContent = `Give a ${whole ? "whole " : ""}number from ${shown(box.min)}${to}.`;
    } else if (noteOf(box)) {
      noteOf(box).remove();
      box.removeAttribute("aria-describedby");
    }
  };
  ["input", "change", "focusin", "focusout"].forEach((type) => document.addEventListener(type, ({ target }) => {
    const field = target.matches && target.matches("input[type=number]") && target.closest(".bounded");
    if (field) check(target, field);
  }));
})();
