/* The evidence viewer. It knows keys and nothing else: what shares a key with what is chosen lights up and the rest fades; what shares
   one with what is pointed at lights up a little. The elements of every key are looked up once, when a picture comes. */
const NAMES = ["question", "finding", "segment", "node", "edge"]; // what a key may be of, and how the address calls it
const SHOWN = "hallascope-shown";
const address = () => new URLSearchParams(location.search);
const visit = (found) => history.replaceState(history.state, "", `${location.pathname}?${found}`);
let bodies = []; // one for each picture shown
let pointed = null;

/* --- which elements belong to which key -------------------------------------------------------------------------------------- */

const RINGS = { marks: ".region", words: ".word[role]", rows: ".lead-button", graph: "[role=button]" };
const ringOf = (group, select, order) => {
  const ring = [...group.querySelectorAll(select)];
  return order ? ring.sort((a, b) => a.dataset.order - b.dataset.order) : ring;
};
const bodyOf = (root) => {
  const body = { root, run: root.dataset.run, key: root.dataset.key, items: new Map(), byKey: new Map(), rows: new Map(), rings: new Map(), near: [], lit: [], chosen: null };
  root.querySelectorAll("[data-keys]").forEach((node) => {
    const keys = JSON.parse(node.dataset.keys);
    const press = node.matches("[role=button]") ? node : node.querySelector(".lead-button");
    const shape = node.querySelector(":scope > .shape"); // what has an outline is a mark
    body.items.set(node, { node, keys, press, line: shape && shape.getAttribute("d") });
    const under = JSON.parse(node.dataset.under || "[]"); // it lights up with these, but does not lead to them
    [...keys, ...under].forEach((key) => { if (!body.byKey.has(key)) body.byKey.set(key, []); body.byKey.get(key).push(node); });
    if (node.dataset.said !== undefined) body.rows.set(keys[0], node);
  });
  root.querySelectorAll("[data-ring]").forEach((group) => {
    const ring = ringOf(group, RINGS[group.dataset.ring], ["marks", "graph"].includes(group.dataset.ring)); // drawn in another order
    ring.forEach((button) => body.rings.set(button, ring));
    if (group.dataset.ring !== "rows" && ring.length) ring[0].tabIndex = 0; // one stop of the Tab key; arrows lead on from there
  });
  const mask = root.querySelector(".around");
  if (mask) {
    mask.id = `around-${Math.random().toString(36).slice(2)}`;
    root.querySelector(".veil").setAttribute("mask", `url(#${mask.id})`);
  }
  return body;
};
const bodyWith = (node) => bodies.find((body) => body.root.contains(node));
const itemAt = (target) => {
  const node = target.closest && target.closest("[data-keys]");
  const body = node && bodyWith(node);
  return body ? [body, body.items.get(node)] : [null, null];
};

/* --- what lights up ------------------------------------------------------------------------------------------------------------ */

