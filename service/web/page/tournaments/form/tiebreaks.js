/** A list of tie-breaks with buttons to reorder them. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { field } from '../../kit/form.js';
import { TIEBREAKS } from '../terms.js';

/** The tie-breaks that a system may use. */
export const tiebreaksFor = ({ format }) => (format === 'arena' ? ['wins', 'difference', 'lot'] : Object.keys(TIEBREAKS));

/**
 * @param {string[]} chosen
 * @param {(chosen: string[]) => void} change
 * @param {{offered: string[], fault?: string, isHeaded?: boolean}} options
 */
export function tiebreaksField(chosen, change, { offered, fault, isHeaded = false }) {
  const act = (event, next) => {
    change(next);
    keepFocus(event.target.closest('.tiebreaks'));
  };
  return html`<fieldset class="tiebreaks">
    <legend class=${isHeaded ? 'unseen' : nothing}>Tie-breaks</legend>
    ${isHeaded ? nothing : html`<p class="small">They rank entrants with the same score, in this
      order.</p>`}
    ${chosen.length
      ? html`<ol>${chosen.map((name, index) => line(chosen, name, index, act))}</ol>`
      : html`<p>None: tied entrants share their place.</p>`}
    ${adding(chosen, offered, change)}
    ${fault ? html`<p class="fault">${fault}</p>` : nothing}
  </fieldset>`;
}

function line(chosen, name, index, act) {
  const [title, , meaning] = TIEBREAKS[name];
  const rest = chosen.filter((other) => other !== name);
  const to = (place) => (event) => {
    if (place >= 0 && place < chosen.length) act(event, [...rest.slice(0, place), name,
      ...rest.slice(place)]);
  };
  const ends = (isEnd) => (isEnd ? 'true' : nothing);
  return html`<li>
    <span><b>${title}</b> <span class="small">${meaning}</span></span>
    <span class="orders">
      <button type="button" aria-label="Move ${title} up" aria-disabled=${ends(!index)}
        @click=${to(index - 1)}>↑</button>
      <button type="button" aria-label="Move ${title} down" aria-disabled=${ends(index === chosen.length - 1)}
        @click=${to(index + 1)}>↓</button>
      <button type="button" aria-label="Leave out ${title}" @click=${(event) => act(event, rest)}>✕</button>
    </span></li>`;
}

function adding(chosen, offered, change) {
  const others = offered.filter((name) => !chosen.includes(name));
  if (!others.length) return nothing;
  return html`<div class="filters">${field({
    id: 'tiebreak-more',
    label: 'Add',
    kind: 'choice',
    choices: [['', 'choose one …'], ...others.map((name) => [name, TIEBREAKS[name][0]])],
    value: '',
    change: (name) => change([...chosen, name]),
  })}</div>`;
}

// The pressed button may be gone with its row, which drops the focus.
async function keepFocus(list) {
  await null; // the drawing comes first
  if (!list.contains(document.activeElement)) list.querySelector('select, button')?.focus();
}
