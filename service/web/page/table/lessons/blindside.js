/** Lessons for Blindside. */
import { faceName } from '../../cards/faces.js';
import { capital, count } from '../../kit/words.js';
import { Moment, after, beginning, each, highest, isSeen, lowest, the } from './moment.js';

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
      text: `A new round: choose the Blindside Card for ${left} again.`,
      hint: `Your lowest is ${the(low)}.`,
    };
  }
  return {
    title: `Pass a card to ${left}`,
    text: `You hold four cards. Choose one as the Blindside Card for ${left}. It will lie face down in front of `
      + `${left}, and only you will know it. At the same time ${right} chooses one for you, which you will `
      + 'not see until the end.',
    hint: 'There are two contests. The highest Blindside Card wins the first, and it also counts in the '
      + `second. So give away a low card, such as ${the(low)}.`,
  };
}

function draw(moment) {
  const { view } = moment;
  const top = view.discard_top;
  const worth = value(top);
  const hint = worth >= 8
    ? `${capital(the(top))} is worth ${worth}. The average card in the stock is worth about seven, so take this `
      + 'one, unless you like surprises.'
    : `${capital(the(top))} is worth only ${worth}. The average card in the stock is worth about seven, and `
      + 'nobody else sees what you draw.';
  if (!moment.times('blindside.stock_drawn', 'blindside.discard_drawn')) {
    return {
      title: 'Your turn: draw a card',
      text: `${dealtBefore(moment)}A turn has three steps: draw a card, keep one, discard one. Draw the top `
        + `card of the stock, which nobody knows, or take ${the(top)} from the discard pile, where everybody `
        + 'sees what you take.',
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
  const hint = `Your highest card is ${the(best)}, which is worth ${value(best)}.`;
  if (!moment.times('blindside.card_kept')) {
    return {
      title: 'Keep a card',
      text: 'Place one of your cards face down on your Keeper Pile. It stays there. At the end, the cards in '
        + 'the pile and your Blindside Card are added up. The highest total wins the second contest.',
      hint: `${hint} Suits never matter.`,
    };
  }
  return {
    title: 'Keep a card',
    text: kept.length
      ? `Your Keeper Pile is worth ${kept.reduce((sum, face) => sum + value(face), 0)} so far, without the `
      + 'Blindside Card.'
      : 'Choose the first card of this round for your Keeper Pile.',
    hint,
  };
}

function discard(moment) {
  const cards = hand(moment);
  const left = moment.name(moment.seat(moment.me, 1));
  const hint = cards.length === 1 ? 'It is your only card, so there is nothing to choose.'
    : `The lower the card, the less ${left} can do with it. Your lowest is ${the(lowest(cards, value))}.`;
  if (!moment.times('blindside.card_discarded')) {
    return {
      title: 'Discard a card',
      text: 'Place one card face up on the discard pile. It may be the one that you have just drawn. That ends '
        + `your turn, and ${left} may take the card.`,
      hint,
    };
  }
  return { title: 'Discard a card', text: 'Discard a card to end your turn.', hint };
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
      title: 'The cards are revealed',
      text: 'Now the two contests are decided.',
    };
  }
  const name = moment.name(mover);
  const isNew = /discard/.test(last?.type) && !moment.times('blindside.card_discarded');
  return {
    title: `${name} plays`,
    text: `${mine(moment)}${happened(moment, last)}`,
    ...(isNew && { hint: 'All that you learn about the others’ cards is what they take from the discard pile '
      + 'and what they discard. Remember it.' }),
  };
}

// The card that the viewer passed, right after the pass.
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
      + 'chooses a card to keep.';
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
  const outcome = scored ? `${gain(scored.deltas[moment.me])}\n` : '';
  return {
    title: 'The round is over: two contests',
    text: `First the Blindside Cards. ${each(moment, cards.cards.map(the))}. ${contest(moment, cards)}\nThen `
      + `the totals, Keeper Pile and Blindside Card together. ${each(moment, piles.totals)}. `
      + `${contest(moment, piles)}\n${outcome}${after(moment)}`,
  };
}

function gain(tokens) {
  if (!tokens) return 'Overall, you neither win nor lose tokens.';
  return `Overall, you ${tokens > 0 ? 'win' : 'lose'} ${count(Math.abs(tokens), 'token')}.`;
}

function contest(moment, { winner, blindsided }) {
  const tied = blindsided.length
    ? `${capital(moment.names(blindsided))} tie and are BLINDSIDED: a tied value cannot win. ` : '';
  if (winner === null) return `${tied}Every value is tied, so no tokens change hands.`;
  return `${tied}${moment.does(winner, 'wins', 'win')} a token from every other player.`;
}
