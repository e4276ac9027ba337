/** A table's result: places, scores over the rounds and links onward. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { count, signed } from '../kit/words.js';
import { nameAt, namesOf } from '../table/scene/names.js';

const ORDINALS = ['', '1st', '2nd', '3rd'];

/** The ending in the service's words, without the places, which have their own table. */
const ending = ({ events }) => (
  events.findLast(({ type }) => type.startsWith('table.ended'))?.words.split(' Places:')[0]);

/** Plot series: each seat's running score by round. */
function lines(scored, seats) {
  return namesOf({ seats }).map((name, seat) => ({
    seat,
    name,
    points: scored.map(({ data }) => [data.round, data.totals[seat]]),
  }));
}

function standings({ result: { places, scores }, seats }, unit) {
  const order = seats.map(({ seat }) => seat).sort((one, other) => places[one] - places[other]);
  return html`
    <table>
      <thead>
        <tr><th>Place</th><th>Player</th><th class="number">${unit === 'token' ? 'Tokens' : 'Points'}</th></tr>
      </thead>
      <tbody>${order.map((seat) => html`
        <tr><td>${ORDINALS[places[seat]] ?? `${places[seat]}th`}</td>
          <td><span class="dot" .style=${`--own: var(--seat-${seat})`}></span> ${nameAt({ seats }, seat)}${
            seats[seat].resigned ? html` <small>resigned</small>` : nothing}</td>
          <td class="number">${unit === 'token' ? signed(scores[seat]) : scores[seat]}</td></tr>`)}
      </tbody>
    </table>`;
}

/**
 * @param {object} view a TableView with a result
 * @param {import('./recording.js').Recording} recording
 * @param {{plot?: Function, rematch: string|null, isImport: boolean}} how `plot` is `linePlot` once loaded
 */
export function results(view, recording, { plot, rematch, isImport }) {
  const { result, voided, tournament } = view;
  const scored = recording.events.filter(({ type }) => type.startsWith('table.round_scored'));
  const unit = scored[0]?.data.unit;
  return html`
    <section class="panel results" aria-labelledby="results-title">
      <h2 id="results-title">Result</h2>
      <p>${ending(recording)} ${scored.length ? `${count(scored.length, 'round')} scored.` : nothing}</p>
      ${voided ? html`<p class="notice">${voided.admin} took the result back: ${voided.reason}</p>` : nothing}
      <div class="sheet">
        ${result.places ? standings(view, unit) : html`<p>This table has no places.</p>`}
        ${plot && scored.length > 1 ? plot({
          title: 'Scores over the rounds', xLabel: 'round', yLabel: unit === 'token' ? 'tokens' : 'points',
          series: lines(scored, view.seats),
        }) : nothing}
      </div>
      ${isImport ? nothing : html`<p class="row-of-buttons">
        ${rematch ? html`<a class="button" href="/tables/${rematch}">Go to the rematch</a>` : nothing}
        ${tournament
    ? html`<a class="button" href="/tournaments/${tournament.tournament}">Go to the tournament</a>` : nothing}
      </p>`}
    </section>`;
}
