/* Prompts to try: buttons that fill the text field, and a list of completions beneath it (the ARIA combobox pattern). */
const root = element.querySelector("[data-target]");
const target = root.dataset.target;
const list = root.querySelector("[role=listbox]");
const options = [...list.children];
const MOST = 8;
let active = -1;
let box = null;

const shown = () => options.filter((option) => !option.hidden);
const fill = (words) => {
  box.value = words;
  box.dispatchEvent(new Event("input", { bubbles: true }));
};
const close = () => {
  list.hidden = true;
  active = -1;
  if (box) {
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }
};
const mark = (next) => {
  const visible = shown();
  active = visible.length ? (next + visible.length) % visible.length : -1;
  options.forEach((option) => option.setAttribute("aria-selected", "false"));
  if (active < 0) return;
  visible[active].setAttribute("aria-selected", "true");
  visible[active].scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", visible[active].id);
};
const open = () => {
  const typed = box.value.trim().toLowerCase();
  const starts = (p) => p.startsWith(typed) || p.split(" ").some((word) => word.startsWith(typed));
  let left = MOST;
  options.forEach((option) => {
    const words = option.dataset.prompt.toLowerCase();
    option.hidden = !(typed.length > 1 && words !== typed && starts(words) && left-- > 0);
  });
  active = -1;
  list.hidden = shown().length === 0;
  box.setAttribute("aria-expanded", String(!list.hidden));
};
const take = (option) => { fill(option.dataset.prompt); close(); };

const attach = (found) => {
  box = found;
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("autocomplete", "off");
  box.addEventListener("input", (event) => { if (event.isTrusted) open(); });
  box.addEventListener("blur", () => setTimeout(close, 150));
  box.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") { event.preventDefault(); mark(active + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark(active < 0 ? -1 : active - 1); }
    else if (event.key === "Escape") { close(); }
    else if (event.key === "Enter") {
      if (active >= 0) { event.preventDefault(); event.stopImmediatePropagation(); take(shown()[active]); } else close();
    }
  }, true);
};
const look = () => document.querySelector(`#${target} input, #${target} textarea`);
const wait = new MutationObserver(() => { if (look()) { wait.disconnect(); attach(look()); } });
if (look()) attach(look()); else wait.observe(document.body, { childList: true, subtree: true });

element.addEventListener("mousedown", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) { event.preventDefault(); take(option); }
});
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-prompt]");
  if (button && box) { fill(button.dataset.prompt); close(); }
});
