/** Lessons for The Double Blind. */
import { capital, count } from '../../kit/words.js';
import { Moment, after, beginning, each, highest, isSeen, lowest, the } from './moment.js';
import { nameAt } from '../scene/names.js';

const RANKS = { JK: 15, A: 14, K: 13, Q: 12, J: 11, T: 10 };
const value = (face) => RANKS[face] ?? RANKS[face[0]] ?? Number(face[0]);

export function lessons(table, legal, events) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? (moment.isMyTurn ? turn(moment) : watching(moment));
}

const timesPlayed = (moment) => moment.times('double_blind.pocket_played', 'double_blind.bribe_played');

const target = (moment, seat) => moment.seat(seat, -1);

function turn(moment) {
  const { me, step } = moment;
  const right = moment.name(target(moment, me));
  if (step === 'trick') {
    return {
      title: 'A trick: play again',
      text: `${trick(moment)} Play one more card, from ${right}’s pocket or your own sleeve. The best of the `
        + 'new cards takes everything, the first cards and the bonus too.',
      hint: advice(moment),
    };
  }
  if (timesPlayed(moment)) {
    return {
      title: 'Your turn',
      text: `${hatBefore(moment)}Play a card of ${right}’s pocket, or bribe from your sleeve.`,
      hint: advice(moment),
    };
  }
  return {
    title: 'Play a card',
    text: 'Everybody holds five cards face outward, the pocket: you see all pockets except your own. You '
      + `play the one of ${right}, and ${moment.name(moment.seat(me, 1))} plays yours. Choose one of `
      + `${right}’s five cards. Or play one of the three in your sleeve, which nobody else knows; that is `
      + 'called a bribe.\nEach player plays one card, and the highest wins them all: that is a hat. Suits do '
      + 'not matter. An ace counts 14, a Joker 15, and you collect the points of every card that you win.',
    hint: advice(moment),
  };
}

/** What the cards of this go of the hat suggest. Contenders play in order. */
function advice(moment) {
  const { view, me, table } = moment;
  const played = view.contenders.indexOf(me);
  const still = view.contenders.length - played - 1;
  const pocket = view.pockets[target(moment, me)].filter(isSeen);
  const cards = [...pocket, ...view.sleeves[me].filter(isSeen)];
  if (!cards.length) return undefined;
  const low = lowest(cards, value);
  if (played <= 0) {
    return `You begin, so all the others can answer. Your highest card is ${the(highest(cards, value))}, `
      + `your lowest ${the(low)}.`;
  }
  const go = view.middle.slice(view.middle.length - played);
  const best = highest(go.map(({ card }) => card), value);
  const by = nameAt(table, go.find(({ card }) => card === best).seat);
  const winning = cards.filter((card) => value(card) > value(best));
  const equal = cards.find((card) => value(card) === value(best));
  if (!winning.length && equal) {
    return `None of your cards beats ${the(best)} of ${by}, but ${the(equal)} is as high. That would be a `
      + 'trick: ten points join the hat, and those who tie play again.';
  }
  if (!winning.length) {
    return `None of your cards beats ${the(best)} of ${by}. So give away a cheap one, such as ${the(low)}.`;
  }
  const enough = lowest(winning, value);
  const from = pocket.includes(enough) ? '' : ', as a bribe';
  return still
    ? `${capital(the(best))} of ${by} leads. ${capital(the(enough))} would beat it${from}, but ${
      still === 1 ? 'one player follows' : `${still} players follow`} you.`
    : `You are the last to play, and ${the(enough)} is enough to win${from}.`;
}

function trick(moment) {
  const called = moment.latest('double_blind.trick_called')?.data;
  const others = (called?.contenders ?? moment.view.contenders).filter((seat) => seat !== moment.me);
  const tied = others.length ? `Your card and that of ${moment.names(others)} tie for the highest. ` : '';
  return `${tied}Ten points join the hat, and only those who tied play again.`;
}

