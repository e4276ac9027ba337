/** Lessons for Blindside. */
import { faceName } from '../../cards/faces.js';
import { count } from '../../kit/words.js';
import { Moment, after, beginning, capital, each, highest, isSeen, lowest, the } from './moment.js';

const value = (face) => ({ A: 11, K: 10, Q: 10, J: 10, T: 10 }[face[0]] ?? Number(face[0]));

export function lessons(table, legal, events) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? (moment.isMyTurn ? turn(moment) : watching(moment));
}

const turn = (moment) => ({ pass, draw, keep, discard }[moment.step]?.(moment) ?? watching(moment));

const hand = ({ view, me }) => view.hands[me].filter(isSeen);

function pass(moment) {
  const left = moment.name(moment.seat(moment.me, 1));
  const right = moment.name(moment.seat(moment.me, -1));
  const low = lowest(hand(moment), value);
  if (moment.times('blindside.blindside_passed')) {
    return {
      title: `Pass a card to ${left}`,
      text: `A new round: again you choose the Blindside Card of ${left}.`,
      hint: `Your lowest is ${the(low)}.`,
    };
  }
  return {
    title: `Pass a card to ${left}`,
    text: `You hold four cards. Choose one of them for ${left}: it will lie there face down as the Blindside `
      + `Card, and only you will know it. At the same time ${right} chooses one for you, which you see only `
      + 'at the end.',
    hint: 'There are two contests. The highest Blindside Card wins the first, and it counts in the second as '
      + `well. So a low card is a good one to give away, such as ${the(low)}.`,
  };
}

function draw(moment) {
  const { view } = moment;
  const top = view.discard_top;
  const worth = value(top);
  const hint = worth >= 8
    ? `${capital(the(top))} counts ${worth}. A card of the stock counts about seven on average, so take this `
      + 'one, unless you like surprises.'
    : `${capital(the(top))} counts only ${worth}. A card of the stock counts about seven on average, and `
      + 'nobody else sees it.';
  if (!moment.times('blindside.stock_drawn', 'blindside.discard_drawn')) {
    return {
      title: 'Your turn: draw a card',
      text: `${dealtBefore(moment)}A turn has three steps: draw one card, keep one, discard one. Draw the `
        + `top card of the stock, which nobody knows, or ${the(top)} from the discard pile, which everybody `
        + 'would see you take.',
      hint,
    };
  }
  const text = `The top card of the stock, or ${the(top)}?`;
  return { title: `Draw: turn ${turnNumber(moment)}`, text, hint };
}

function turnNumber({ me, options, round }) {
  const done = round.filter(({ type, data }) => type === 'blindside.card_discarded' && data.seat === me);
  return `${done.length + 1} of ${options.five_card ? 4 : 3}`;
}

function dealtBefore({ options }) {
  return options.five_card ? 'A Blindside Card lies in front of each player, and nobody may look at any of '
    + 'them. ' : '';
}

function keep(moment) {
  const best = highest(hand(moment), value);
  const kept = moment.view.keepers[moment.me].filter(isSeen);
  const hint = `The highest card that you hold is ${the(best)}, which counts ${value(best)}.`;
  if (!moment.times('blindside.card_kept')) {
    return {
      title: 'Keep a card',
      text: 'Lay one of your cards face down on your Keeper Pile. It stays there. At the end the cards of '
        + 'the pile and your Blindside Card are added up, and the highest total wins the second contest.',
      hint: `${hint} Suits never matter.`,
    };
  }
  return {
    title: 'Keep a card',
    text: kept.length
      ? `Your Keeper Pile counts ${kept.reduce((sum, face) => sum + value(face), 0)} so far, without the `
      + 'Blindside Card.'
      : 'The first card for your Keeper Pile in this round.',
    hint,
  };
}

