/**
 * The events of a table as links under round headings.
 *
 * A table has hundreds of events, so the list is redrawn only when events are added; a step only moves the mark.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { withCards } from '../text/inline.js';

class Moments extends Room {
  #drawn = null;

  #marked = null;

  /**
   * @param {import('./playback.js').Playback} playback
   * @param {(version: number) => string} address the link to a moment
   */
  show(playback, address) {
    this.playback = playback;
    this.address = address;
    if (this.#drawn === playback.recording.events) this.#mark();
    else this.update();
  }

  enter() {
    this.listen(this, 'click', (event) => this.#click(event));
    this.listen(this, 'keydown', (event) => this.#press(event));
  }

  draw() {
    if (!this.playback) return;
    this.#drawn = this.playback.recording.events;
    super.draw();
    this.#mark();
  }

  template() {
    const { recording } = this.playback;
    const rounds = new Map(recording.rounds.map(({ version, round }) => [version, round]));
    return html`<ol aria-label="All events">${recording.events.map(({ version, words }) => html`
      ${rounds.has(version) ? html`<li class="begins">Round ${rounds.get(version)}</li>` : nothing}
      <li><a href=${this.address(version)} data-version=${version} tabindex="-1">
        <span class="number">${version}</span> <span>${withCards(words)}</span></a></li>`)}</ol>`;
  }

  // Only the current line is a tab stop; arrow keys reach the others.
  #mark() {
    const { recording, version } = this.playback;
    const now = recording.events.findLast((event) => event.version <= version)?.version;
    const line = this.querySelector(`a[data-version="${now}"]`);
    if (this.#marked && this.#marked !== line) {
      this.#marked.removeAttribute('aria-current');
      this.#marked.tabIndex = -1;
    }
    this.#marked = line;
    if (!line) return;
    line.setAttribute('aria-current', 'step');
    line.tabIndex = 0;
    // The link contains the viewer, who may have changed.
    line.setAttribute('href', this.address(now));
    if (this.contains(document.activeElement)) line.focus({ preventScroll: true });
    const { offsetTop: top, offsetHeight: height } = line.parentElement;
    const above = top - this.scrollTop;
    if (above >= 0 && above + height <= this.clientHeight) return;
    this.scrollTop = top - this.clientHeight / 2 + height / 2;
  }

  #click(event) {
    const link = event.target.closest('a[data-version]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.playback.go(Number(link.dataset.version));
  }

  #press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.playback.step(step);
  }
}

customElements.define('hw-moments', Moments);
