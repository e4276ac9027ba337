/** The cross-table: entrant against entrant in a two-player round robin, otherwise by round. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { loading } from '../../kit/words.js';
import { cell, inRound } from './marks.js';
import { decimals, decimalsFor } from '../terms.js';
import { startedRounds } from '../view.js';

export function crossTable(room, view) {
  const rows = room.live.standings?.rows;
  if (!rows) return loading('Loading the results');
  const { format, seats } = view.setup;
  const isMatrix = format === 'round_robin' && seats === 2;
  const columns = isMatrix ? byOpponent(room, rows) : byRound(room, rows);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Cross-table">
      ${table(room, rows, columns, isMatrix ? 'Results, rows against columns' : 'Results by round')}</div>
    <p class="small">${legend(seats, isMatrix)} <span class="on-screen">Each mark links to its table.</span></p>`;
}

function legend(seats, isMatrix) {
  const others = '+ won without playing, − did not appear, * a bot took most of the turns';
  if (seats > 2) return `The place at the table; = shared, ${others}.`;
  const marks = `1 won, ½ drawn or without a result, 0 lost, ${others}`;
  return isMatrix ? `${marks}.` : `${marks}; a small number is the opponent’s line.`;
}

function table({ names, me }, rows, columns, caption) {
  const places = decimalsFor(rows.map(({ score }) => score));
  const line = ({ entrant, score }, index) => html`
    <tr class=${entrant === me?.number ? 'mine' : nothing} data-entrant=${entrant}>
      <td class="number soft">${index + 1}</td>
      <th scope="row">${names.of(entrant)}</th>
      ${columns.map(({ cellOf }) => cellOf(entrant))}
      <td class="number">${decimals(score, places)}</td></tr>`;
  return html`<table class="cross">
    <caption>${caption}</caption>
    <thead><tr><th scope="col" class="number"><abbr title="Line">#</abbr></th><th scope="col">Entrant</th>
      ${columns.map(({ head }) => head)}
      <th scope="col" class="number">Score</th></tr></thead>
    <tbody>${rows.map(line)}</tbody></table>`;
}

/** A column for each opponent, with a mark for each meeting. */
function byOpponent({ names, view }, rows) {
  const played = startedRounds(view).flatMap((round) => (
    rows.map(({ entrant }) => ({ entrant, found: inRound(round, entrant) }))));
  const met = Map.groupBy(played, ({ entrant, found }) => `${entrant} ${found?.others?.[0]}`);
  const marks = (entrant, other) => html`<td class="mark-column" data-against=${other}>${
    met.get(`${entrant} ${other}`)?.map(({ found }) => cell(found, names, { opponents: false }))}</td>`;
  return rows.map(({ entrant: other }, index) => ({
    head: html`<th scope="col" class="mark-column" title=${names.of(other)}>
      <span aria-hidden="true">${index + 1}</span><span class="unseen">${names.of(other)}</span></th>`,
    cellOf: (entrant) => (entrant === other
      ? html`<td class="self"><span class="unseen">the same entrant</span></td>` : marks(entrant, other)),
  }));
}

/** A column for each round, with the opponent's line at two-player tables. */
function byRound({ names, view }, rows) {
  const lines = new Map(rows.map(({ entrant }, index) => [entrant, index + 1]));
  const opponent = (found) => (found?.size === 2 && found.others.length
    ? html`<span class="opponent" aria-hidden="true">${lines.get(found.others[0])}</span>` : nothing);
  return startedRounds(view).map((round) => ({
    head: html`<th scope="col" class="mark-column"><span class="unseen">Round </span>${round.round}</th>`,
    cellOf: (entrant) => {
      const found = inRound(round, entrant);
      return html`<td class="mark-column" data-round=${round.round}>${
        cell(found, names, { seats: view.setup.seats })}${opponent(found)}</td>`;
    },
  }));
}
