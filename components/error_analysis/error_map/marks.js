// @ts-check
/* Draws the mark of a group of points: a color and a shape, so that groups can be told apart without
   their colors. Each mark is drawn once, and the points are copies of it. */

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "triangle-down"];

/** The ways of drawing a shape: corners as shares of the radius; the circle has none. */
/** @type {Record<string, [number, number][]>} */
const CORNERS = {
  square: [
    [-0.85, -0.85],
    [0.85, -0.85],
    [0.85, 0.85],
    [-0.85, 0.85],
  ],
  triangle: [
    [0, -1.1],
    [1.05, 0.8],
    [-1.05, 0.8],
  ],
  diamond: [
    [0, -1.2],
    [1.1, 0],
    [0, 1.2],
    [-1.1, 0],
  ],
  cross: [
    [-1.1, -0.4],
    [-0.4, -0.4],
    [-0.4, -1.1],
    [0.4, -1.1],
    [0.4, -0.4],
    [1.1, -0.4],
    [1.1, 0.4],
    [0.4, 0.4],
    [0.4, 1.1],
    [-0.4, 1.1],
    [-0.4, 0.4],
    [-1.1, 0.4],
  ],
  "triangle-down": [
    [0, 1.1],
    [1.05, -0.8],
    [-1.05, -0.8],
  ],
};

/**
 * Return a color as the canvas takes it; a name such as `--soft` is one of the page's own.
 * @param {string} color
 */
export const readColor = (color) =>
  color.startsWith("--") ? getComputedStyle(document.body).getPropertyValue(color).trim() : color;

/**
 * Draw a mark on a canvas of its own.
 * @param {string} color
 * @param {number} shape the number of the shape, of which there are six
 * @param {number} radius in pixels
 * @param {number} density pixels of the device for one of the page
 * @returns {HTMLCanvasElement}
 */
export const drawMark = (color, shape, radius, density) => {
  const side = Math.ceil((radius + 2) * 2 * density);
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  const middle = side / 2;
  const size = radius * density;
  const corners = CORNERS[SHAPES[shape % SHAPES.length]];
  context.beginPath();
  if (corners) {
    corners.forEach(([x, y]) => context.lineTo(middle + x * size, middle + y * size));
    context.closePath();
  } else {
    context.arc(middle, middle, size, 0, 2 * Math.PI);
  }
  context.fillStyle = readColor(color);
  context.fill();
  context.lineWidth = 0.6 * density;
  context.strokeStyle = readColor("--card");
  context.stroke();
  return canvas;
};