const outlines = (body, nodes) => nodes.map((node) => body.items.get(node).line || "").join("");
const pressed = (body, nodes, on) => nodes.forEach((node) => {
  const { press } = body.items.get(node);
  node.classList.toggle("lit", on);
  if (press) press.setAttribute("aria-pressed", String(on));
});
const paint = (body) => {
  const { root, chosen } = body;
  const row = body.rows.get(chosen);
  pressed(body, body.lit, false);
  body.lit = chosen === null ? [] : body.byKey.get(chosen) || [];
  pressed(body, body.lit, true);
  root.classList.toggle("choosing", chosen !== null);
  root.classList.toggle("counting", Boolean(row) && "counts" in row.dataset);
  root.classList.toggle("everything", Boolean(row) && "whole" in row.dataset);
  root.dataset.kind = row ? row.dataset.kind || "" : "";
  const overlay = root.querySelector(".overlay");
  if (overlay) {
    const marked = outlines(body, body.lit);
    overlay.classList.toggle("veiled", marked !== "");
    overlay.querySelector(".around path").setAttribute("d", marked);
    count(body);
  }
  halo(body);
  root.querySelectorAll(".words").forEach(showLit);
  const hint = root.querySelector(".hint");
  const words = hint && (row ? row.dataset.said : hint.dataset.idle);
  if (hint && hint.textContent !== words) hint.textContent = words;
};
/* In a long text the first lit word comes into sight; the page stays where it is. */
const showLit = (words) => {
  const word = words.scrollHeight > words.clientHeight && words.querySelector(".lit");
  if (word && (word.offsetTop < words.scrollTop || word.offsetTop + word.offsetHeight > words.scrollTop + words.clientHeight)) words.scrollTop = word.offsetTop - 8;
};
/* Shapes that are counted one by one are numbered from left to right; those of one mark have their numbers already. */
const count = (body) => {
  if (!body.root.classList.contains("counting")) return;
  const regions = body.lit.filter((node) => body.items.get(node).line);
  if (regions.length < 2) return;
  const numbers = body.lit.filter((node) => node.matches(".count"));
  numbers.sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left)).forEach((number, i) => { number.textContent = String(i + 1); });
};
const halo = (body) => {
  const line = body.root.querySelector(".halo");
  if (line) line.setAttribute("d", outlines(body, [...new Set([...body.lit, ...body.near])]));
};
/* What belongs to what is pointed at, by the mouse or the focus. */
const point = (body, item) => {
  if ((item && item.node) === pointed) return;
  pointed = item ? item.node : null;
  bodies.forEach((other) => {
    const near = other === body && item ? [...new Set(item.keys.flatMap((key) => other.byKey.get(key)))] : [];
    if (!near.length && !other.near.length) return;
    other.near.forEach((node) => node.classList.remove("near", "here"));
    near.forEach((node) => node.classList.add("near"));
    if (item && near.length) item.node.classList.add("here");
    other.near = near;
    halo(other);
  });
};

/* --- a choice -------------------------------------------------------------------------------------------------------------------- */

const write = (run, image, chosen) => {
  if (!run) return;
  const found = address();
  found.set("run", run);
  found.set("image", image);
  NAMES.forEach((name) => found.delete(name));
  if (chosen) found.set(...chosen.split("="));
  visit(found);
};
const choose = (body, chosen) => {
  body.chosen = chosen;
  paint(body);
  const { run, key } = body;
  write(run, key, chosen);
  document.dispatchEvent(new CustomEvent("hallascope:choose", { detail: { source: element, run, key, chosen } }));
  const [kind, number] = chosen ? chosen.split("=") : [null, null];
  trigger("select", { run, key, chosen, kind, number: number && Number(number) });
};
/* A choice made elsewhere on the page; the address is right already, or is written here. */
document.addEventListener("hallascope:choose", ({ detail }) => {
  if (detail.source === element || !bodies.length) return;
  write(detail.run, detail.key, detail.chosen);
  bodies.filter((body) => body.run === detail.run && body.key === detail.key).forEach((body) => {
    body.chosen = body.byKey.has(detail.chosen) ? detail.chosen : null;
    paint(body);
  });
});
/* Choosing the same again leads to the next it belongs to, and in the end to nothing. */
const press = (body, item) => {
  const here = item.keys.indexOf(body.chosen);
  if (item.node.dataset.own) return choose(body, body.chosen === item.node.dataset.own ? null : item.node.dataset.own);
  const next = item.keys.length === 1 && here === 0 ? null : item.keys[(here + 1) % item.keys.length];
  choose(body, next);
  const row = body.rows.get(next);
  if (row && row !== item.node && !stacked()) row.scrollIntoView({ block: "nearest", behavior: "smooth" });
};
const stacked = () => matchMedia("(max-width: 760px)").matches; // there, showing the row would take the picture away

