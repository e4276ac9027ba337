/** How a table is shuffled and who has a part in it, in plain words (docs/FAIRNESS.md). */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { nameAt } from './at_table.js';

const STATUS = {
  none: () => 'took no part in the shuffle.',
  plain: () => 'gave a seed that everybody could read before the start.',
  committed: (isOver) => (isOver ? 'committed to a seed; the table ended before it was revealed.'
    : 'has committed to a seed that nobody else knows. It is revealed after the start.'),
  revealed: () => 'committed to a seed and revealed it in time. It is part of every shuffle.',
  missed: () => 'committed to a seed but did not reveal it in time, so it counts as empty.',
};

/** @param {object} table the TableView */
export function shuffling(table) {
  const isOver = table.phase === 'ended';
  const people = table.seats.filter(({ player, policy }) => player && !policy);
  const isShared = [table.host_seed_status, ...people.map(({ seed_status: status }) => status)]
    .some((status) => status === 'committed' || status === 'revealed');
  return html`
    <p>Before the table opened, the service drew a secret seed and published its fingerprint. It can no
      longer change the seed without being found out.</p>
    <p>The players add seeds of their own, which they commit to when they sit down and reveal after the
      start. If even one of them is random and revealed in time, nobody can choose the cards, not even the
      service.
      ${isShared ? nothing : 'At this table no player has added one so far.'}</p>
    <ul class="seeds">
      ${people.map((seat) => html`<li><b>${nameAt(table, seat.seat)}</b> ${STATUS[seat.seed_status]?.(isOver)}
        ${digits(seat.seed_commitment)}</li>`)}
      ${table.host_seed_status === 'none' ? nothing : html`
        <li><b>The host</b> ${STATUS[table.host_seed_status]?.(isOver)}
          ${digits(table.host_seed_commitment)}</li>`}
      ${table.seats.some(({ policy }) => policy) ? html`<li>Bots have no seeds.</li>` : nothing}
    </ul>
    <dl class="facts">
      <dt>Fingerprint of the service’s seed</dt><dd><code>${table.commitment}</code></dd>
      <dt>The service’s seed</dt>
      <dd>${table.server_seed ? html`<code>${table.server_seed}</code>`
        : 'stays secret until the table has ended.'}</dd>
    </dl>
    <p>${isOver ? html`The table is over, so everything is public.
        <a href="/tables/${table.id}/replay">Replay it, and let your browser verify</a> each shuffle.`
      : 'When the table is over, its log is public, and your browser can verify each shuffle.'}</p>`;
}

const digits = (commitment) => (commitment
  ? html`<code title="Fingerprint of the seed">${commitment.slice(0, 12)}…</code>` : nothing);
