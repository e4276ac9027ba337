/** The deals that all tables of a round played: who played each seat, and how the results compare. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { field } from '../../kit/form.js';
import { settle } from '../../kit/jobs.js';
import { setQuery } from '../../kit/router.js';
import { count, failure, figure, list, loading } from '../../kit/words.js';
import { COMPARE, decimals, decimalsFor } from '../terms.js';
import { startedRounds } from '../view.js';

/** Why a seat is not compared. */
const EXCLUSIONS = {
  resigned: 'resigned',
  stand_in: 'a bot took most of the turns',
  no_show: 'did not appear',
  last_left: 'all others resigned',
  forfeit_win: 'nobody else appeared',
  no_result: 'no result',
  void: 'voided',
};

export function deals(room, view) {
  const rounds = startedRounds(view);
  if (!rounds.length) return html`<p>No deal has been played yet.</p>`;
  room.dealNumber ??= Number(new URLSearchParams(location.search).get('deal'));
  const round = rounds.find((each) => each.round === room.dealNumber) ?? rounds.at(-1);
  const { deal, problem } = read(room, round);
  const [title, meaning] = COMPARE[view.setup.compare];
  return html`
    <p class="small">All tables of a round play the same deal. Each seat is compared with the same seat at the other
      tables. ${title}: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}</p>
    ${rounds.length > 1 ? chooser(room, rounds, round.round) : nothing}
    ${problem ? failure(problem, () => { room.deals.clear(); room.update(); }) : nothing}
    ${deal ? dealOf(room, deal) : problem ? nothing : loading('Loading the deal')}`;
}

function chooser(room, rounds, number) {
  return html`<div class="filters">${field({
    id: 'deal',
    label: 'Deal',
    kind: 'choice',
    choices: rounds.map(({ round }) => [round, `${round}`]).toReversed(),
    value: number,
    change: (dealNumber) => {
      setQuery({ deal: dealNumber });
      room.set({ dealNumber, pair: null });
    },
  })}</div>`;
}

/** The deal as last read: it is read again when its round changes, and at each event before its release. */
function read(room, round) {
  room.deals ??= new Map();
  const key = round.is_embargoed ? room.view.version : JSON.stringify(round);
  const known = room.deals.get(round.round);
  if (known?.key === key) return known;
  const found = { key, deal: known?.deal };
  room.deals.set(round.round, found);
  settle(api.get(`${room.live.path}/deals/${round.round}`))
    .then(({ deal }) => { found.deal = deal; }, (problem) => { found.problem = problem; })
    .then(() => room.update());
  return found;
}

function dealOf(room, deal) {
  if (deal.status === 'embargoed') return embargo(deal);
  if (deal.status === 'released') return html`<p>All tables have ended; the results follow in a moment.</p>`;
  const sizes = new Set(deal.seats.map(({ size }) => size));
  return html`
    ${compared(room, deal)}
    <div class="deal-seats">${deal.seats.map((seat) => seatOf(room, deal, seat, sizes.size > 1))}</div>`;
}

function embargo({ tables }) {
  const ended = tables.filter(({ has_ended: over }) => over).length;
  return html`<p class="notice">${figure(ended)} of ${count(tables.length, 'table')} ${ended === 1 ? 'has' : 'have'}
    ended. Results and cards appear here when the last one has.</p>`;
}

/** The choice of two tables to see side by side. */
function compared(room, { tables }) {
  const played = tables.filter(({ table }) => table);
  if (played.length < 2) return nothing;
  // The chosen tables may be of an earlier deal.
  const isShown = (id) => played.some(({ table }) => table === id);
  const pair = room.pair?.every(isShown) ? room.pair : [played[0].table, played[1].table];
  const choices = played.map(({ table, board, entrants }) => [table,
    `Board ${board}: ${list(entrants.map(room.names.of))}`]);
  const pick = (at, label) => field({ id: `compare-${at}`, label, kind: 'choice', choices, value: pair[at],
    change: (table) => room.set({ pair: pair.with(at, table) }) });
  return html`<div class="panel compare-tables" role="group" aria-labelledby="compare-title">
    <h3 id="compare-title">See two tables side by side</h3>
    <div class="inline">${pick(0, 'Table')} ${pick(1, 'and table')}
      ${pair[0] === pair[1] ? html`<p class="small">Choose two different tables.</p>` : html`
        <a class="button" href="/tables/${pair[0]}/compare/${pair[1]}">Compare</a>`}</div></div>`;
}

function seatOf(room, { compare }, { size, seat, results }, hasSizes) {
  const found = results.map(({ comparison }) => comparison).filter(Boolean);
  const title = `${hasSizes ? `Tables of ${size}, seat` : 'Seat'} ${seat}${seat ? '' : ', the first dealer'}`;
  const places = decimalsFor(results.map(({ score }) => score));
  const isByMean = compare !== 'matchpoints';
  const scaled = found.find(({ is_scaled: is }) => is);
  return html`<div>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="deal" data-seat=${seat} data-size=${size}>
      <caption>${title}</caption>
      <thead><tr><th scope="col">Entrant</th><th scope="col" class="number">Points</th>
        ${compare === 'margin' ? html`<th scope="col" class="number">Lead</th>` : nothing}
        <th scope="col" class="number">${isByMean ? 'Mean of others' : 'Beat'}</th>
        <th scope="col" class="number">${COMPARE[compare][0]}</th></tr></thead>
      <tbody>${results.map((result) => line(room, result, places, compare))}</tbody></table></div>
    ${scaled ? html`<p class="small">Matchpoints are scaled from ${scaled.others + 1} to ${scaled.tables} tables
      (Neuberg’s formula).</p>` : nothing}
    ${compare === 'margin' && found[0]?.others > 1 ? html`<p class="small">The mean lead of ${found[0].others} others
      counts ${found[0].others}/${found[0].others + 4}.</p>` : nothing}
    ${found.some(({ is_average: is }) => is) ? html`<p class="small">Fewer than two others had a result in this seat, so
      it counts as an average one.</p>` : nothing}</div>`;
}

function line(room, { entrant, board, table, points, score, comparison, exclusion }, places, compare) {
  const where = `board ${board}`;
  return html`<tr class=${entrant === room.me?.number ? 'mine' : nothing} data-entrant=${entrant}>
    <th scope="row">${room.names.of(entrant)} <span class="small">${
      table ? html`<a href="/tables/${table}/replay">${where}</a>` : where}</span></th>
    <td class="number">${points === null ? '–' : figure(points)}</td>
    ${compare === 'margin' && comparison ? html`<td class="number">${exact(comparison.lead)}</td>` : nothing}
    <td class="number" colspan=${compare === 'margin' && !comparison ? 2 : 1}>${comparison ? beaten(comparison, compare)
      : html`<span class="soft">${EXCLUSIONS[exclusion]}</span>`}</td>
    <td class="number" title=${score}>${decimals(score, places)}</td></tr>`;
}

const exact = (value) => (value ? decimals(value, decimalsFor([value])) : '–');

function beaten({ beaten: better, equal, others, mean }, compare) {
  if (compare !== 'matchpoints') return exact(mean);
  return html`${better} of ${others}${equal ? html`<span class="unseen">, </span><span class="small">${equal}
    equal</span>` : nothing}`;
}