element.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-show]");
  if (toggle) return switchLayer(toggle.dataset.show);
  const verdict = event.target.closest("[data-verdict]");
  if (verdict) return judge(verdict);
  if (event.target.closest("details, [data-zoom]")) return;
  const [body, item] = itemAt(event.target);
  if (item && item.keys.length) return press(body, item);
  const shown = event.target.closest(".overlay") && bodyWith(event.target);
  if (shown && shown.chosen !== null) choose(shown, null);
});
element.addEventListener("keydown", (event) => {
  const body = bodyWith(event.target);
  if (!body || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && body.chosen !== null) { event.preventDefault(); return choose(body, null); }
  const ring = body.rings.get(event.target);
  if (!ring) return;
  const isRow = event.target.matches(".lead-button");
  if (!isRow && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return press(...itemAt(event.target));
  }
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step || event.shiftKey) return;
  event.preventDefault();
  const next = ring[(ring.indexOf(event.target) + step + ring.length) % ring.length];
  next.focus();
  if (isRow) { const [, item] = itemAt(next); choose(body, item.node.dataset.own || item.keys[0]); }
});
["mouseover", "focusin"].forEach((type) => element.addEventListener(type, (event) => {
  const [body, item] = itemAt(event.target);
  point(body, item);
  if (type !== "focusin" || !item || item.press !== event.target) return;
  if (item.line) reveal(item.node);
  const ring = body.rings.get(event.target);
  if (ring && !event.target.matches(".lead-button")) { ring.forEach((other) => { other.tabIndex = -1; }); event.target.tabIndex = 0; }
}));
element.addEventListener("mouseleave", () => point(null, null));
element.addEventListener("focusout", () => point(null, null));

/* A person's own verdict on a finding: it is stored beside the score and changes none. */
const judge = (button) => {
  const [body, item] = itemAt(button);
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  body.root.querySelector(".hint").textContent = on ? button.dataset.said : button.dataset.taken;
  trigger("submit", { run: body.run, key: body.key, metric: body.root.dataset.metric, about: item.keys[0], value: on ? button.dataset.verdict : null });
};

/* --- outlines, boxes and labels can be switched off; the browser remembers -------------------------------------------------------- */

const layers = () => { try { return (localStorage.getItem(SHOWN) ?? "masks").split(" "); } catch { return ["masks"]; } };
let shownLayers = layers();
const showLayers = () => {
  element.dataset.shown = shownLayers.join(" ");
  element.querySelectorAll("[data-show]").forEach((button) => {
    button.setAttribute("aria-pressed", String(shownLayers.includes(button.dataset.show)));
  });
};
const switchLayer = (name) => {
  shownLayers = shownLayers.includes(name) ? shownLayers.filter((other) => other !== name) : [...shownLayers, name];
  try { localStorage.setItem(SHOWN, shownLayers.join(" ")); } catch { /* a private window keeps nothing */ }
  showLayers();
  document.dispatchEvent(new CustomEvent("hallascope:layers", { detail: shownLayers }));
};
document.addEventListener("hallascope:layers", ({ detail }) => { shownLayers = detail; showLayers(); });

/* --- a picture comes --------------------------------------------------------------------------------------------------------------- */

const refresh = () => {
  const before = new Map(bodies.map((body) => [`${body.run} ${body.key}`, body.chosen]));
  pointed = null;
  bodies = [...element.querySelectorAll(".exhibit")].map(bodyOf);
  const found = address();
  const same = bodies.length > 0 && bodies.every((body) => before.has(`${body.run} ${body.key}`));
  bodies.forEach((body) => {
    const named = NAMES.filter((name) => found.has(name)).map((name) => `${name}=${found.get(name)}`);
    const asked = found.get("image") === body.key ? named.find((key) => body.byKey.has(key)) : null;
    const kept = before.get(`${body.run} ${body.key}`);
    const first = asked || (body.byKey.has(body.root.dataset.chosen) && body.root.dataset.chosen);
    body.chosen = (before.has(`${body.run} ${body.key}`) ? body.byKey.has(kept) && kept : first) || null;
    paint(body);
  });
  if (!same) { fitView(); element.querySelectorAll("details").forEach((details) => { details.open = false; }); } else showView();
  showLayers();
};
watch("value", refresh);
refresh();
