/** Lessons for Shithead. */
import { rankOf } from '../../cards/faces.js';
import { capital, list } from '../../kit/words.js';
import { Moment, after, beginning, each, highest, isSeen, lowest, the, theCards } from './moment.js';
import { effective, happened } from './shithead_events.js';

const ORDER = '45679JQKA';
const isPower = (face) => face === 'JK' || '238T'.includes(face[0]);
const POWERS = {
  2: 'after a 2 anything goes',
  3: 'a 3 makes the next player miss a turn',
  8: 'an 8 changes nothing',
  T: 'a 10 burns the pile and lets you lead',
};
const strength = (face) => (isPower(face) ? 50 + '38T2J'.indexOf(face[0]) : ORDER.indexOf(face[0]));

export function lessons(table, legal, events) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? burn(moment) ?? present(moment);
}

const present = (moment) => (moment.isMyTurn ? turn(moment) : watching(moment));

function turn(moment) {
  switch (moment.step) {
    case 'swap': return swap(moment);
    case 'name_target': return nameTarget(moment);
    case 'answer': return answer(moment);
    default: break;
  }
  if (moment.can('flip')) return flip(moment);
  return moment.can('play') || moment.can('play_joker') ? play(moment) : pickUp(moment);
}

function swap(moment) {
  const { view, me } = moment;
  const hand = view.hands[me].filter(isSeen);
  const worst = lowest(view.face_up[me], strength);
  const best = highest(hand, strength);
  const hint = strength(best) > strength(worst)
    ? 'You play the face-up cards late, when you have no choice any more. So put your best cards there: '
      + `${the(best)} is better than ${the(worst)}.`
    : 'Your best cards lie face up already, so you can say that you are ready.';
  if (moment.times('shithead.cards_swapped')) {
    return {
      title: 'Exchange more, or be ready',
      text: 'You may exchange as often as you like. When you are happy with them, say that you are ready.',
      hint,
    };
  }
  return {
    title: 'Exchange cards, if you like',
    text: 'You have three cards in your hand, three face up, and under those three blind cards that nobody '
      + 'has seen. You have to get rid of all of them, in this order, and the last player with cards '
      + 'loses.\nBefore play you may exchange cards of your hand with your face-up cards.',
    hint,
  };
}

function play(moment) {
  const { view, me } = moment;
  const isFirst = !moment.times('shithead.cards_played', 'shithead.joker_played');
  const title = view.pile.length ? 'Your turn' : 'You lead';
  if (view.starting_card) {
    return {
      title: 'You start',
      text: `You hold ${the(view.starting_card)}, the lowest card for starting in anybody’s hand. So you `
        + 'lead with it, and with other cards of its rank if you like.',
    };
  }
  const isLate = !view.hands[me].length && view.face_up[me].length === 3;
  const late = isLate ? 'Your hand is used up, so now you play from your face-up cards. ' : '';
  const text = `${happened(moment)}${late}${rule(moment)}${isFirst ? SEVERAL : ''}`;
  return { title, text, hint: advice(moment) };
}

const SEVERAL = ' You may lay several cards of one rank together, and then draw until you hold three, as '
  + 'long as the stock lasts.';

const POWER = 'or a power card, which is a 2, 3, 8, 10 or Joker';

function rule(moment) {
  const { view, options } = moment;
  const face = effective(view.pile);
  if (!face) {
    const why = view.pile.length ? 'Only 8s lie there, and they are transparent' : 'There is no pile';
    return `${why}, so any card goes.`;
  }
  const through = rankOf(view.pile.at(-1)) === '8' ? ' You look through the 8 on top of it.' : '';
  const isNew = moment.times('shithead.cards_played', 'shithead.joker_played') < 3;
  const power = isNew ? POWER : 'or a power card';
  switch (rankOf(face)) {
    case '2':
    case '3': return `On ${the(face)} any card goes.${through}`;
    case '7': return `On ${the(face)} you have to stay `
      + `${options.seven_allows_seven ? 'at a 7 or lower' : 'lower than a 7'}, ${power}.${through}`;
    case 'A': return `On ${the(face)} you need another ace, ${power}.${through}`;
    default: return `You need a card as high as ${the(face)}, or higher, ${power}.${through}`;
  }
}

