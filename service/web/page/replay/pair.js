/**
 * Two tables that played the same deal, stepped together by game round and move.
 *
 * It has the members of a `Playback` that the controls use; its versions are steps, from 1.
 */
import { Autoplay } from './autoplay.js';
import { Playback } from './playback.js';

export class Pair extends Autoplay {
  unit = 'Move';

  isOver = true;

  following = false;

  own = null;

  note = '';

  start = 1;

  version = 1;

  /** @type {{round: number, versions: number[], ended: boolean[], isSame: boolean}[]} */
  steps = [];

  /** @param {string[]} paths of the two tables */
  constructor(paths) {
    super();
    this.sides = paths.map((path) => new Playback(path));
    for (const side of this.sides) side.addEventListener('change', () => this.tell());
  }

  async open({ viewer, step }) {
    await Promise.all(this.sides.map((side) => side.open({ version: 1 })));
    if (!this.problem && this.sides.every((side) => side.isOver)) {
      this.steps = together(this.sides.map(({ recording }) => movesOf(recording.events)));
      if (viewer) await this.see(viewer);
      this.go(step || 1);
    }
    this.tell();
  }

  close() {
    this.stop();
    for (const side of this.sides) side.close();
  }

  get problem() {
    return this.sides.find(({ problem }) => problem)?.problem;
  }

  get isReady() {
    return this.steps.length > 0 && this.sides.every(({ shown }) => shown);
  }

  /** True if both tables had the same cards. */
  get isSameDeal() {
    const [one, other] = this.sides.map(({ recording }) => (
      recording.events.find(({ type }) => type === 'table.deal_shared')?.data.key));
    return one !== undefined && one === other;
  }

  get current() {
    return this.steps[this.version - 1];
  }

  get last() {
    return this.steps.length;
  }

  /** The step at which the tables first differ, or 0. */
  get parting() {
    return this.steps.findIndex(({ isSame }) => !isSame) + 1;
  }

  get recording() {
    const rounds = [...new Set(this.steps.map(({ round }) => round))];
    return {
      rounds: rounds.map((round) => ({ round, version: this.steps.findIndex((step) => step.round === round) + 1 })),
      adjacent: (version, step) => (this.steps[version - 1 + step] ? version + step : undefined),
      at: () => ({ words: this.sides.map((side) => side.recording.at(side.version)?.words).join(' | ') }),
    };
  }

  get viewer() {
    return this.sides[0].viewer;
  }

  get wanted() {
    return this.sides[0].wanted;
  }

  get viewers() {
    return this.sides[0].viewers;
  }

  /** The seats, each with the names of both its players. */
  get present() {
    const [one, other] = this.sides.map(({ present }) => present);
    return { ...one, seats: one.seats.map((seat, at) => ({ ...seat,
      name: `Seat ${seat.seat}: ${[seat.name, other.seats[at]?.name].join(' and ')}` })) };
  }

  go(step, { keepsPlaying = false } = {}) {
    if (!keepsPlaying) this.stop();
    this.version = Math.min(Math.max(step, 1), this.last);
    this.sides.forEach((side, at) => side.go(this.current.versions[at]));
    this.tell();
  }

  step(direction) {
    if (this.recording.adjacent(this.version, direction)) this.go(this.version + direction);
  }

  async see(viewer) {
    await Promise.all(this.sides.map((side) => side.see(viewer)));
    this.tell();
  }

  begin() {
    if (this.version === this.last) this.go(this.start, { keepsPlaying: true });
  }

  /** Resolves when both tables have loaded, or one would run ahead of the other. */
  arrival(step) {
    return Promise.all(this.sides.map((side, at) => side.recording.arrival(this.steps[step - 1].versions[at])));
  }

  finish() {
    this.stop();
    this.tell();
  }
}

/**
 * The moves of each game round: the deal, what a player did with all that followed from it, and the score.
 *
 * @param {import('./recording.js').EventRecord[]} events as everybody sees them
 * @returns {Map<number, {version: number, facts: string}[]>} the version after each move
 */
function movesOf(events) {
  const rounds = new Map();
  let moves = null;
  let before = null;
  for (const event of events) {
    const isOfTable = event.type.startsWith('table.');
    if (event.data.round && !isOfTable && !rounds.has(event.data.round)) {
      [moves, before] = [[], null];
      rounds.set(event.data.round, moves);
    }
    if (moves && (!isOfTable || event.type.startsWith('table.round_'))) {
      const facts = JSON.stringify([event.type, event.data]);
      // The events of one command have the same time and author.
      if (before?.at === event.at && before.by === event.by) {
        const move = moves.at(-1);
        Object.assign(move, { version: event.version, facts: move.facts + facts });
      } else moves.push({ version: event.version, facts });
      before = event;
    }
  }
  return rounds;
}

/** The steps through two tables; a table that has ended a round earlier waits for the other. */
function together([one, other]) {
  const rounds = [...new Set([...one.keys(), ...other.keys()])].sort((a, b) => a - b);
  const ends = [one, other].map((moves) => [...moves.values()].at(-1)?.at(-1)?.version ?? 1);
  return rounds.flatMap((round) => {
    const moves = [one, other].map((each) => each.get(round) ?? []);
    return Array.from({ length: Math.max(...moves.map(({ length }) => length)) }, (_, at) => ({
      round,
      versions: moves.map((each, side) => (each[at] ?? each.at(-1))?.version ?? ends[side]),
      ended: moves.map((each) => at >= each.length),
      isSame: moves[0][at]?.facts === moves[1][at]?.facts,
    }));
  });
}
