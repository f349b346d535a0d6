// @ts-check
/* Shows a dialog over the page. */

/**
 * Show a dialog; Escape and a click beside it close it, and it is taken away when it closes.
 * @param {HTMLDialogElement} dialog
 * @param {Element} place what holds it
 */
export const showDialog = (dialog, place) => {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  place.append(dialog);
  dialog.showModal();
};
