/** A moment of a game, as the lessons need it: legal actions, the latest events, and what is new to the player. */
import { faceName, rankOf } from '../../cards/faces.js';
import { capital, list } from '../../kit/words.js';
import { nameAt } from '../scene/names.js';

/** @typedef {{title: string, text: string, hint?: string}} Lesson `text`: a line is a paragraph */

const SERVICE = 'table.';

export class Moment {
  /**
   * @param {object} table the TableView
   * @param {object|null} legal the `legal_actions` of the same message
   * @param {object[]} events what the page knows of the history, in order
   */
  constructor(table, legal, events) {
    this.table = table;
    this.view = table.view;
    this.options = table.options;
    this.events = events;
    this.seats = table.seats.length;
    this.me = typeof table.viewer === 'number' ? table.viewer : null;
    this.actions = legal?.actions ?? [];
    this.choices = legal?.choices ?? [];
    this.dealt = Math.max(0, events.findLastIndex(({ type }) => type.endsWith('_dealt')));
  }

  get step() {
    return this.view.step;
  }

  get isMyTurn() {
    const isAsked = this.me !== null && this.table.seats[this.me].owes;
    return isAsked && this.actions.length + this.choices.length > 0;
  }

  /** Whether the table is between two rounds or over, so that there is a count to explain. */
  get isCounted() {
    return this.view.round > 0 && this.table.stage !== 'in_play';
  }

  can(type) {
    return [...this.actions, ...this.choices].some((entry) => entry.type === type);
  }

  /** The faces, each once, that actions of this type may use. */
  cardsFor(type) {
    const entries = [...this.actions, ...this.choices].filter((entry) => entry.type === type);
    return [...new Set(entries.flatMap(({ cards = [] }) => cards))];
  }

  /** The seat a number of places clockwise from another one. */
  seat(from, places) {
    return (from + places + this.seats) % this.seats;
  }

  name(seat) {
    return seat === this.me ? 'you' : nameAt(this.table, seat);
  }

  names(seats) {
    return list(seats.map((seat) => this.name(seat)));
  }

  /** 'You win' or 'Bot wins', to begin a sentence with. */
  does(seat, they, you) {
    return seat === this.me ? `You ${you}` : `${nameAt(this.table, seat)} ${they}`;
  }

  /** 'your' or 'Bot’s'. */
  whose(seat) {
    return seat === this.me ? 'your' : `${nameAt(this.table, seat)}’s`;
  }

  /** The events of the round in play, or of the one just counted. */
  get round() {
    return this.events.slice(this.dealt);
  }

  /** How often the viewer has acted like this at this table. */
  times(...types) {
    return this.events.filter(({ type, data }) => types.includes(type) && data.seat === this.me).length;
  }

  /** The newest event of the game itself. */
  get last() {
    return this.events.findLast(({ type }) => !type.startsWith(SERVICE)) ?? null;
  }

  /** The newest event of this type in the round. */
  latest(type) {
    return this.round.findLast((event) => event.type === type) ?? null;
  }
}

/** 'the nine of spades', 'a Joker' */
export const the = (face) => (rankOf(face) === 'JK' ? 'a Joker' : `the ${faceName(face)}`);

/** 'the nine of spades and the ten of hearts' */
export const theCards = (faces) => list(faces.map(the));

/** Whether there is a card, face up for the viewer. */
export const isSeen = (face) => Boolean(face) && face !== '??';

export const highest = (faces, value) => faces.toSorted((one, other) => value(other) - value(one))[0];
export const lowest = (faces, value) => faces.toSorted((one, other) => value(one) - value(other))[0];

/** Lessons that are the same in all games: before the deal, and without a seat. */
export function beginning(moment) {
  const { table, me, view } = moment;
  if (table.phase === 'open') {
    return {
      title: 'Before the start',
      text: 'The table has not started yet. The lesson begins with the first deal.',
    };
  }
  if (me === null) {
    return {
      title: 'You are watching',
      text: 'You have no seat at this table, so there is nothing for you to do. You see the face-up '
        + 'cards, and can follow the play in the history.',
    };
  }
  if (view.round === 0) {
    return {
      title: 'The cards are being shuffled',
      text: 'Before the first deal everybody’s seeds are revealed. They are part of the shuffle, so that '
        + 'nobody can choose the cards. It takes a moment.',
    };
  }
  return null;
}

/** The end of a lesson about a count: the state of the table, and what comes next. */
export function after({ table, me }) {
  if (table.stage === 'to_score') return 'Now the round is counted.';
  if (table.phase !== 'ended') return 'Take your time. When you are ready, say so, and the next round is '
    + 'dealt.';
  const { places } = table.result;
  if (!places) return 'The table is over.';
  const shared = places.filter((place) => place === places[me]).length > 1;
  const place = places[me] === 1 ? (shared ? 'You share first place.' : 'You win!') : 'Somebody else wins '
    + 'this time.';
  return `${place} That was the whole game. In its replay you can look at every card, and the next table is `
    + 'one click away.';
}

/** 'You: 12, Bot: 9'; numbers with a true minus, cards by name. */
export const each = (moment, facts) => facts
  .map((fact, seat) => `${capital(moment.name(seat))}: ${String(fact).replace('-', '−')}`).join(', ');
