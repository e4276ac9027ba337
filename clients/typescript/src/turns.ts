/** Finds your turns among the messages of a table's stream. */
import type { Action, EventRecord, LegalActions, TableView } from './api.js';
import type { Message } from './protocol.js';

/**
 * A moment at which your seat may act.
 *
 * `version` is the version of the table for which the actions are legal. If `mustAct` is false, you may interrupt somebody
 * else's turn, but need not. `events` happened since your previous turn; they are incomplete after a long interruption.
 */
export type Turn = {
  seat: number; version: number; mustAct: boolean; view: TableView; legal: LegalActions; events: EventRecord[];
};

export class Turns {
  #acknowledged = 0;
  #events: EventRecord[] = [];

  /** Makes messages outdated that the service sent before this version, such as that of your last action. */
  acknowledge(version: number): void {
    this.#acknowledged = Math.max(version, this.#acknowledged);
  }

  turnIn({ event, data }: Message): Turn | undefined {
    if (event === 'reset') this.#acknowledged = 0;
    if (event !== 'view') this.#events = [];
    if (event !== 'snapshot' && event !== 'view') return undefined;
    this.#events.push(...data.events ?? []);
    const { version, view, legal_actions: legal } = data;
    if (version < this.#acknowledged || !(legal?.actions.length || legal?.choices.length)) return undefined;
    const events = this.#events;
    this.#events = [];
    return { seat: legal.seat, version, mustAct: view.seats[legal.seat].owes, view, legal, events };
  }
}

/** Returns a random legal action, never an offence. There must be at least one. */
export function randomAction(legal: LegalActions): Action {
  const option = one([...legal.actions, ...legal.choices]);
  if (!('at_least' in option)) return option;
  const left = [...option.cards];
  const count = option.at_least + Math.floor(Math.random() * (option.at_most - option.at_least + 1));
  const cards = Array.from({ length: count }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!);
  if (option.including && !cards.includes(option.including)) cards[0] = option.including;
  return { type: option.type, cards } as Action;
}

function one<T>(options: T[]): T {
  return options[Math.floor(Math.random() * options.length)]!;
}
