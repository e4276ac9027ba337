/** Lessons for Blind Don. */
import { suitName, suitOf } from '../../cards/faces.js';
import { capital, count } from '../../kit/words.js';
import { Moment, after, beginning, each, highest, isSeen, lowest, the } from './moment.js';

const RANKS = '23456789TJQKA';
const TRUMPS = { 5: 10, 9: 9, A: 4, K: 3, Q: 2, J: 1 };

const rank = (face) => RANKS.indexOf(face[0]);
const points = (face, trump) => (suitOf(face) === trump ? TRUMPS[face[0]] ?? 0 : face[0] === '5' ? 5 : 0);

/** Whether the follower's card beats the leader's. */
function beats(card, lead, trump) {
  if (suitOf(card) === suitOf(lead)) return rank(card) > rank(lead);
  return suitOf(card) === trump;
}

export function lessons(table, legal, events) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? (moment.isMyTurn ? turn(moment) : watching(moment));
}

const turn = (moment) => {
  if (moment.step === 'follow') return follow(moment);
  return moment.view.trump ? lead(moment) : firstLead(moment);
};

const row = ({ view }, seat) => view.face_up[seat].filter(isSeen);
const opponent = ({ me }) => 1 - me;

/** What the opponent may answer a lead with: cards of its suit, or else any. */
function answers(cards, led) {
  const suited = cards.filter((card) => suitOf(card) === suitOf(led));
  return suited.length ? suited : cards;
}

const TABLE = 'Each of you has nine cards face up in a row, and you both see all eighteen. Under each of '
  + 'them lies a card that nobody has seen. It is turned up when the card on it has been played.\n';

function firstLead(moment) {
  const mine = row(moment, moment.me);
  const suits = ['C', 'D', 'H', 'S'].map((suit) => mine.filter((card) => suitOf(card) === suit));
  const [longest] = suits.toSorted((one, other) => other.length - one.length);
  const isNew = !moment.times('blind_don.card_led', 'blind_don.trick_taken');
  return {
    title: 'You lead, and choose trump',
    text: `${isNew ? TABLE : ''}You lead to the first trick of the round, and the suit of this card is trump `
      + 'for the whole round. A trump beats every card of the other suits. Trumps are also what counts: the '
      + '5 counts ten points, the 9 nine, ace, king, queen and jack four, three, two and one. Of the other '
      + 'suits only the 5s count, five points each.',
    hint: `You have ${longest.length} ${suitName(suitOf(longest[0]))} face up, more than of any other suit `
      + 'or as many.',
  };
}

function lead(moment) {
  const { view } = moment;
  const theirs = row(moment, opponent(moment));
  const mine = row(moment, moment.me);
  const isBeaten = (card) => answers(theirs, card).some((answer) => beats(answer, card, view.trump));
  const safe = mine.filter((card) => !isBeaten(card));
  const name = moment.name(opponent(moment));
  const price = (card) => points(card, view.trump) * 20 + rank(card);
  const best = safe.length ? highest(safe, price) : null;
  const cheap = lowest(mine, price);
  const worth = best ? points(best, view.trump) : 0;
  const counts = worth ? `, and it counts ${count(worth, 'point')}` : '';
  const isFirst = !moment.times('blind_don.card_led');
  return {
    title: 'You lead',
    text: `${happened(moment)}${isFirst ? leading(name) : ''}Trumps are ${suitName(view.trump)}.`,
    hint: best ? `${name} cannot beat ${the(best)} with a face-up card${counts}.`
      : `${name} can beat every card of yours. Lead one that counts little, such as ${the(cheap)}.`,
  };
}

const leading = (name) => 'The winner of a trick leads to the next. You may lead any of your face-up cards. '
  + `${name} has to follow suit if possible, and you see with what. `;

