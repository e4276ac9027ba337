/** How each game deals (docs/RULES.md). */

import { newPack } from './draws.js';

const after = (seat, seats, steps = 1) => (seat + steps + seats) % seats;
const eachSeat = (seats, cards) => Array.from({ length: seats }, (_, seat) => cards(seat));

/** Returns what each seat gets of cards that are dealt singly, clockwise from the dealer's left. */
const singly = (cards, seats, dealer) =>
  eachSeat(seats, (seat) => cards.filter((_, i) => i % seats === after(seat, seats, -dealer - 1)));

/** Returns what each seat gets in packets, counter-clockwise from the dealer's right. */
const packets = (cards, seats, dealer, size) =>
  eachSeat(seats, (seat) => {
    const turn = after(dealer, seats, -seat - 1);
    return cards.slice(size * turn, size * (turn + 1));
  });

/** Returns a function that takes cards off the top of a deck, or the rest without a number. */
const taking = (deck) => {
  let taken = 0;
  return (count) => deck.slice(taken, (taken = count === undefined ? deck.length : taken + count));
};

/**
 * By game: the event of its deals, the pack, and the fields of a deal; where it differs from the others, also
 * the field that names the dealer, and who deals next.
 */
export const DEALINGS = {
  blindside: {
    event: 'blindside.round_dealt',
    pack: (seats) => newPack(Math.ceil(seats / 5), 0),
    deal(deck, seats, dealer, options) {
      const take = taking(deck);
      const hands = singly(take(4 * seats), seats, dealer);
      const blindsides = options.five_card ? singly(take(seats), seats, dealer).flat() : [];
      return { hands, blindsides, turn_up: take(1)[0], stock: take() };
    },
  },
  double_blind: {
    event: 'double_blind.caper_dealt',
    dealer: 'mastermind',
    pack(seats, options) {
      const packs = Math.ceil(seats / 3);
      return newPack(packs, packs * (options.jokers_per_deck ?? 2));
    },
    deal(deck, seats, dealer) {
      const take = taking(deck);
      const sleeves = packets(take(3 * seats), seats, dealer, 3);
      return { sleeves, pockets: packets(take(5 * seats), seats, dealer, 5), bank: take() };
    },
    next: (dealer, seats, { dealer_rotation: turn }) =>
      after(dealer, seats, { left: 1, fixed: 0 }[turn] ?? -1),
  },
  coconut: {
    event: 'coconut.round_dealt',
    pack: (seats) => newPack(seats > 2 ? 2 : 1, 0),
    deal(deck, seats, dealer) {
      const take = taking(deck);
      const face_down = singly(take(3 * seats), seats, dealer);
      return { face_down, hands: singly(take(6 * seats), seats, dealer), stock: take() };
    },
  },
  blind_don: {
    event: 'blind_don.round_dealt',
    pack: () => newPack(1, 0),
    deal(deck, seats, dealer) {
      const take = taking(deck);
      const face_down = singly(take(18), seats, dealer);
      return { face_down, face_up: singly(take(18), seats, dealer), aside: take() };
    },
  },
  shithead: {
    event: 'shithead.round_dealt',
    pack(seats, { decks, jokers }) {
      const packs = (count) => newPack(count, jokers ?? 2 * count);
      return packs(decks ?? (9 * seats > packs(1).length ? 2 : 1));
    },
    deal(deck, seats, dealer) {
      const take = taking(deck);
      const [blind, face_up, hands] = [1, 2, 3].map(() => singly(take(3 * seats), seats, dealer));
      return { blind, face_up, hands, stock: take() };
    },
  },
};

const left = (dealer, seats) => after(dealer, seats);

/** Returns who deals the next round, unless the round decides it, as in Shithead. */
export const nextDealer = (game, dealer, seats, options) =>
  (DEALINGS[game].next ?? left)(dealer, seats, options);

/** Returns the cut of Blind Don: the pairs that were drawn from deck 0, and who deals. */
export function cutDealer(deck) {
  const cards = [];
  const rank = (card) => '23456789TJQKA'.indexOf(card[0]);
  for (let i = 0; i < deck.length; i += 2) {
    const [first, second] = [deck[i], deck[i + 1]];
    cards.push([first, second]);
    if (rank(first) !== rank(second)) return { cards, dealer: rank(first) < rank(second) ? 0 : 1 };
  }
  return { cards, dealer: 0 };
}
