/** The table at the shown moment, without controls. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { card } from '../cards/card.js';
import { faceName } from '../cards/faces.js';
import { felt } from '../table/scene/felt.js';
import { fly, measured, settle } from '../table/scene/flights.js';
import { nameAt } from '../table/scene/names.js';

/** Piles whose height alone is visible to players. */
const HEAPS = {
  stock: 'Stock, the next card first',
  bank: 'Bank, the next card first',
  set_aside: 'Set aside',
  aside: 'Not dealt',
  removed: 'Out of play',
};

/**
 * @param {object} table a TableView
 * @param {boolean} isLive true if this is the present moment
 * @param {number|null} you the seat that the person watching played
 * @param {string} [among] the name of the table, if there are several
 */
export function stage(table, isLive, you, among) {
  const seen = { ...table, among, you: table.viewer === you ? you : null };
  if (isLive) return felt(seen);
  // Otherwise a past deadline would start a clock now.
  return felt({ ...seen, seats: seen.seats.map((seat) => ({ ...seat, deadline: null })) });
}

/** Cards in face-down piles, shown only to viewers who see everything. */
export function heaps({ viewer, game, view, seats }) {
  if (viewer !== 'everybody') return nothing;
  const found = Object.entries(HEAPS).map(([name, title]) => [title, view[name]]);
  const ofSeats = (title, cards) => (
    (cards ?? []).map((own, seat) => [`${title} of ${nameAt({ seats }, seat)}`, own.filter(Boolean)]));
  found.push(...ofSeats('Loot bag', view.loot));
  if (game === 'blind_don') found.push(...ofSeats('Under the row', view.face_down));
  const shown = found.filter(([, cards]) => cards?.length);
  return shown.length ? html`
    <details class="heaps"><summary>Face-down cards</summary>
      ${shown.map(([title, cards]) => html`<h3>${title}</h3>
        <ul>${cards.map((face) => html`
          <li>${card(face)}<span class="unseen">${faceName(face)}</span></li>`)}</ul>`)}
    </details>` : nothing;
}

/** Draws, and animates moved cards if `events` led here from the previous moment. */
export function draw(root, drawing, events) {
  const before = events ? measured(root) : null;
  drawing();
  if (before) fly(root, before, events);
  settle(root);
}
