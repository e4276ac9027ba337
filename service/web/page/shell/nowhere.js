import { html } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { setTitle } from '../kit/words.js';

class Nowhere extends Room {
  enter() {
    setTitle('Not found');
  }

  template() {
    return html`
      <section class="page">
        <h1>There is nothing at this address</h1>
        <p>The link may be incomplete. <a href="/">All games</a> are on the first page, and
          <a href="/tables">the lobby</a> lists the tables.</p>
      </section>`;
  }
}

customElements.define('hw-nowhere', Nowhere);
