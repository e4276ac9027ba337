/** Replay controls: scrubber, steps, autoplay, speed and viewer. */
import { html, nothing, svg } from '../vendor/lit-html/lit-html.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { count } from '../kit/words.js';
import { SPEEDS } from './autoplay.js';

const icon = (path) => html`
  <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${path}></path>`}</svg>`;

const ICONS = {
  first: 'M5 5h2v14H5zM19 5v14l-10-7z',
  back: 'M12 5v14l-9-7zM21 5v14l-9-7z',
  previous: 'M17 5v14L7 12z',
  play: 'M7 4v16l13-8z',
  stop: 'M6 5h4v14H6zM14 5h4v14h-4z',
  next: 'M7 5v14l10-7z',
  forward: 'M3 5v14l9-7zM12 5v14l9-7z',
  last: 'M17 5h2v14h-2zM5 5v14l10-7z',
};

const press = (name, label, act, disabled = false) => html`
  <button class="key" title=${label} aria-label=${label} ?disabled=${disabled} @click=${act}>${
    icon(ICONS[name])}</button>`;

/** A viewer's name; players who share a name also get their seat. */
export function viewerName(viewer, { seats }, own) {
  if (viewer === 'everybody') return 'Everybody';
  if (viewer === 'spectator') return 'A spectator';
  const { name } = seats[Number(viewer)];
  const isDouble = seats.filter((seat) => seat.name === name).length > 1;
  const seat = isDouble || !name ? `, seat ${viewer}` : '';
  return `${name ?? 'Empty seat'}${seat}${viewer === own ? ' (you)' : ''}`;
}

/** 'Event 20 of 109, round 2' */
export function whereabouts({ version, last, recording, unit = 'Event' }) {
  const round = recording.rounds.findLast((each) => each.version <= version)?.round;
  return `${unit} ${version} of ${last}${round ? `, round ${round}` : ''}`;
}

function scrubber(playback) {
  const { recording, version, last } = playback;
  // With many rounds the numbers would overlap, so only some are shown.
  const every = Math.ceil(recording.rounds.length / 12);
  const slide = ({ target }) => {
    const asked = Number(target.value);
    const step = Math.sign(asked - playback.version);
    // An arrow key moves by one version, which may be hidden from this viewer.
    const found = Math.abs(asked - playback.version) === 1 ? recording.adjacent(playback.version, step) : asked;
    playback.go(found ?? playback.version);
  };
  return html`
    <div class="scrubber">
      <input type="range" min="1" max=${Math.max(last, 1)} .value=${live(String(version))} aria-label="Moment"
        aria-valuetext="${whereabouts(playback)}: ${recording.at(version)?.words ?? ''}" @input=${slide}>
      <div class="marks" aria-hidden="true">${recording.rounds.map((each, index) => html`
        <span .style=${`--at: ${(each.version - 1) / Math.max(last - 1, 1)}`}>${
          index % every ? '' : each.round}</span>`)}
      </div>
    </div>`;
}

function liveSwitch(playback) {
  if (playback.isOver) return nothing;
  return html`
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(playback.following)}
      @change=${({ target }) => playback.live(target.checked)}> Follow live</label>
    ${playback.connection === 'lost' ? html`<span class="small">Reconnecting …</span>` : nothing}`;
}

/** A button that jumps to the newest event, if there are unseen ones. */
export function newer(playback) {
  const { following, isOver, unseen } = playback;
  if (following || isOver || !unseen) return nothing;
  return html`<button class="main newer" @click=${() => playback.live(true)}>${
    count(unseen, 'new event')}</button>`;
}

const viewers = ({ viewers: all, viewer, wanted, present, own }) => all.map((each) => html`
  <option value=${each} .selected=${live(each === (wanted ?? viewer))}>${viewerName(each, present, own)}</option>`);

export function controls(playback) {
  const { recording, version, playing, unit = 'Event' } = playback;
  const one = unit.toLowerCase();
  const isFirst = recording.adjacent(version, -1) === undefined;
  const isLast = version >= playback.last;
  return html`
    <div class="controls" role="group" aria-label="Replay">
      ${scrubber(playback)}
      <div class="keys">
        ${press('first', `First ${one}`, () => playback.first(), isFirst)}
        ${press('back', 'Previous round', () => playback.round(-1), isFirst)}
        ${press('previous', `Previous ${one}`, () => playback.step(-1), isFirst)}
        ${press(playing ? 'stop' : 'play', playing ? 'Stop' : 'Play automatically', () => playback.toggle())}
        ${press('next', `Next ${one}`, () => playback.step(1), isLast)}
        ${press('forward', 'Next round', () => playback.round(1), isLast)}
        ${press('last', `Last ${one}`, () => playback.end(), isLast)}
      </div>
      <label class="pick speed"><span>Speed</span>
        <select @change=${({ target }) => playback.pace(Number(target.value))}>${SPEEDS.map((speed) => html`
          <option value=${speed} .selected=${live(speed === playback.speed)}>${speed}×</option>`)}</select></label>
      <label class="pick"><span>Seen by</span>
        <select class="viewer" @change=${({ target }) => playback.see(target.value)}>${viewers(playback)}</select></label>
      ${liveSwitch(playback)}
    </div>`;
}

const CHOICE = { s: 'spectator', e: 'everybody' };

/** Keyboard shortcuts while the table has the focus. */
export function pressed(event, playback) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, shiftKey } = event;
  const faster = (step) => playback.pace(SPEEDS[SPEEDS.indexOf(playback.speed) + step] ?? playback.speed);
  const acts = {
    ArrowRight: () => (shiftKey ? playback.round(1) : playback.step(1)),
    ArrowLeft: () => (shiftKey ? playback.round(-1) : playback.step(-1)),
    Home: () => playback.first(),
    End: () => playback.end(),
    ' ': () => playback.toggle(),
    '+': () => faster(1),
    '-': () => faster(-1),
  };
  const viewer = CHOICE[key] ?? (/^\d$/.test(key) ? key : undefined);
  const act = acts[key] ?? (viewer && (() => playback.see(viewer)));
  if (!act) return;
  event.preventDefault();
  act();
}

export const hints = () => html`
  <p class="hints small" id="hints">With the table in focus: <kbd>←</kbd> <kbd>→</kbd> step,
    <kbd>Shift</kbd> + <kbd>←</kbd> <kbd>→</kbd> rounds, <kbd>Home</kbd> <kbd>End</kbd> first and last,
    <kbd>Space</kbd> plays or stops, <kbd>+</kbd> <kbd>−</kbd> speed, <kbd>0</kbd>–<kbd>9</kbd> a seat's view,
    <kbd>S</kbd> a spectator's, <kbd>E</kbd> everybody's.</p>`;
