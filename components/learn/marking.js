// @ts-check
/* Lets a person mark a place in an image: by a click, or by the arrows and Enter. */

/** @typedef {[number, number]} Point shares of the width and height, from the upper left */

const STEP = 0.02; // of the image, that an arrow moves the crosshair
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {number} value */
const clamp = (value) => Math.min(1, Math.max(0, value));

/** @param {Point} place */
export const placeWords = ([x, y]) =>
  `${Math.round(100 * x)} % from the left, ${Math.round(100 * y)} % from the top`;

/**
 * @param {HTMLElement} node
 * @param {Point} place
 */
export const movePin = (node, [x, y]) => {
  node.style.setProperty("--x", `${100 * x}%`);
  node.style.setProperty("--y", `${100 * y}%`);
};

/**
 * Listen to an image that can be marked; return what shows another mark, or none.
 * @param {HTMLElement} field
 * @param {Point | null} mark
 * @param {(mark: Point) => void} onMark
 * @param {(words: string) => void} say
 */
export const mountMarking = (field, mark, onMark, say) => {
  /** @type {HTMLElement} */
  const pin = field.querySelector(".pin");
  /** @type {Point} */
  let crosshair = mark || [0.5, 0.5];

  /** @param {Point | null} next */
  const paint = (next) => {
    pin.hidden = next === null;
    if (next) movePin(pin, next);
    movePin(field, crosshair);
  };
  /** @param {Point} place */
  const markAt = (place) => {
    crosshair = place;
    paint(place);
    onMark(place);
  };
  const isOpen = () => field.hasAttribute("tabindex");

  field.addEventListener("click", (event) => {
    if (!isOpen()) return;
    const { left, top, width, height } = field.getBoundingClientRect();
    markAt([clamp((event.clientX - left) / width), clamp((event.clientY - top) / height)]);
  });
  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isOpen()) return;
    const arrow = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      markAt(crosshair);
    } else if (arrow) {
      const step = STEP * (event.shiftKey ? 4 : 1);
      const [x, y] = crosshair;
      crosshair = [clamp(x + arrow[0] * step), clamp(y + arrow[1] * step)];
      movePin(field, crosshair);
      say(`${placeWords(crosshair)}; Enter marks.`);
    } else {
      return;
    }
    event.preventDefault();
  });
  paint(mark);
  return paint;
};