function advice(moment) {
  const playable = moment.cardsFor('play');
  const plain = playable.filter((face) => !isPower(face));
  if (plain.length) {
    const others = plain.length < playable.length || moment.can('play_joker');
    const wait = others ? ' Power cards can wait; you will need them.' : '';
    return `Low cards first: ${the(lowest(plain, strength))} is the lowest that you can play.${wait}`;
  }
  if (!playable.length) return 'You can play only a Joker now. Name the player who is to take the pile.';
  const powers = [...new Set(playable.map(rankOf))].map((rank) => POWERS[rank]).filter(Boolean);
  return `You can play only power cards: ${theCards(playable)}. ${capital(list(powers))}.`;
}

function pickUp(moment) {
  const { view, me, options } = moment;
  const faceUp = !view.hands[me].length && view.face_up[me].length;
  const next = options.pickup_restart === 'next' ? 'Then the next player leads.'
    : 'Then you lead with any card that you like.';
  const more = faceUp ? ', together with one of your face-up cards' : '';
  return {
    title: 'You have to take the pile',
    text: `${happened(moment)}Nothing that you hold may be played on ${the(effective(view.pile))}, and you `
      + `have no power card. So you take the whole pile${more}. ${next}`,
    hint: faceUp ? 'Choose the face-up card that you would least like to keep for later.' : undefined,
  };
}

function flip(moment) {
  const turned = ['blind_card_played', 'blind_card_failed', 'blind_joker_turned'];
  const isFirst = !moment.times(...turned.map((type) => `shithead.${type}`));
  return {
    title: 'Turn up a blind card',
    text: isFirst
      ? `${happened(moment)}Only your blind cards are left. Turn one up: if it can be played, it is. If not, `
        + 'you take it and the pile.'
      : `${happened(moment)}Turn up another one.`,
    hint: moment.view.pile.length ? undefined : 'There is no pile, so any card you turn up can be played.',
  };
}

const nameTarget = () => ({
  title: 'It is a Joker!',
  text: 'The blind card that you turned up is a Joker. Name the player who has to take the pile. That player '
    + 'may answer with another Joker and name somebody else.',
});

function answer(moment) {
  const by = moment.view.jokers_laid.at(-1);
  const can = moment.can('counter');
  const { pile } = moment.view;
  const lead = pile.length ? '' : ' There is no pile, so you would only have to lead.';
  const choice = can
    ? 'You may take the pile, or counter with a Joker of your own and name somebody else.'
    : 'You have no Joker to counter with, so there is only one answer: you take the pile.';
  return {
    title: 'A Joker names you',
    text: `${capital(moment.name(by ?? moment.me))} has played a Joker and named you. ${choice}${lead}`,
    hint: can && pile.length > 3 ? 'That is a large pile: a good moment for your Joker.' : undefined,
  };
}

function burn(moment) {
  if (moment.isMyTurn || !moment.can('burn')) return null;
  return {
    title: 'You can burn the pile!',
    text: `With ${theCards(moment.cardsFor('burn'))} you complete four of a kind on the pile, although it is `
      + 'not your turn. The pile leaves the game, and you lead.',
  };
}

function watching(moment) {
  const { view, me, step } = moment;
  if (step === 'swap') {
    return {
      title: 'The others are exchanging',
      text: 'You are ready. When all are, the player who holds the lowest starting card leads: the 4 of '
        + 'clubs, or the next in order that somebody holds.',
    };
  }
  const mover = view.to_move;
  if (mover === null || mover === me) return { title: 'One moment', text: 'Play continues by itself.' };
  const name = moment.name(mover);
  if (view.finished.includes(me)) {
    return {
      title: 'You are out',
      text: `You have no cards left, so you cannot be last. ${happened(moment)}Only a Joker could bring you `
        + 'back.',
    };
  }
  if (step === 'answer') {
    return {
      title: `${name} answers`,
      text: `${happened(moment)}${name} may counter with a Joker, or takes it.`,
    };
  }
  if (step === 'name_target') {
    return {
      title: `${name} turned up a Joker`,
      text: `${name} names the player who has to take the pile.`,
    };
  }
  return {
    title: `${name} plays`,
    text: happened(moment).trim() || `${name} starts, holding the lowest starting card.`,
  };
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const named = moment.latest('shithead.shithead_named')?.data;
  if (!named) return { title: 'The round is over', text: after(moment) };
  const last = named.order.at(-1);
  return {
    title: `${moment.does(last, 'is', 'are')} the shithead`,
    text: `${moment.does(last, 'is', 'are')} the last with cards. A player who goes out earlier scores more: `
      + `a point for each player who stayed in longer. ${each(moment, named.points)}.\n${after(moment)}`,
  };
}
