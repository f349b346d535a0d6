// @ts-check
/* Draws points on a canvas and finds those under the mouse or within a line. Where the points lie on
   the screen is computed once for each view; what is selected is drawn on a canvas of its own above
   the others, so that a selection never draws all points anew. */
import { drawMark } from "./marks.js";

const MARGIN = 18; // pixels around the points
const REACH = 9; // pixels from a point within which the mouse is on it
const MOST_ZOOM = 60;
const FEW = 2000; // points that are drawn large

/** @typedef {{color: string, shape: number}} GroupStyle */
/** @typedef {{x: number, y: number}} Spot */

/**
 * @param {HTMLElement} stage
 * @param {HTMLCanvasElement} base
 * @param {HTMLCanvasElement} above
 */
export const createPointMap = (stage, base, above) => {
  let xs = new Float32Array();
  let ys = new Float32Array();
  let screenX = new Float32Array();
  let screenY = new Float32Array();
  let groups = new Uint8Array();
  /** @type {GroupStyle[]} */
  let styles = [];
  /** @type {HTMLCanvasElement[]} */
  let marks = [];
  let selected = new Int32Array();
  let view = { zoom: 1, x: 0.5, y: 0.5 }; // how much larger, and the point in the middle
  let density = 1;
  let width = 0;
  let height = 0;

  const radius = () => (xs.length > FEW ? 3 : 4.5);

  const place = () => {
    const across = (width - 2 * MARGIN) * view.zoom;
    const down = (height - 2 * MARGIN) * view.zoom;
    for (let i = 0; i < xs.length; i += 1) {
      screenX[i] = width / 2 + (xs[i] - view.x) * across;
      screenY[i] = height / 2 - (ys[i] - view.y) * down;
    }
  };

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(copy: (index: number) => void) => void} draw
   */
  const drawOn = (canvas, draw) => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!marks.length) return;
    const half = marks[0].width / 2;
    const right = canvas.width + half;
    const bottom = canvas.height + half;
    draw((index) => {
      const x = screenX[index] * density;
      const y = screenY[index] * density;
      if (x < -half || y < -half || x > right || y > bottom) return;
      context.drawImage(marks[groups[index]], Math.round(x - half), Math.round(y - half));
    });
  };

  const drawPoints = () =>
    drawOn(base, (copy) => {
      for (let i = 0; i < xs.length; i += 1) copy(i);
    });

  const drawSelected = () => drawOn(above, (copy) => selected.forEach(copy));

  const makeMarks = () => {
    marks = styles.map(({ color, shape }) => drawMark(color, shape, radius(), density));
  };

  const drawAll = () => {
    place();
    drawPoints();
    drawSelected();
  };

  const resize = () => {
    density = Math.min(2, window.devicePixelRatio || 1);
    width = stage.clientWidth;
    height = stage.clientHeight;
    [base, above].forEach((canvas) => {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
    });
    makeMarks();
    drawAll();
  };

  /**
   * Show other points; their coordinates are in [0, 1].
   * @param {Float32Array<ArrayBuffer>} left
   * @param {Float32Array<ArrayBuffer>} up
   */
  const setPoints = (left, up) => {
    xs = left;
    ys = up;
    screenX = new Float32Array(xs.length);
    screenY = new Float32Array(xs.length);
    groups = new Uint8Array(xs.length);
    selected = new Int32Array();
    view = { zoom: 1, x: 0.5, y: 0.5 };
  };

  /**
   * Color the points by groups.
   * @param {Uint8Array<ArrayBuffer>} of the group of each point
   * @param {GroupStyle[]} ofGroups
   */
  const setGroups = (of, ofGroups) => {
    groups = of;
    styles = ofGroups;
    resize();
  };

  /** @param {Int32Array<ArrayBuffer>} indexes */
  const setSelected = (indexes) => {
    selected = indexes;
    drawSelected();
  };

  /**
   * Return the point at a place of the stage, or -1.
   * @param {Spot} spot
   */
  const findAt = ({ x, y }) => {
    let nearest = -1;
    let least = REACH * REACH;
    for (let i = 0; i < xs.length; i += 1) {
      const across = screenX[i] - x;
      const down = screenY[i] - y;
      const apart = across * across + down * down;
      if (apart < least) {
        least = apart;
        nearest = i;
      }
    }
    return nearest;
  };

  /**
   * Return the points within a closed line, in their order.
   * @param {Spot[]} line
   */
  const findWithin = (line) => {
    const left = Math.min(...line.map(({ x }) => x));
    const right = Math.max(...line.map(({ x }) => x));
    const top = Math.min(...line.map(({ y }) => y));
    const bottom = Math.max(...line.map(({ y }) => y));
    /** @type {number[]} */
    const found = [];
    for (let i = 0; i < xs.length; i += 1) {
      const x = screenX[i];
      const y = screenY[i];
      if (x >= left && x <= right && y >= top && y <= bottom && isWithin(line, x, y)) found.push(i);
    }
    return Int32Array.from(found);
  };

  /**
   * Move the view by pixels.
   * @param {number} across
   * @param {number} down
   */
  const move = (across, down) => {
    view.x -= across / ((width - 2 * MARGIN) * view.zoom);
    view.y += down / ((height - 2 * MARGIN) * view.zoom);
    drawAll();
  };

  /**
   * Zoom by a factor around a place of the stage, its middle where none is given.
   * @param {number} factor
   * @param {Spot} [spot]
   */
  const zoom = (factor, spot = { x: width / 2, y: height / 2 }) => {
    const zoomed = Math.min(MOST_ZOOM, Math.max(1, view.zoom * factor));
    const across = (spot.x - width / 2) / (width - 2 * MARGIN);
    const down = (spot.y - height / 2) / (height - 2 * MARGIN);
    view.x += across / view.zoom - across / zoomed;
    view.y -= down / view.zoom - down / zoomed;
    view.zoom = zoomed;
    if (zoomed === 1) view = { zoom: 1, x: 0.5, y: 0.5 };
    drawAll();
  };

  const fit = () => zoom(1 / MOST_ZOOM);

  return { resize, setPoints, setGroups, setSelected, findAt, findWithin, move, zoom, fit };
};

/**
 * Say whether a place is within a closed line: whether a ray from it crosses the line an odd number
 * of times.
 * @param {Spot[]} line
 * @param {number} x
 * @param {number} y
 */
export const isWithin = (line, x, y) => {
  let inside = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i, i += 1) {
    const { x: x1, y: y1 } = line[i];
    const { x: x2, y: y2 } = line[j];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
};
