/* Zoom and pan of all pictures of a viewer together: by buttons, keys, Ctrl or ⌘ with the wheel, two fingers, dragging.
   The view is kept as shares of the stage, so that pictures of any size show the same part. */
const MOST = 8;
const STEP = 1.5;
const view = { scale: 1, x: 0, y: 0 };
const within = (value, low, high) => Math.min(high, Math.max(low, value));
const showView = () => {
  const fit = view.scale === 1;
  element.classList.toggle("zoomed", !fit);
  element.style.setProperty("--zoom", String(view.scale));
  element.querySelectorAll(".canvas").forEach((canvas) => {
    canvas.style.transform = fit ? "" : `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.scale})`;
  });
  element.querySelectorAll('[data-zoom="fit"]').forEach((button) => { button.textContent = `${Math.round(view.scale * 100)} %`; });
  const ends = { in: view.scale === MOST, out: fit, fit };
  element.querySelectorAll("[data-zoom]").forEach((button) => button.setAttribute("aria-disabled", String(ends[button.dataset.zoom])));
};
const moveTo = (scale, x, y) => {
  Object.assign(view, { scale, x: within(x, 1 - scale, 0), y: within(y, 1 - scale, 0) });
  showView();
};
/* Zoom so that the place (shares of the stage) stays where it is. */
const zoomAt = (factor, x = 0.5, y = 0.5) => {
  const scale = within(view.scale * factor, 1, MOST);
  const by = scale / view.scale;
  moveTo(scale, x - (x - view.x) * by, y - (y - view.y) * by);
};
const panBy = (x, y) => moveTo(view.scale, view.x + x, view.y + y);
const fitView = () => moveTo(1, 0, 0);
const placeIn = (stage, event) => {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return [(event.clientX - left) / width, (event.clientY - top) / height];
};
/* Bring a mark into sight where the view is too close to show it. */
const reveal = (mark) => {
  const stage = mark.closest(".stage");
  if (!stage || view.scale === 1) return;
  const [frame, box] = [stage.getBoundingClientRect(), mark.getBoundingClientRect()];
  const off = (low, high, from, to) => (low >= from && high <= to ? 0 : (from + to - low - high) / 2 / (to - from));
  panBy(off(box.left, box.right, frame.left, frame.right), off(box.top, box.bottom, frame.top, frame.bottom));
};

element.addEventListener("wheel", (event) => {
  const stage = event.target.closest(".stage");
  if (!stage || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  zoomAt(Math.exp(-within(event.deltaY, -60, 60) / 100), ...placeIn(stage, event));
}, { passive: false });
element.addEventListener("dblclick", (event) => { if (event.target.closest(".stage")) fitView(); });

const ARROWS = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
const KEYS = { "+": () => zoomAt(STEP), "=": () => zoomAt(STEP), "-": () => zoomAt(1 / STEP), 0: fitView };
element.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(".stage, .tools")) return;
  const pans = view.scale > 1 && ARROWS[event.key] && (event.shiftKey || !event.target.closest(".region"));
  if (pans) panBy(...ARROWS[event.key]);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

/* Fingers and the mouse. What was dragged is no click. */
const held = new Map();
let dragged = false;
const spread = () => {
  const [one, other] = [...held.values()];
  return [Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }];
};
element.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".stage") || event.button) return;
  if (!held.size) dragged = false;
  held.set(event.pointerId, event);
});
element.addEventListener("pointermove", (event) => {
  const before = held.get(event.pointerId);
  const stage = event.target.closest(".stage");
  if (!before || !stage) return;
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (held.size === 1 && (view.scale === 1 || (!dragged && Math.hypot(dx, dy) < 4))) return;
  if (!dragged) { dragged = true; stage.setPointerCapture(event.pointerId); }
  const [apart] = held.size === 2 ? spread() : [0];
  held.set(event.pointerId, event);
  if (held.size === 2) {
    const [now, middle] = spread();
    zoomAt(now / Math.max(apart, 1), ...placeIn(stage, middle));
  }
  const { width, height } = stage.getBoundingClientRect();
  panBy(dx / width / held.size, dy / height / held.size);
});
["pointerup", "pointercancel"].forEach((type) => document.addEventListener(type, (event) => held.delete(event.pointerId)));
element.addEventListener("click", (event) => {
  if (dragged && event.target.closest(".stage")) { event.stopPropagation(); event.preventDefault(); }
  dragged = false;
  const button = event.target.closest("[data-zoom]");
  if (button) ({ in: () => zoomAt(STEP), out: () => zoomAt(1 / STEP), fit: fitView })[button.dataset.zoom]();
}, true);