function follow(moment) {
  const { view, me } = moment;
  const led = view.lead.card;
  const allowed = answers(row(moment, me), led);
  const suited = suitOf(allowed[0]) === suitOf(led);
  const isFirst = !moment.times('blind_don.trick_taken');
  const why = suited ? `You have to follow suit, so you may only play ${suitName(suitOf(led))}.`
    : `You have no ${suitName(suitOf(led))} face up, so you may play any card, trump or not.`;
  const isNew = isFirst && !moment.times('blind_don.card_led');
  const trumped = view.captured.every((cards) => !cards.length)
    ? ` So ${suitName(view.trump)} are trump for this round: they beat all other suits.` : '';
  return {
    title: 'You follow',
    text: `${isNew ? TABLE : ''}${moment.name(view.lead.seat)} leads ${the(led)}.${trumped} ${why}${isFirst
      ? ' The higher trump wins, or without trumps the higher card of the suit that was led. The winner '
        + 'scores for both cards.'
      : ''}`,
    hint: following(moment, allowed, led),
  };
}

function following({ view }, allowed, led) {
  const { trump } = view;
  const worth = (card) => points(card, trump) + points(led, trump);
  const winning = allowed.filter((card) => beats(card, led, trump));
  const cheap = lowest(allowed, (card) => points(card, trump) * 20 + rank(card));
  if (!winning.length) return `You cannot win this trick. Give as little as you can: ${the(cheap)}.`;
  const best = highest(winning, (card) => worth(card) * 20 - rank(card));
  if (worth(best)) return `${capital(the(best))} wins the trick, and ${count(worth(best), 'point')} with `
    + 'it.';
  return `${capital(the(best))} would win, but there are no points in this trick. The lead itself may be `
    + 'worth it.';
}

/** What the trick just taken means. */
function happened(moment) {
  const { last, view } = moment;
  if (last?.type !== 'blind_don.trick_taken') return '';
  const { cards: [led, answer], taker, points: scored } = last.data;
  const isTrumped = suitOf(answer) !== suitOf(led) && suitOf(answer) === view.trump;
  const how = isTrumped ? `${capital(the(answer))} is a trump and beats ${the(led)}. ` : '';
  const gained = scored ? `, which scores ${count(scored, 'point')} immediately` : ', which scores nothing';
  return `${how}${moment.does(taker, 'takes', 'take')} the trick${gained}. `;
}

function watching(moment) {
  const { view, me } = moment;
  const mover = view.to_move;
  if (mover === null || mover === me) return { title: 'One moment', text: 'Play continues by itself.' };
  const name = moment.name(mover);
  if (view.step === 'follow') {
    const isFirst = view.captured.every((cards) => !cards.length);
    const made = isFirst && moment.me === view.lead.seat ? `${capital(suitName(view.trump))} are trump for `
      + 'this round. ' : '';
    return {
      title: `${name} follows`,
      text: `${made}You led ${the(view.lead.card)}. ${name} has to follow suit with a face-up card, and may `
        + 'play anything only without one.',
    };
  }
  const isNew = view.trump === null;
  return {
    title: `${name} leads`,
    text: isNew
      ? `${TABLE}${name} leads to the first trick, and the suit of that card is trump for the whole round.`
      : `${happened(moment)}${name} leads to the next trick.`,
    ...turnedUp(moment),
  };
}

// Cards that came to light with the trick, the first few times.
function turnedUp({ last, me, view }) {
  if (last?.type !== 'blind_don.trick_taken') return {};
  const found = last.data.uncovered.find(({ seat }) => seat === me);
  if (!found || view.captured.flat().length > 8) return {};
  return { hint: `Under your card lay ${the(found.card)}. From now on you can play it.` };
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const tallied = moment.latest('blind_don.cards_tallied')?.data;
  if (!tallied) return { title: 'The round is over', text: after(moment) };
  const { tallies, winner } = tallied;
  const eight = winner === null ? 'They are equal, so nobody gets the eight points for it.'
    : `${moment.does(winner, 'gets', 'get')} eight points for the higher count.`;
  return {
    title: 'The round is over: the eight',
    text: 'All tricks are played, and their points have been scored. Now both of you count what you have '
      + 'won, in all suits: ten for a 10, four for an ace, three for a king, two for a queen, one for a '
      + `jack. ${each(moment, tallies)}. ${eight}\nPoints in all. `
      + `${each(moment, moment.view.scores)}.\n${after(moment)}`,
  };
}
