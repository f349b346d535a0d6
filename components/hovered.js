/* Beside a point of the scatter plot above: its picture and its name. The plot is drawn anew each time, so it is looked for again. */
const box = element.querySelector(".hovered");
const image = box.querySelector("img");
const show = ({ points, event }) => {
  const [name, picture] = points[0].customdata || [];
  if (name === undefined) return;
  image.hidden = !picture;
  if (picture) image.src = picture;
  image.alt = picture ? `The picture ${name}` : "";
  box.querySelector("p").textContent = name;
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
