/** The cards that this viewer has seen in the round, as a player with a perfect memory would know them. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { suitMark } from '../../cards/card.js';
import { RANKS, SUITS, rankName, suitName } from '../../cards/faces.js';

const FACE = /^([2-9TJQKA][CDHS]|JK)$/;

/** Every face in a value, however deep; hidden ones are not among them. */
function* facesIn(value) {
  if (typeof value === 'string') {
    if (FACE.test(value)) yield value;
  } else if (value && typeof value === 'object') for (const each of Object.values(value)) yield* facesIn(each);
}

/**
 * Copies of each face seen since the last deal: the most in view at one moment, because nobody can tell two copies
 * apart.
 */
export function seen(view, events) {
  const dealt = events.findLastIndex(({ data }) => data && 'dealer' in data && 'round' in data);
  const most = new Map();
  const keep = (value) => {
    const now = new Map();
    for (const face of facesIn(value)) now.set(face, (now.get(face) ?? 0) + 1);
    for (const [face, times] of now) most.set(face, Math.max(times, most.get(face) ?? 0));
  };
  for (const { data } of events.slice(Math.max(dealt, 0))) keep(data);
  // Without the last trick, whose cards may be among the captured ones and would count twice.
  keep({ ...view.view, last: null });
  return most;
}

export function seenSoFar(view, events) {
  const most = seen(view, events);
  if (!most.size) return html`<p class="small">You have not seen a card yet.</p>`;
  return html`
      <p class="small">Every card that you have seen in this round, wherever it is now.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Cards seen so far"><table>
        <caption class="unseen">Cards seen in this round, by suit and rank</caption>
        <thead><tr><th scope="col"><span class="unseen">Suit</span></th>${[...RANKS].map((rank) => html`
          <th scope="col"><abbr title=${rankName(rank)}>${rank === 'T' ? '10' : rank}</abbr></th>`)}</tr></thead>
        <tbody>${[...SUITS].map((name) => html`<tr><th scope="row">${suitMark(name)}<span class="unseen">${suitName(name)}</span></th>
          ${[...RANKS].map((rank) => {
    const times = most.get(rank + name) ?? 0;
    return html`<td class=${times ? 'yes' : ''}>${times > 1 ? times : times ? html`<span aria-hidden="true">•</span><span class="unseen">seen</span>` : ''}</td>`;
  })}</tr>`)}</tbody></table></div>
      ${most.has('JK') ? html`<p class="small">Jokers seen: ${most.get('JK')}</p>` : nothing}`;
}
