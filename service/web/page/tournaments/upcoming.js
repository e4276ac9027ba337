/** What a tournament waits for, in words. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { serverNow } from '../kit/stream.js';
import { count, list, moment } from '../kit/words.js';
import {
  admitted,
  currentSitting,
  isArena,
  isComplete,
  isEverybodyHere,
  isPlayedOut,
  isRoundLeft,
  nextRound,
  pairedRound,
  progress,
  startedRounds,
} from './view.js';

/**
 * `until` is the time that the text counts down to.
 *
 * @returns {{title: string, text: unknown, until?: number}}
 */
export function upcoming(view, names, standings) {
  switch (view.phase) {
    case 'draft':
      return { title: 'Draft', text: 'The organiser has not opened registration yet.' };
    case 'registration':
      return registration(view);
    case 'paused':
      return paused(view);
    case 'finished':
      return finished(view, names, standings);
    case 'cancelled':
      return { title: 'Cancelled', text: 'Open tables ended without a result.' };
    default:
      return running(view, names);
  }
}

/** A time with the time left until then. */
export function countdown(at) {
  const left = at - serverNow();
  return html`${moment(at)}${left > 0 ? html` <span class="left">(in ${roughly(left)})</span>` : nothing}`;
}

/** 90_000 → '1:30', 3_000_000 → '50 min', 90_000_000 → '25 h' */
function roughly(ms) {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function registration(view) {
  const { cap, sittings } = view.setup;
  const entrants = admitted(view).length;
  const waiting = view.entrants.length - entrants;
  const begins = sittings[0].starts_at;
  return {
    title: 'Registration is open',
    text: html`${count(entrants, 'entrant')} so far${cap ? ` of at most ${cap}` : ''}${
      waiting ? `, ${waiting} on the waiting list` : ''
    }. ${
      begins
        ? html`The first sitting begins ${countdown(begins)}.`
        : 'The organiser will start it.'
    }`,
    until: begins,
  };
}

function paused(view) {
  const { tables_in_play: tables } = view;
  return {
    title: 'Paused by the organiser',
    text: `Rounds, new tables and grace periods wait until it is resumed.${
      tables ? ` ${count(tables, 'table')} in play ${tables === 1 ? 'continues' : 'continue'}.` : ''
    }`,
  };
}

function finished(view, names, standings) {
  const { tables_in_play: tables } = view;
  const first = (standings?.rows ?? [])
    .filter(({ rank }) => rank === 1)
    .map(({ entrant }) => names.of(entrant));
  if (!tables) {
    const text = `${list(first)} ${first.length > 1 ? 'share first place' : 'has won'}.`;
    return { title: 'Finished', text: first.length ? text : 'The standings are final.' };
  }
  return {
    title: 'Finished',
    text: `${count(tables, 'table')} still in play; results will count.`,
  };
}

function running(view, names) {
  if (isArena(view)) return arena(view);
  if (view.call) return calling(view, names);
  const paired = pairedRound(view);
  if (paired) return pairing(view, paired);
  if (!isComplete(view)) return playing(view);
  if (isPlayedOut(view)) {
    return {
      title: 'All rounds are played',
      text:
        view.setup.advance === 'manual'
          ? 'Waiting for the organiser to finish the tournament.'
          : 'The tournament is about to finish.',
    };
  }
  return isRoundLeft(view) ? waiting(view) : { title: 'Running', text: '' };
}

function arena({ arena: { begins_at: begins, bell_at: bell, ends_by: end, is_bell_rung: isOver }, ...view }) {
  const { tables_in_play: tables } = view;
  if (begins > serverNow()) {
    return { title: 'The arena is about to begin', text: html`It begins ${countdown(begins)}.`, until: begins };
  }
  const now = `${count(tables, 'table')} in play.`;
  if (isOver) {
    return {
      title: 'The bell has rung',
      text: html`${now} They count if they end by ${countdown(end)}.`,
      until: end,
    };
  }
  return { title: 'The arena is on', text: html`${now} The bell rings ${countdown(bell)}.`, until: bell };
}

function calling(view, names) {
  const { round, awaited, until } = view.call;
  return {
    title: `Round ${round} is about to be paired`,
    text: awaited.length
      ? html`Waiting for ${list(awaited.map(names.id))} to reveal their seeds, until ${countdown(until)} at the latest.`
      : 'All seeds are revealed.',
    until,
  };
}

const pairing = (view, { round }) => ({
  title: `Round ${round} is paired`,
  text:
    view.setup.advance === 'manual'
      ? 'The tables open when the organiser starts the round.'
      : 'The tables are about to open.',
});

function playing(view) {
  const round = startedRounds(view).find(({ status }) => status === 'playing');
  const { ended, all } = progress(round);
  const of = view.rounds_planned ? ` of ${view.rounds_planned}` : '';
  return {
    title: `Round ${round.round}${of} is being played`,
    text:
      all === 1
        ? 'One table is in play.'
        : `${ended} of ${count(all, 'table')} ${ended === 1 ? 'has' : 'have'} ended.`,
  };
}

function waiting(view) {
  const round = nextRound(view);
  const sitting = currentSitting(view);
  const many = view.setup.sittings.length > 1 ? `, sitting ${sitting.number}` : '';
  const title = `Round ${round}${many} is next`;
  const begins = sitting.first === round ? sitting.startsAt : null;
  if (view.setup.check_in && !(view.check_in === sitting.number)) return checkInLater(view, title, begins);
  if (view.setup.check_in && serverNow() < view.check_in_until && !isEverybodyHere(view)) {
    return {
      title: 'Check-in is open',
      text: html`Round ${round} will be paired ${countdown(view.check_in_until)}, or as soon as everybody has
        checked in${
        begins && begins > serverNow() ? ' and its time has come' : ''
      }.`,
      until: view.check_in_until,
    };
  }
  if (view.setup.advance === 'manual') {
    return {
      title,
      text: html`Waiting for the organiser to pair it${begins ? html`; the sitting begins ${countdown(begins)}`
        : nothing}.`,
      until: begins,
    };
  }
  return begins && begins > serverNow()
    ? { title, text: html`It will be paired ${countdown(begins)}.`, until: begins }
    : { title, text: 'It is about to be paired.' };
}

function checkInLater(view, title, begins) {
  const opens = begins && begins - 1000 * view.setup.check_in;
  if (view.setup.advance === 'manual') {
    return {
      title,
      text: html`The organiser opens check-in first${begins ? html`; the sitting begins ${countdown(begins)}`
        : nothing}.`,
      until: begins,
    };
  }
  return opens && opens > serverNow()
    ? {
        title,
        text: html`Check-in opens ${countdown(opens)}, and the sitting begins ${moment(begins)}.`,
        until: opens,
      }
    : { title, text: 'Check-in is about to open.' };
}
