/** The rules of the game in a few lines: next to the table, and on a phone behind a button. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { changedOptions } from '../../kit/games.js';
import { inline } from '../../text/inline.js';
import { withTerms } from '../scene/terms.js';

/** The lines of a game as `GET /v1/games/{game}` describes it, and what differs at a table with these options. */
export const cribOf = (info, options) => html`
  <ul class="crib">${info.crib.map((line) => html`<li>${inline(line, (text) => withTerms(text, info, false))}</li>`)}
    ${changedOptions(options, info).map(({ name, value }) => html`<li><strong>At this table</strong>: ${name}: ${value}</li>`)}</ul>
  <p class="small"><a href="/rules/${info.name}" target="_blank" rel="noopener">All rules</a></p>`;

export async function showCrib(info, options) {
  const { show } = await import('../../kit/dialog.js');
  show(`${info.title} in short`, cribOf(info, options));
}