function discard(moment) {
  const cards = hand(moment);
  const left = moment.name(moment.seat(moment.me, 1));
  const hint = cards.length === 1 ? 'It is the only card that you have left, so there is nothing to choose.'
    : `The lower the card, the less ${left} can do with it. Your lowest is ${the(lowest(cards, value))}.`;
  if (!moment.times('blindside.card_discarded')) {
    return {
      title: 'Discard a card',
      text: 'Lay one card face up on the discard pile. It may be the one that you have just drawn. That ends '
        + `your turn, and ${left} may take it.`,
      hint,
    };
  }
  return { title: 'Discard a card', text: 'One more card, and your turn is over.', hint };
}

function watching(moment) {
  const { view, me, last, step } = moment;
  if (step === 'pass') {
    const passed = view.passed ? `You pass ${the(view.passed)}. ` : '';
    return {
      title: 'The others are choosing',
      text: `${passed}When everybody has chosen, all cards are passed at the same time.`,
    };
  }
  const mover = view.to_move;
  if (mover === null || mover === me) {
    return {
      title: 'The cards are turned up',
      text: 'The contests are decided now.',
    };
  }
  const name = moment.name(mover);
  const isNew = /discard/.test(last?.type) && !moment.times('blindside.card_discarded');
  return {
    title: `${name} plays`,
    text: `${mine(moment)}${happened(moment, last)}`,
    ...(isNew && { hint: 'What the others take from the discard pile and what they throw away is all that '
      + 'you learn about their cards. Remember it.' }),
  };
}

// The viewer's own pass, as long as it is news.
function mine(moment) {
  const left = moment.seat(moment.me, 1);
  const passed = moment.view.blindsides[left];
  if (moment.last?.type !== 'blindside.blindside_passed' || !isSeen(passed)) return '';
  return `${capital(the(passed))}, which you passed, now lies face down in front of ${moment.name(left)}. `;
}

function happened(moment, last) {
  const name = moment.name(moment.view.to_move);
  switch (last?.type) {
    case 'blindside.stock_drawn': return `${name} has drawn from the stock, which nobody else sees, and now `
      + 'keeps a card.';
    case 'blindside.discard_drawn': return `${name} has taken ${the(last.data.card)} from the discard pile, `
      + 'so you know one of the cards there.';
    case 'blindside.card_kept': return `${name} has kept a card face down. Only ${name} may look at it `
      + 'again.';
    case 'blindside.card_discarded': return last.data.seat === moment.me
      ? `${name} is next, and may take your ${faceName(last.data.card)} or draw from the stock.`
      : `${capital(the(last.data.card))} lies on the discard pile now. ${name} may take it, or draw from the `
        + 'stock.';
    default: return `${name} begins, and goes through three steps: draw a card, keep one face down, discard `
      + 'one face up.';
  }
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const cards = moment.latest('blindside.blindsides_revealed')?.data;
  const piles = moment.latest('blindside.keepers_revealed')?.data;
  if (!cards || !piles) return { title: 'The round is over', text: after(moment) };
  const scored = moment.latest('table.round_scored')?.data;
  const brought = scored ? `${gain(scored.deltas[moment.me])}\n` : '';
  return {
    title: 'The round is over: two contests',
    text: `First the Blindside Cards. ${each(moment, cards.cards.map(the))}. ${contest(moment, cards)}\nThen `
      + `the totals, Keeper Pile and Blindside Card together. ${each(moment, piles.totals)}. `
      + `${contest(moment, piles)}\n${brought}${after(moment)}`,
  };
}

function gain(tokens) {
  if (!tokens) return 'In all, you neither win nor lose a token.';
  return `In all, you ${tokens > 0 ? 'win' : 'lose'} ${count(Math.abs(tokens), 'token')}.`;
}

function contest(moment, { winner, blindsided }) {
  const tied = blindsided.length
    ? `${capital(moment.names(blindsided))} tie and are BLINDSIDED: only a player who is alone at the top `
      + 'can win. ' : '';
  if (winner === null) return `${tied}Every value is tied, so no token moves.`;
  return `${tied}${moment.does(winner, 'wins', 'win')} a token from every other player.`;
}
