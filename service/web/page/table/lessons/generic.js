/** Lessons for any other game, from the service's meanings of its actions and choices. */
import { Moment, after, beginning, each } from './moment.js';

/** @param {object} [info] the game as the API describes it */
export function lessons(table, legal, events, info) {
  const moment = new Moment(table, legal, events);
  return beginning(moment) ?? counted(moment) ?? turn(moment, info) ?? watching(moment);
}

function counted(moment) {
  if (!moment.isCounted) return null;
  const scored = moment.latest('table.round_scored')?.data;
  const scores = scored ? `The scores of this round, in ${scored.unit}s: ${each(moment, scored.deltas)}.\n` : '';
  return { title: 'The round is over', text: `${scores}${after(moment)}` };
}

function turn(moment, info) {
  const { actions, choices, me, table } = moment;
  if (!actions.length && !choices.length) return null;
  const meanings = new Map(info?.actions.map(({ type, meaning }) => [type, meaning]));
  const said = new Set([...actions, ...choices].map(({ type, purpose }) => purpose || meanings.get(type)));
  const text = [...said].filter(Boolean).join('\n') || 'Choose one of the actions that are offered.';
  if (table.seats[me].owes) {
    return {
      title: 'Your turn',
      text,
      hint: 'The table shows only what the rules allow now.',
    };
  }
  return {
    title: 'You may act out of turn',
    text,
    hint: 'Nobody is waiting for you: you can also let the chance pass.',
  };
}

function watching(moment) {
  const owing = moment.table.seats.filter(({ owes }) => owes).map(({ seat }) => seat);
  const what = moment.last?.words;
  return {
    title: owing.length ? `Waiting for ${moment.names(owing)}` : 'One moment',
    text: what ? `Just now: ${what}` : 'The history next to the table shows what has happened.',
  };
}
