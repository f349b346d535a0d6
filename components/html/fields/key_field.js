// @ts-check
/* Fields for keys: a key that is pasted is taken at once, as when the field is left. */
import { closest } from "../../js/dom.js";

document.addEventListener("paste", (event) => {
  const field = closest(event, "#terms input[type=password]");
  // the text is in the field only after this event
  if (field) requestAnimationFrame(() => field.blur());
});
