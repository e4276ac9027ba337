/** A question before something that cannot be undone. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { field } from '../kit/form.js';

const close = ({ target }) => target.closest('dialog').close();

// lit-html calls this before the dialog is in the document.
const open = (dialog) => queueMicrotask(() => {
  if (dialog?.isConnected && !dialog.open) dialog.showModal();
});

/**
 * @param {{title: string, text: unknown, yes: string, word?: string, onYes: () => void, onClose: () => void}}
 *   question `word`: what has to be typed first
 */
export function asked({ title, text, yes, word, onYes, onClose }) {
  const answer = (event) => {
    event.preventDefault();
    if (word && event.target.elements.word.value.trim().toLowerCase() !== word) return;
    close(event);
    onYes();
  };
  return html`
    <dialog aria-labelledby="asked" @close=${onClose} ${ref(open)}>
      <form @submit=${answer}>
        <h2 id="asked">${title}</h2>
        ${text}
        ${word ? field({
          id: 'word',
          name: 'word',
          label: `Type “${word}” to confirm`,
          required: true,
          title: `The word ${word}`,
          pattern: `\\s*[${word[0]}${word[0].toUpperCase()}]${word.slice(1)}\\s*`,
        }) : nothing}
        <div class="row-of-buttons">
          <button type="button" @click=${close}>No, go back</button>
          <button class="danger">${yes}</button>
        </div>
      </form>
    </dialog>`;
}
