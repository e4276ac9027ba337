/** A countdown to a time of the service's clock. It updates itself, so that the table is not redrawn. */
import { duration } from '../kit/words.js';
import { serverNow } from '../kit/stream.js';

class Clock extends HTMLElement {
  #timer = null;

  #until = null;

  set until(moment) {
    this.#until = moment;
    this.#tick();
  }

  connectedCallback() {
    this.setAttribute('role', 'timer');
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  #tick() {
    const left = this.#until === null ? 0 : this.#until - serverNow();
    const text = this.#until === null ? '' : duration(left);
    if (this.textContent !== text) this.textContent = text;
    this.classList.toggle('short', left < 15_000);
  }
}

customElements.define('hw-clock', Clock);
