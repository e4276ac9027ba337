/** *Hint*: what the bot Expert would do, at unrated tables against bots alone. */
import { html } from '../vendor/lit-html/lit-html.js';
import { settle } from '../kit/jobs.js';
import { api } from '../kit/api.js';
import { withCards } from '../text/inline.js';
import { spelled } from './scene/speech.js';
import { AtTable } from './at_table.js';

class Hint extends AtTable {
  words = 'Expert is thinking …';

  enter() {
    super.enter();
    this.#ask();
  }

  async #ask() {
    try {
      const { words } = await settle(api.get(`${this.path}/hint`));
      this.set({ words: `Expert would ${words}.` });
    } catch (problem) {
      this.set({ words: problem.detail ?? 'The hint did not arrive.' });
    }
  }

  template() {
    return html`<span aria-hidden="true">${withCards(this.words)}</span>
      <span class="unseen" role="status">${spelled(this.words)}</span>`;
  }
}

customElements.define('hw-hint', Hint);
