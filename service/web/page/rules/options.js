/** The options of a game whose rules do not list them. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { inline } from '../text/inline.js';

const HEAD = ['option', 'default', 'meaning'];

const said = (value) => (value === null ? 'chosen by the game' : html`<code>${JSON.stringify(value)}</code>`);

export function optionsOf({ options }, { prefix, below, link = () => nothing }) {
  if (!options.length) return nothing;
  const title = html`Options${link('options', 'Options')}`;
  return html`
    ${below ? html`<h3 id="${prefix}options">${title}</h3>` : html`<h2 id="${prefix}options">${title}</h2>`}
    <div class="scroll" tabindex="0" role="group" aria-label="Options">
      <table class="wordy">
        <thead><tr>${HEAD.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
        <tbody>${options.map(({ name, default: usual, meaning }) => html`
          <tr id="${prefix}options-${name}"><td><code>${name}</code></td><td data-head="default">${said(usual)}</td>
            <td>${inline(meaning)}${link(`options-${name}`, name)}</td></tr>`)}</tbody>
      </table>
    </div>`;
}
