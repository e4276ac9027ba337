/** Lessons for Coconut. */
import { rankOf } from '../../cards/faces.js';
import { Moment, after, beginning, each, isSeen, lowest, the, theCards } from './moment.js';
import { capital } from '../../kit/words.js';

const ORDER = '3456789JQKA';
const isWild = (face) => '2T'.includes(face[0]);
/** How long a card is worth keeping: wild ones longest. */
const strength = (face) => (isWild(face) ? 100 : ORDER.indexOf(face[0]));

export function lessons(table, legal, events) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? sneak(moment) ?? present(moment);
}

const present = (moment) => (moment.isMyTurn ? turn(moment) : watching(moment));

const turn = (moment) => {
  if (moment.step === 'choose') return choose(moment);
  if (moment.step === 'open') return open(moment);
  if (moment.can('flip')) return flip(moment);
  return moment.can('play') ? play(moment) : pickUp(moment);
};

function zone({ view, me }) {
  if (view.hands[me].length) return ['hand', view.hands[me]];
  return view.face_up[me].length ? ['face up', view.face_up[me]] : ['face down', view.face_down[me]];
}

function choose(moment) {
  const cards = moment.view.hands[moment.me].filter(isSeen);
  const best = cards.toSorted((one, other) => strength(other) - strength(one)).slice(0, 3);
  const hint = 'You play these cards late, when nothing can be drawn any more. So choose cards that can '
    + `nearly always be played: 2s, 10s, aces, kings. In your hand the best are ${theCards(best)}.`;
  if (moment.times('coconut.face_up_chosen')) {
    return {
      title: 'Choose three cards',
      text: 'Three of your six cards lie face up again. The other three are your hand.',
      hint,
    };
  }
  return {
    title: 'Choose three cards to lie face up',
    text: 'Three cards lie face down in front of you. Nobody has seen them, and you play them last of all. '
      + 'Now choose three of the six cards in your hand: they will lie face up on those. The other three '
      + 'stay in your hand.\nYou win by getting rid of everything: first the hand, then the face-up cards, '
      + 'then the face-down ones.',
    hint,
  };
}

const OPENINGS = {
  lowest_nonwild: 'You open with the lowest rank in your hand, where 2s and 10s do not count.',
  lowest_literal: 'You open with the lowest rank in your hand, and here a 2 is the lowest.',
  free: 'You open with any one rank that you like.',
};

function open(moment) {
  const cards = moment.cardsFor('play');
  const isForced = cards.every((face) => rankOf(face) === rankOf(cards[0]));
  return {
    title: 'You open the round',
    text: `You sit on the dealer’s left. ${OPENINGS[moment.options.opening]} If you hold several cards of `
      + 'one rank, you may lay them together. Afterwards you draw until you hold three cards again.',
    hint: isForced ? `In your hand that is ${theCards(cards)}.` : undefined,
  };
}

function play(moment) {
  const { view } = moment;
  const [where] = zone(moment);
  const playable = moment.cardsFor('play');
  const plain = playable.filter((face) => !isWild(face));
  const hint = plain.length
    ? `Get rid of low cards first: ${the(lowest(plain, strength))} is the lowest that you can play.${
      plain.length < playable.length ? ' Save the 2s and 10s for when you need them.' : ''}`
    : `You can play only ${playable.length === 1 ? 'this wild card' : 'wild cards'} now. A 2 lets anything `
      + 'follow, and a 10 clears the pile and lets you lead.';
  const title = view.pile.length ? 'Your turn' : 'You lead';
  return { title, text: `${happened(moment)}${zoneNews(moment, where)}${rule(moment)}`, hint };
}

function rule(moment) {
  const { view } = moment;
  const isFirst = !moment.times('coconut.cards_played');
  const more = isFirst ? ' You may lay several cards of one rank together. Then you draw until you hold '
    + 'three cards, as long as the stock lasts.' : '';
  if (!view.pile.length) return `There is no pile, so you may lead any card.${more}`;
  const top = view.pile.at(-1);
  const rank = rankOf(top);
  if (rank === '2') return `A 2 lies on top, and on that anything may follow.${more}`;
  const needed = rank === 'A' ? 'another ace' : `a card as high as ${the(top)}, or higher`;
  return `You need ${needed}, or a wild card, which is a 2 or a 10.${more}`;
}

const zoneNews = ({ me, round }, where) => {
  const isLate = where === 'face '
    + 'up' && !round.some(({ type, data }) => type === 'coconut.pile_picked_up' && data.seat === me);
  return isLate ? 'Your hand is used up, and there is nothing to draw. Now you play from your three face-up '
    + 'cards. ' : '';
};

