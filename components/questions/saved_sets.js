/* The list of saved sets: a file is asked from the server and handed to the browser; open and remove are told to Python. */
const KINDS = { xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", jsonl: "application/jsonl" };
const wrong = (words) => { element.querySelector(".export-wrong").textContent = words; };
const hand = ({ name, base64 }, kind) => {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: kind }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
const download = async ({ form, of }) => {
  wrong("");
  try {
    const file = await server.export_sets({ prompt: of || null, form });
    if (file.wrong) wrong(file.wrong); else hand(file, KINDS[form]);
  } catch {
    wrong("The server did not answer: try again, or open the page anew.");
  }
};
element.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.form) download(button.dataset);
  else trigger("select", { action: button.dataset.action, prompt: button.closest(".set").dataset.prompt });
});
element.addEventListener("input", (event) => {
  if (!event.target.matches(".filter")) return;
  const wanted = event.target.value.trim().toLowerCase();
  element.querySelectorAll(".set").forEach((set) => { set.hidden = !set.dataset.prompt.toLowerCase().includes(wanted); });
});
