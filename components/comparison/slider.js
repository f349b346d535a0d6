/* The slider lies over the pictures: dragging anywhere, or the arrow keys, moves the edge between them. */
element.addEventListener("input", (event) => {
  const slide = event.target.closest(".slide");
  if (slide) slide.style.setProperty("--edge", `${event.target.value}%`);
});
