/** The open tab on paper: a button, the tournament's address, and a card for each table of the current round. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { button } from '../kit/form.js';
import { qrImage, qrOf } from '../kit/sharing.js';
import { isArena } from './view.js';

const PRINTED = new Set(['standings', 'bracket', 'cross', 'rounds', 'teams', 'entrants']);

/** The round whose tables need cards: it is paired, or in play. */
const roundOf = ({ rounds }) => rounds.find(({ status }) => status !== 'complete');

/** Where the players of a board go. A table has no address before it opens, but keeps its id from then on. */
const addressOf = (view, deal) => (deal?.is_open ? `${location.origin}/tables/${deal.table}`
  : `${location.origin}/tournaments/${view.id}`);

/** The button above a tab, and what only the paper shows there. */
export function printing(room) {
  const { view, current, codes } = room;
  if (!PRINTED.has(current)) return nothing;
  return html`<div class="printing">
    ${button(current === 'rounds' && roundOf(view) && !isArena(view) ? 'Print pairings and table cards' : 'Print', {
      press: () => print(room) })}
    ${codes ? html`<div class="on-paper">${coded(codes, addressOf(view))}</div>` : nothing}
  </div>`;
}

/** A card for each table, below the rounds. */
export function cards({ view, current, codes, names }) {
  const round = roundOf(view);
  if (!codes || !round || isArena(view) || current !== 'rounds') return nothing;
  const card = ({ board, tables }) => html`<li>
    <p>${view.setup.name} · Round ${round.round}</p>
    <h3>Board ${board}</h3>
    <ol>${tables.at(-1).seats.map((number) => html`<li>${names.of(number)}</li>`)}</ol>
    ${coded(codes, addressOf(view, tables.at(-1)))}</li>`;
  return html`<ol class="on-paper cards-of-tables">${round.boards.map(card)}</ol>`;
}

const coded = (codes, address) => html`<p class="coded">${qrImage(codes.get(address) ?? null)}
  <span>${address.replace(/^https?:\/\//, '')}</span></p>`;

async function print(room) {
  const deals = roundOf(room.view)?.boards.map(({ tables }) => tables.at(-1)) ?? [];
  const addresses = [...new Set([undefined, ...deals].map((deal) => addressOf(room.view, deal)))];
  // Without the module for them, the addresses are printed without their codes.
  const drawn = await Promise.all(addresses.map((address) => qrOf(address).catch(() => null)));
  room.codes = new Map(addresses.map((address, index) => [address, drawn[index]]));
  room.draw();
  window.print();
}