/** Who took the hat before, once it is over and the next one is new. */
function hatBefore(moment) {
  const taken = moment.latest('double_blind.hat_taken');
  const isNews = taken && !moment.round.some(({ type, version, data }) => (
    version > taken.version && data.seat === moment.me && /_played$/.test(type)));
  if (!isNews) return '';
  const { seat, cards, bonus } = taken.data;
  const points = cards.reduce((sum, card) => sum + value(card), bonus);
  return `${moment.does(seat, 'took', 'took')} the last hat, which is worth ${count(points, 'point')}. `;
}

function watching(moment) {
  const { view, me, last } = moment;
  const mover = view.to_move;
  if (mover === null) return { title: 'One moment', text: 'The hat is being settled.' };
  const name = moment.name(mover);
  if (mover === me) return { title: 'Your turn', text: 'The table shows in a moment what you may play.' };
  if (last?.type === 'double_blind.trick_called') {
    return {
      title: 'A trick',
      text: `The highest cards tie, so ten points join the hat. Only ${
        moment.names(last.data.contenders)} play again; the best of their new cards wins everything.`,
    };
  }
  const paid = moment.latest('double_blind.interest_paid');
  if (view.middle.length === 0 && paid && timesPlayed(moment) < 2) {
    return {
      title: 'Interest',
      text: `${hatBefore(moment)}The bank pays interest: it fills every pocket up to five cards again and `
        + `every sleeve to three. The next hat begins one seat further on, with ${name}.`,
      hint: bank(moment),
    };
  }
  return others(moment, mover, name);
}

function others(moment, mover, name) {
  const { me } = moment;
  if (mover === moment.seat(me, 1)) {
    const isNew = timesPlayed(moment) < 2;
    return {
      title: `${name} plays your pocket`,
      text: isNew
        ? `${name} chooses between the five cards of your pocket, which you cannot see, and a bribe. What `
          + `${name} takes from it is a clue: often it is the cheapest card there that is good `
          + 'enough.'
        : `${hatBefore(moment)}${name} plays a card of your pocket, or bribes.`,
      hint: bank(moment),
    };
  }
  const whose = moment.whose(target(moment, mover));
  return {
    title: `${name} plays`,
    text: `${hatBefore(moment)}${name} plays from ${whose} pocket, or bribes from the sleeve.`,
    hint: bank(moment),
  };
}

function bank({ view }) {
  return view.stock_count === 0
    ? 'The bank is empty. Nothing is filled up any more, and the caper ends with the hat after which a '
      + 'pocket is empty.'
    : undefined;
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const scored = moment.latest('double_blind.caper_scored')?.data;
  if (!scored) return { title: 'The caper is over', text: after(moment) };
  const { points, jokers, queens_fools: fools, queens_fool_points: bonus, penalties, totals } = scored;
  return {
    title: 'The caper is over',
    text: 'Now the loot bags are counted: the cards that you won, the ten points for each tie, and what was '
      + `left in your own sleeve. What was left in the pockets counts for nobody. ${each(moment, points)}.\n`
      + joker(moment, jokers) + exposed(moment, penalties) + fool(moment, fools, bonus)
      + `Totals: ${each(moment, totals)}.\n${goal(moment)}${after(moment)}`,
  };
}

const joker = (moment, seats) => (seats.length
  ? `${capital(moment.names(seats))} ${isOneOther(moment, seats) ? 'has' : 'have'} the lowest score, and as `
    + 'the Joker 15 points more.\n' : '');

const exposed = (moment, penalties) => (penalties.some((points) => points)
  ? `Exposures cost, in points: ${each(moment, penalties)}.\n` : '');

const fool = (moment, seats, bonus) => (seats.length
  ? `${capital(moment.names(seats))} ${isOneOther(moment, seats) ? 'was' : 'were'} Joker of every caper, and `
    + `so the Queen’s Fool: ${count(bonus, 'point')} more.\n` : '');

const isOneOther = ({ me }, seats) => seats.length === 1 && seats[0] !== me;

const goal = ({ options, table }) => (table.phase === 'ended' && options.target_score < 1000
  ? 'A full game goes on until somebody has 1,000 points, which takes about four capers.\n' : '');
