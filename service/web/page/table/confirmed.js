/** Asks before something that cannot be undone, in a dialog of the page. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';

/**
 * @param {{title: string, text: unknown, yes: string, no: string}} question
 * @returns {Promise<boolean>} whether the player agreed; closing the dialog in any other way says no
 */
export function confirmed({ title, text, yes, no }) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'question';
    dialog.setAttribute('aria-labelledby', 'question');
    // The harmless answer comes first, so that it has the focus and Enter does no harm.
    render(html`
      <h2 id="question">${title}</h2>
      <p>${text}</p>
      <form method="dialog" class="row-of-buttons">
        <button value="">${no}</button>
        <button value="yes" class="danger">${yes}</button>
      </form>`, dialog);
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Shows something to read in a dialog with a button that closes it. */
export function shown(title, content) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'shown');
  render(html`
    <h2 id="shown">${title}</h2>
    ${content ?? nothing}
    <form method="dialog" class="row-of-buttons"><button>Close</button></form>`, dialog);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
