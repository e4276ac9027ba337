/** Dialogs over the page: a question before something that cannot be undone, and something to read. */
import { html, render } from '../vendor/lit-html/lit-html.js';

/** Opens a dialog that is removed when it is closed; `ended` is called with the answer. */
function openDialog(title, content, ended = () => {}) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title); // not the heading's id: a term's dialog may be over another one
  render(html`<form method="dialog"><h2>${title}</h2>${content}</form>`, dialog);
  dialog.addEventListener('close', () => {
    dialog.remove();
    ended(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Shows something to read, with a button that closes it. */
export function show(title, content) {
  const dialog = openDialog(title, html`${content}<div class="row-of-buttons"><button autofocus>Close</button></div>`);
  dialog.addEventListener('click', ({ target }) => { if (target === dialog) dialog.close(); });
  return dialog;
}

/**
 * Asks a question, such as before something that cannot be undone.
 *
 * @param {{title: string, text: unknown, fields?: unknown, yes: string, no?: string, look?: string}} question `fields`
 *   have to be valid before the player can agree; `look` is that of the button `yes`
 * @returns {Promise<boolean>} whether the player agreed; closing the dialog in any other way says no
 */
export const confirm = ({ title, text, fields, yes, no = 'Back', look = 'danger' }) => new Promise((resolve) => {
  const decline = ({ target }) => target.closest('dialog').close();
  // The harmless answer comes first, so that it has the focus and Enter does no harm.
  openDialog(title, html`<p>${text}</p>${fields}
    <div class="row-of-buttons">
      <button type="button" @click=${decline}>${no}</button>
      <button class=${look} value="yes">${yes}</button>
    </div>`, (answer) => resolve(answer === 'yes'));
});
