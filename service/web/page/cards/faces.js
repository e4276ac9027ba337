/**
 * The names and the order of cards. A face is rank and suit in the notation of the service, `9S` or `TH`;
 * `JK` is a joker, `??` a hidden card and `null` an empty place.
 */

export const HIDDEN = '??';
export const JOKER = 'JK';
export const RANKS = '23456789TJQKA';
export const SUITS = 'CDHS';

/** Every face once, in the order of an unshuffled pack, with the joker last. */
export const FACES = [...[...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)), JOKER];

const KNOWN = new Set(FACES);
const HAND_SUITS = 'CDSH'; // black and red in turn, so that one suit of a hand is easily told from the next
const SUIT_NAMES = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
const RANK_NAMES = {
  2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight', 9: 'nine', T: 'ten',
  J: 'jack', Q: 'queen', K: 'king', A: 'ace', JK: 'Joker',
};

/** Whether it is a hidden card. A text that names no card counts as one. */
export function isHidden(face) {
  return face !== null && !KNOWN.has(face);
}

/** One of `RANKS`, `JK` for a joker, or an empty text where no card is known. */
export function rankOf(face) {
  if (face === JOKER) return JOKER;
  return KNOWN.has(face) ? face[0] : '';
}

/** One of `SUITS`, or an empty text for a joker and where no card is known. */
export function suitOf(face) {
  return face !== JOKER && KNOWN.has(face) ? face[1] : '';
}

export function rankName(rank) {
  return RANK_NAMES[rank] ?? '';
}

export function suitName(suit) {
  return SUIT_NAMES[suit] ?? '';
}

/** `9S` as `nine of spades`, for labels and speech. */
export function faceName(face) {
  if (face === null) return 'an empty place';
  if (isHidden(face)) return 'a hidden card';
  return face === JOKER ? RANK_NAMES[JOKER] : `${rankName(rankOf(face))} of ${suitName(suitOf(face))}`;
}

/** The sort key of a face; hidden cards come after all known ones, and empty places last. */
function order(face) {
  if (face === null) return 300;
  if (isHidden(face)) return 200;
  if (face === JOKER) return 100;
  const rank = RANKS.indexOf(rankOf(face));
  const suit = HAND_SUITS.indexOf(suitOf(face));
  return rank * SUITS.length + suit;
}

/** Compares for `sort`: by rank, then by suit. */
export function compareFaces(first, second) {
  return order(first) - order(second);
}
