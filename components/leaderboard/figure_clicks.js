/* The words beneath a figure of a leaderboard are its name for those who do not see it, and its bars tell when they are clicked. Bars and
   cells keep their width on a phone, where the figure is moved sideways; a radar fits. */
const fit = (plot) => {
  const fits = !(plot.data || []).some((trace) => ["bar", "heatmap"].includes(trace.type));
  const box = plot.closest("#board-figure");
  if (box.classList.contains("fits") === fits) return;
  box.classList.toggle("fits", fits);
  window.dispatchEvent(new Event("resize")); // Plotly measures its room anew
};
const attach = () => document.querySelectorAll("#board-figure .js-plotly-plot").forEach((plot) => {
  const words = element.textContent.trim();
  if (plot.getAttribute("aria-label") !== words) { plot.setAttribute("role", "img"); plot.setAttribute("aria-label", words); }
  fit(plot);
  if (plot.dataset.heard || !plot.on) return;
  plot.dataset.heard = "true";
  plot.on("plotly_click", ({ points }) => {
    const [model, group] = points[0].customdata || [];
    if (model !== undefined) document.dispatchEvent(new CustomEvent("hallascope:bar", { detail: { model, group } }));
  });
});
new MutationObserver(attach).observe(document.body, { childList: true, subtree: true });
watch("value", attach);
attach();
