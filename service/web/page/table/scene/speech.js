/** Spoken text for players who cannot see the table: each event, then the cards and the choices. */
import { faceName } from '../../cards/faces.js';
import { facesInWords } from '../../cards/words.js';
import { seatOf, zonesOf } from './scene.js';
import { nameOf } from './names.js';
import { invitation, labelOf } from '../prompt.js';

const FACE = /\b(10|[2-9TJQKA])([CDHS])\b|\bJK\b/g;

/** A sentence of the service with its cards written out: `led KD` → `led king of diamonds` */
export const spelled = (words) => words.replace(FACE, (face) => faceName(face));

/**
 * The text for the live region after a message: what happened, and what the player holds and may do.
 * The buttons carry the same names, so that the text alone is enough to play.
 */
export function announcement({ events = [], view }, scene, choices) {
  const told = events.map(({ words }) => spelled(words ?? '')).filter(Boolean);
  if (choices?.hasAny) {
    told.push(view.seats[choices.seat].owes ? 'Your turn.' : 'You may act out of turn.', invitation(view, choices));
    told.push(...holdings(view, scene), ...possible(view, choices));
  }
  return told.join(' ');
}

/** Spoken text when cards are picked or put back: the cards, and the next choices. */
export function picking(view, choices) {
  const picked = choices.picked.map((place) => choices.faces.get(place));
  return [`Picked: ${facesInWords(picked)}.`, ...possible(view, choices)].join(' ');
}

function holdings(view, scene) {
  const mine = zonesOf(scene).filter(({ seat, count }) => seat === seatOf(view) && count);
  const centre = scene.centre.filter(({ count }) => count);
  return [...centre, ...mine].map((zone) => `${zone.seat === null ? 'The' : 'Your'} ${zone.title}: ${
    zone.form === 'stack' ? zone.count : facesInWords((zone.form === 'pile' ? zone.cards.slice(-1) : zone.cards).map(({ face }) => face))}.`);
}

function possible(view, choices) {
  const lit = choices.zones.flatMap((zone) => zone.cards
    .filter(({ place }) => choices.isLit(place) && !choices.isPicked(place)).map((placed) => nameOf(placed, zone, view)));
  const buttons = choices.buttons.map(({ label }) => labelOf(label, view));
  return [
    lit.length ? `Cards to choose: ${lit.join('; ')}.` : '',
    buttons.length ? `Buttons: ${buttons.join('; ')}.` : '',
  ].filter(Boolean);
}
