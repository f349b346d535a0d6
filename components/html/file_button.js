/* A button that asks the server for a file as it is now, and hands it to the browser. */
const wrong = (words) => { element.querySelector(".export-wrong").textContent = words; };
element.addEventListener("click", async (event) => {
  if (!event.target.closest("button")) return;
  wrong("");
  try {
    const file = await server.export_file({});
    if (file.wrong) { wrong(file.wrong); return; }
    const url = URL.createObjectURL(new Blob([file.text], { type: file.kind }));
    const link = document.createElement("a");
    link.href = url;
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch {
    wrong("The server did not answer: try again, or open the page anew.");
  }
});
