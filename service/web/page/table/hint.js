/** *Hint*: what the bot Expert would do, at unrated tables against bots alone. */
import { html } from '../vendor/lit-html/lit-html.js';
import { settle } from '../kit/jobs.js';
import { api } from '../kit/api.js';
import { withCards } from '../text/inline.js';
import { spelled } from './scene/speech.js';
import { AtTable } from './at_table.js';

class Hint extends AtTable {
  /** The version of the table that the words are about. */
  #version = 0;

  words = '';

  async #ask() {
    const { id, version } = this.table;
    this.#version = version;
    this.set({ words: 'Expert is thinking …' });
    try {
      const { words } = await settle(api.get(`/v1/tables/${id}/hint`));
      if (version === this.#version) this.set({ words: `Expert would ${words}.` });
    } catch (problem) {
      if (version === this.#version) this.set({ words: problem.detail ?? 'The hint did not arrive.' });
    }
  }

  template() {
    const isAsked = this.#version === this.table.version;
    return html`${isAsked ? html`<span aria-hidden="true">${withCards(this.words)}</span>`
      : html`<button @click=${() => this.#ask()}>Hint</button>`}
      <span class="unseen" role="status">${isAsked ? spelled(this.words) : ''}</span>`;
  }
}

customElements.define('hw-hint', Hint);
