/* Beside a point of the scatter plot above: its picture and its name. The plot is drawn anew each time, so it is looked for again. */
const box = element.querySelector(".hovered");
const image = box.querySelector("img");
const show = ({ points, event }) => {
  const [name, picture] = points[0].customdata || [];
  if (name === undefined) return;
  image.hidden = !picture;
  if (picture) image.src = picture;
  image.alt = picture ? `The picture ${name.slice(0, 12)}` : "";
  const short = /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name;
  box.querySelector("p").textContent = `${short}: ${points[0].x.toFixed(3)} by the metric, ${points[0].y.toFixed(2)} by people`;
  box.hidden = false;
  const left = Math.min(event.clientX + 18, innerWidth - box.offsetWidth - 8);
  const top = Math.min(event.clientY + 18, innerHeight - box.offsetHeight - 8);
  box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
};
const hide = () => { box.hidden = true; };
const attach = () => document.querySelectorAll("#agreement-figure .js-plotly-plot").forEach((plot) => {
  if (plot.dataset.heard || !plot.on) return;
  plot.dataset.heard = "true";
  plot.on("plotly_hover", show);
  plot.on("plotly_unhover", hide);
});
new MutationObserver(attach).observe(document.body, { childList: true, subtree: true });
attach();
