// @ts-check
/* Zoom and pan of all images of a viewer together: by buttons, keys, Ctrl or ⌘ with the wheel, two
   fingers, dragging. The view is kept as shares of the stage, so that images of any size show the
   same part. */
import { closest, findAll } from "./dom.js";

const MOST = 8; // times
const STEP = 1.5;
const DRAG = 4; // pixels; a shorter way is a click
const PANS = {
  ArrowLeft: [0.1, 0],
  ArrowRight: [-0.1, 0],
  ArrowUp: [0, 0.1],
  ArrowDown: [0, -0.1],
};

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * How far a range must move to lie between two ends, as a share of what is between them.
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 */
const offset = (low, high, from, to) => {
  const isInside = low >= from && high <= to;
  return isInside ? 0 : (from + to - low - high) / 2 / (to - from);
};

/**
 * Return where the pointer is in the stage, as shares of its width and height.
 * @param {HTMLElement} stage
 * @param {{clientX: number, clientY: number}} pointer
 * @returns {[number, number]}
 */
const placeIn = (stage, { clientX, clientY }) => {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
};

/**
 * Let the pictures within the element be zoomed and moved.
 * @param {HTMLElement} element
 */
export const mountZoom = (element) => {
  const view = { scale: 1, x: 0, y: 0 };

  const show = () => {
    const fits = view.scale === 1;
    const transform = `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.scale})`;
    element.classList.toggle("zoomed", !fits);
    element.style.setProperty("--zoom", String(view.scale));
    findAll(element, ".canvas").forEach((canvas) => {
      canvas.style.transform = fits ? "" : transform;
    });
    findAll(element, '[data-zoom="fit"]').forEach((button) => {
      button.textContent = `${Math.round(view.scale * 100)} %`;
    });
    const disabled = { in: view.scale === MOST, out: fits, fit: fits };
    findAll(element, "[data-zoom]").forEach((button) => {
      const action = /** @type {keyof typeof disabled} */ (button.dataset.zoom);
      button.setAttribute("aria-disabled", String(disabled[action]));
    });
  };

  /**
   * @param {number} scale
   * @param {number} x
   * @param {number} y
   */
  const moveTo = (scale, x, y) => {
    Object.assign(view, { scale, x: clamp(x, 1 - scale, 0), y: clamp(y, 1 - scale, 0) });
    show();
  };

  /**
   * Zoom so that the place, in shares of the stage, stays where it is.
   * @param {number} factor
   */
  const zoomAt = (factor, x = 0.5, y = 0.5) => {
    const scale = clamp(view.scale * factor, 1, MOST);
    const ratio = scale / view.scale;
    moveTo(scale, x - (x - view.x) * ratio, y - (y - view.y) * ratio);
  };

  /**
   * @param {number} x
   * @param {number} y
   */
  const panBy = (x, y) => moveTo(view.scale, view.x + x, view.y + y);
  const fit = () => moveTo(1, 0, 0);
  const zoomIn = () => zoomAt(STEP);
  const zoomOut = () => zoomAt(1 / STEP);

  /**
   * Bring a mark into sight where the view is too close to show it.
   * @param {Element} mark
   */
  const reveal = (mark) => {
    const stage = mark.closest(".stage");
    if (!stage || view.scale === 1) return;
    const frame = stage.getBoundingClientRect();
    const box = mark.getBoundingClientRect();
    panBy(
      offset(box.left, box.right, frame.left, frame.right),
      offset(box.top, box.bottom, frame.top, frame.bottom),
    );
  };

  element.addEventListener(
    "wheel",
    (event) => {
      const stage = closest(event, ".stage");
      if (!stage || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      zoomAt(Math.exp(-clamp(event.deltaY, -60, 60) / 100), ...placeIn(stage, event));
    },
    { passive: false },
  );
  element.addEventListener("dblclick", (event) => {
    if (closest(event, ".stage")) fit();
  });

  const keys = { "+": zoomIn, "=": zoomIn, "-": zoomOut, 0: fit };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!closest(event, ".stage, .tools")) return;
    const pan = PANS[/** @type {keyof typeof PANS} */ (event.key)];
    const zoom = keys[/** @type {keyof typeof keys} */ (event.key)];
    // On a mark the plain arrows lead to the next mark.
    const pans = view.scale > 1 && pan && (event.shiftKey || !closest(event, ".region"));
    if (!pans && !zoom) return;
    event.preventDefault();
    if (pans) panBy(pan[0], pan[1]);
    else zoom();
  });

  // Fingers and the mouse. What was dragged is no click.
  /** @type {Map<number, PointerEvent>} */
  const pointers = new Map();
  let isDragged = false;
  const spread = () => {
    const [first, second] = [...pointers.values()];
    return {
      distance: Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY),
      middle: {
        clientX: (first.clientX + second.clientX) / 2,
        clientY: (first.clientY + second.clientY) / 2,
      },
    };
  };
  element.addEventListener("pointerdown", (event) => {
    if (!closest(event, ".stage") || event.button) return;
    if (!pointers.size) isDragged = false;
    pointers.set(event.pointerId, event);
  });
  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const stage = closest(event, ".stage");
    if (!before || !stage) return;
    const dx = event.clientX - before.clientX;
    const dy = event.clientY - before.clientY;
    const isShort = !isDragged && Math.hypot(dx, dy) < DRAG;
    if (pointers.size === 1 && (view.scale === 1 || isShort)) return;
    if (!isDragged) {
      isDragged = true;
      stage.setPointerCapture(event.pointerId);
    }
    const isPinch = pointers.size === 2;
    const distance = isPinch ? spread().distance : 0;
    pointers.set(event.pointerId, event);
    if (isPinch) {
      const { distance: now, middle } = spread();
      zoomAt(now / Math.max(distance, 1), ...placeIn(stage, middle));
    }
    const { width, height } = stage.getBoundingClientRect();
    panBy(dx / width / pointers.size, dy / height / pointers.size);
  });
  ["pointerup", "pointercancel"].forEach((type) =>
    document.addEventListener(type, (event) => {
      if (event instanceof PointerEvent) pointers.delete(event.pointerId);
    }),
  );
  const actions = { in: zoomIn, out: zoomOut, fit };
  element.addEventListener(
    "click",
    (event) => {
      if (isDragged && closest(event, ".stage")) {
        event.stopPropagation();
        event.preventDefault();
      }
      isDragged = false;
      const button = closest(event, "[data-zoom]");
      if (button) actions[/** @type {keyof typeof actions} */ (button.dataset.zoom)]();
    },
    true,
  );
  return { fit, reveal, show };
};
