/**
 * Cards to pick and buttons to press, derived from `legal_actions` alone.
 *
 * An *entry* is a legal action with its cards, or a choice of several cards. A card is lit if it can complete an entry;
 * each entry that the picked cards complete has a button. A single card with only one meaning is played as soon as it
 * is picked.
 */
import { describe, zonesOf } from './scene/scene.js';
import { humanised } from '../kit/words.js';

/**
 * @typedef {{type: string, body: object, needs: Set<string>[], target: number|null}} ActionEntry `needs`: for each card of
 *   the action, the places from which it may be picked
 * @typedef {{type: string, purpose: string, places: Set<string>, min: number, max: number, including: string|null}}
 *   ChoiceEntry at least `min` and at most `max` of the places
 */
export class Choices {
  /**
   * @param {object} table the TableView
   * @param {import('./scene/scene.js').Scene} scene
   * @param {object|null} legal the `legal_actions` of the same message
   */
  constructor(table, scene, legal) {
    this.table = table;
    this.seat = legal?.seat ?? null;
    this.game = describe(table.game);
    this.zones = zonesOf(scene);
    this.faces = new Map(this.zones.flatMap(({ cards }) => cards.map(({ place, face }) => [place, face])));
    this.actions = (legal?.actions ?? []).map((action) => this.#action(action));
    this.choices = (legal?.choices ?? []).map((choice) => this.#choice(choice));
    this.offences = legal?.offences ?? [];
    this.reasons = this.#reasons(legal?.unplayable ?? []);
    this.picked = [];
  }

  /** Whether there is anything to do. */
  get hasAny() {
    return this.actions.length + this.choices.length > 0;
  }

  /** Keeps the picked cards of an earlier version that may still be picked. */
  resume(earlier) {
    for (const place of earlier.picked) {
      if (this.faces.get(place) === earlier.faces.get(place) && this.isLit(place)) this.picked.push(place);
    }
  }

  /** Whether a card may be picked in addition to the picked ones, or instead of them. */
  isLit(place) {
    return this.#canExtend([...this.picked, place]) || this.#canExtend([place]);
  }

  isPicked(place) {
    return this.picked.includes(place);
  }

  /** Picks a card, or puts it back. Returns the body to send if there is only one meaning. */
  pick(place) {
    if (this.isPicked(place)) {
      this.picked = this.picked.filter((other) => other !== place);
      return null;
    }
    if (!this.isLit(place)) return null;
    this.picked = this.#canExtend([...this.picked, place]) ? [...this.picked, place] : [place];
    if (this.picked.length > 1) return null;
    const matching = [...this.actions, ...this.choices].filter((entry) => reaches(entry, [place]));
    return matching.length === 1 && matching[0].needs?.length === 1 && matching[0].target === null ? matching[0].body : null;
  }

  /** The buttons that the picked cards allow: `{label, body}`. */
  get buttons() {
    const complete = [
      ...this.actions.filter(({ needs }) => needs.length === this.picked.length && matches(needs, this.picked)),
      ...this.choices.filter((choice) => this.#completes(choice)),
    ];
    const always = this.picked.length ? this.actions.filter(({ needs }) => !needs.length) : [];
    return [...complete, ...always].map((entry) => ({ type: entry.type, label: this.#label(entry), body: this.#body(entry) }));
  }

  /** The purposes of the choices, as worded by the service. */
  get purposes() {
    return [...new Set(this.choices.map(({ purpose }) => purpose).filter(Boolean))];
  }

  #action(action) {
    const { type, target = null } = action;
    const specify = action.cards ? ({ cards }) => cards.map((face) => [this.#sources(type), face]) : this.game.places?.[type] ?? cardInAnyZone;
    const needs = specify(action, this.seat, this.table).map(([zone, card]) => this.#placesOf(zone, card)).filter(({ size }) => size);
    return { type, body: action, needs, target };
  }

  #choice({ type, cards, at_least: min, at_most: max, including = null, purpose = '' }) {
    const sources = this.#sources(type);
    const places = new Set();
    for (const face of cards) {
      const free = sources.flatMap((id) => this.#zone(id)).find((card) => card.face === face && !places.has(card.place));
      if (free) places.add(free.place);
    }
    return { type, purpose, places, min, max, including };
  }

  #sources(type) {
    return this.game.sources?.[type]?.(this.seat) ?? this.zones.filter(({ seat }) => seat === this.seat).map(({ id }) => id);
  }

  #zone(id) {
    return this.zones.find((zone) => zone.id === id)?.cards ?? [];
  }

  // `card` is a face, an index into the zone, or undefined for the zone's top card.
  #placesOf(zone, card) {
    const found = [zone].flat().flatMap((id) => {
      const cards = this.#zone(id);
      if (card === undefined) return cards.slice(-1);
      return typeof card === 'number' ? cards.slice(card, card + 1) : cards.filter(({ face }) => face === card);
    });
    return new Set(found.map(({ place }) => place));
  }

  #reasons(unplayable) {
    const rules = new Map(unplayable.map(({ card, rule }) => [card, rule]));
    const mine = this.zones.filter(({ seat }) => seat === this.seat);
    return new Map(mine.flatMap(({ cards }) => cards)
      .filter(({ face, place }) => rules.has(face) && !this.#canExtend([place]))
      .map(({ face, place }) => [place, rules.get(face)]));
  }

  #canExtend(places) {
    return this.actions.some((entry) => reaches(entry, places)) || this.choices.some((entry) => reaches(entry, places));
  }

  #completes({ places, min, max, including }) {
    const { length } = this.picked;
    return length > 0 && length >= min && length <= max && this.picked.every((place) => places.has(place))
      && (!including || this.picked.some((place) => this.faces.get(place) === including));
  }

  #body(entry) {
    return entry.body ?? { type: entry.type, cards: this.picked.map((place) => this.faces.get(place)) };
  }

  #label(entry) {
    const verb = this.game.verbs?.[entry.type] ?? humanised(entry.type);
    return { verb, cards: entry.needs?.length === 0 ? [] : this.picked.map((place) => this.faces.get(place)), target: entry.target ?? null };
  }
}

// For an unknown game: the field `card` names a card in any zone of the seat.
function cardInAnyZone({ card }, me, table) {
  return card ? [[Object.keys(table.view).map((name) => `${name}.${me}`), card]] : [];
}

/** Whether the places can be extended to complete an entry. */
function reaches(entry, places) {
  if (entry.needs) return places.length <= entry.needs.length && matches(entry.needs, places);
  return places.length <= entry.max && places.every((place) => entry.places.has(place));
}

/** Whether each place can be assigned to a different card of the action. */
function matches(needs, [place, ...others]) {
  return place === undefined
    || needs.some((allowed, index) => allowed.has(place) && matches(needs.toSpliced(index, 1), others));
}