function pickUp(moment) {
  const top = moment.view.pile.at(-1);
  return {
    title: 'You have to take the pile',
    text: `${happened(moment)}None of your cards is as high as ${the(top)}, and you have no wild card. So `
      + 'the whole pile comes into your hand, and the player on your left leads.',
    hint: moment.times('coconut.pile_picked_up') ? undefined
      : 'It happens to everybody. A fuller hand also holds more good cards, and perhaps four of a kind.',
  };
}

function flip(moment) {
  const isFirst = !moment.times('coconut.card_flipped', 'coconut.flip_failed');
  return {
    title: 'Turn up a face-down card',
    text: isFirst
      ? 'Only your face-down cards are left. Choose one of them: if it can be played, it is. If not, it '
        + 'comes into your hand together with the pile, and you have to get rid of that first.'
      : 'Another one of them. If it cannot be played, you take it with the pile.',
    hint: moment.view.pile.length ? undefined : 'The pile is empty, so any card you turn up can be played.',
  };
}

function sneak(moment) {
  if (moment.isMyTurn || !moment.can('sneak')) return null;
  return {
    title: 'You can sneak!',
    text: `With ${theCards(moment.cardsFor('sneak'))} you complete four of a kind on the pile, although it `
      + 'is not your turn. The pile is cleared, you lead, and the players in between are skipped. Be quick: '
      + 'the chance ends when the next player acts.',
    hint: 'It costs nothing and saves a turn, so it is nearly always right.',
  };
}

function watching(moment) {
  const { view, step, me } = moment;
  if (step === 'choose') {
    const chosen = view.chosen?.length ? `You have chosen ${theCards(view.chosen)}. ` : '';
    return {
      title: 'The others are choosing',
      text: `${chosen}When all have chosen, the face-up cards are shown together.`,
    };
  }
  const mover = view.to_move;
  if (mover === null) return { title: 'One moment', text: 'Play continues by itself.' };
  if (mover === me) {
    return {
      title: 'A moment for the others',
      text: 'It is your turn, but the others may still sneak.',
    };
  }
  const name = moment.name(mover);
  const opens = `${name} sits on the dealer’s left and opens with the lowest rank in hand.`;
  return {
    title: step === 'open' ? `${name} opens the round` : `${name} plays`,
    text: happened(moment).trim() || (step === 'open' ? opens : `${name} is to play.`),
    hint: isSneakNews(moment) ? SNEAK : undefined,
  };
}

const SNEAK = 'If you held the cards that complete four of a kind on the pile, you could sneak now. The table '
  + 'would say so.';

const isSneakNews = (moment) => moment.options.sneak && moment.view.pile.length > 0
  && !moment.times('coconut.cards_sneaked') && moment.times('coconut.cards_played') < 3;

/** What the newest event of the game means. */
function happened(moment) {
  const { last } = moment;
  if (!last) return '';
  const { seat, cards, card } = last.data;
  switch (last.type) {
    case 'coconut.face_up_revealed': return 'All have chosen, and everybody’s face-up cards lie open. ';
    case 'coconut.pile_picked_up':
      return `${moment.does(seat, 'could not play and has taken', 'have taken')} the pile. `;
    case 'coconut.flip_failed': return `${moment.does(seat, 'turned', 'turned')} up ${the(card)}, which could `
      + 'not be played, and took it together with the pile. ';
    case 'coconut.cards_sneaked': return `${moment.does(seat, 'has', 'have')} completed four of a kind out `
      + 'of turn: that is a sneak. The pile is cleared. ';
    case 'coconut.cards_played': return laid(moment, seat, cards);
    case 'coconut.card_flipped':
      return `${capital(the(card))} was turned up, and can be played. ${laid(moment, seat, [card])}`;
    default: return '';
  }
}

function laid(moment, seat, cards) {
  const rank = rankOf(cards[0]);
  const who = moment.does(seat, 'has', 'have');
  const what = `${who} played ${theCards(cards)}`;
  if (!moment.view.pile.length) {
    const { to_move: mover } = moment.view;
    const next = mover === null ? '' : ` ${moment.does(mover, 'leads', 'lead')} the next one.`;
    return rank === 'T' ? `${what}. A 10 clears the pile.${next} `
      : `${what}. That makes four of a kind together, which clears the pile.${next} `;
  }
  if (rank !== '2') return `${what}. `;
  return `${what}. `
    + (moment.options.two_plays_again ? 'Here the player of a 2 plays again. ' : 'Anything may follow a 2. ');
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const scored = moment.latest('coconut.round_scored')?.data;
  if (!scored) return { title: 'The round is over', text: after(moment) };
  const [first] = scored.order;
  const how = moment.options.play_for_places
    ? 'Here everybody scores a point for each player who finishes later.'
    : 'The first player without cards wins the round at once, and scores a point.';
  return {
    title: `${moment.does(first, 'wins', 'win')} the round`,
    text: `${how} ${each(moment, scored.points)}.\n${after(moment)}`,
  };
}
