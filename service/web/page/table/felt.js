/** Draws the table: every zone with its cards, everybody's seat around the centre. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { card, suitMark } from '../cards/card.js';
import { compareFaces } from '../cards/faces.js';
import { facesInWords } from '../cards/words.js';
import { signed } from '../kit/words.js';
import { nameOf } from './names.js';
import { sceneOf, seatOf } from './scene.js';
import './clock.js';

/** How many cards of a pile are drawn; those below are covered anyway. */
const PILE_SHOWS = 4;

/**
 * @param {object} table the TableView
 * @param {{scene?: import('./scene.js').Scene, choices?: import('./choices.js').Choices|null, onPick?: (place: string) => void,
 *   onPlay?: (place: string) => void, prompt?: unknown}} [how] `choices` makes the cards of the player buttons;
 *   `prompt` is drawn between the centre and the player's own cards
 */
export function felt(table, { scene = sceneOf(table), choices = null, onPick, onPlay, prompt = nothing } = {}) {
  const near = seatOf(table) ?? 0;
  // Clockwise from the left of the near seat, as one would sit.
  const around = table.seats.map((_, step) => (near + step) % table.seats.length).slice(1);
  const draw = (zone) => drawZone(zone, { table, choices, onPick, onPlay });
  return html`
    <div class="felt ${table.game}" data-seats=${table.seats.length}>
      <div class="others">${repeat(around, (seat) => seat, (seat) => seatPanel(table, scene, seat, draw))}</div>
      <div class="centre">
        ${scene.facts.length ? html`<dl class="table-facts">${scene.facts.map(([name, value]) => html`
          <div><dt>${name}</dt><dd>${value?.suit ? html`${suitMark(value.suit)} ${value.text}` : value}</dd></div>`)}</dl>` : nothing}
        <div class="zones">${repeat(scene.centre, ({ id }) => id, draw)}</div>
      </div>
      ${prompt}
      <div class="near">${seatPanel(table, scene, near, draw)}</div>
    </div>`;
}

function seatPanel(table, scene, seat, draw) {
  const { name, policy, resigned, away_since: away, owes, may_act: may, deadline, bot_kept: kept } = table.seats[seat];
  const { dealer, leader, scores } = table.view;
  const isNear = (seatOf(table) ?? 0) === seat;
  return html`
    <section class="seat ${owes ? 'owes' : ''} ${isNear ? 'mine' : ''}" aria-label="${name ?? `Seat ${seat}`}"
        .style=${`--own: var(--seat-${seat})`}>
      <h2 class="who">
        <span class="dot" aria-hidden="true"></span>
        <span class="name">${name ?? 'Free seat'}${table.viewer === seat ? html` <small>(you)</small>` : nothing}</span>
        <span class="score">${signedScore(scores?.[seat], table)}</span>
        ${dealer === seat ? html`<abbr class="tag" title="dealer">D<span class="unseen">ealer</span></abbr>` : nothing}
        ${leader === seat ? html`<span class="tag">leads</span>` : nothing}
        ${owes ? html`<span class="tag turn">to act</span>` : nothing}
        ${!owes && may ? html`<span class="tag">may act</span>` : nothing}
        ${resigned ? html`<span class="tag">resigned</span>` : nothing}
        ${away ? html`<span class="tag">away</span>` : nothing}
        ${kept && !policy ? html`<span class="tag">a bot plays</span>` : nothing}
        ${deadline ? html`<hw-clock .until=${deadline}></hw-clock>` : nothing}
      </h2>
      <div class="zones">${repeat(scene.seats[seat], ({ id }) => id, draw)}</div>
    </section>`;
}

const signedScore = (score, { game }) => (score === undefined ? '' : game === 'blindside' ? signed(score) : score);

function drawZone(zone, context) {
  const shown = zone.form === 'pile' ? zone.cards.slice(-PILE_SHOWS) : zone.cards;
  const cards = zone.sorted ? shown.toSorted((one, other) => compareFaces(one.face, other.face)) : shown;
  const interactive = context.choices && cards.some(({ place }) => isInPlay(context.choices, place));
  const words = `${zone.title}: ${inWords(zone)}`;
  return html`
    <div class="zone" data-zone=${zone.id} .style=${`--count: ${cards.length}`} role=${interactive ? 'group' : 'img'} aria-label=${words}>
      <div class=${zone.form === 'stack' ? 'pile' : zone.form}>
        ${repeat(keyed(cards), ({ key }) => key, ({ card: placed }) => drawCard(placed, zone, { ...context, interactive }))}
        ${cards.length ? nothing : html`<span class="card-holder">${card(null)}</span>`}
      </div>
      <p class="caption" aria-hidden="true">${zone.title}${zone.form === 'stack' || zone.form === 'pile'
    ? html` <b>${zone.count}</b>` : nothing}${zone.note ? html`<br><i>${zone.note}</i>` : nothing}</p>
    </div>`;
}

const isInPlay = (choices, place) => choices.isLit(place) || choices.reasons.has(place);

function drawCard(placed, zone, { table, choices, onPick, onPlay, interactive }) {
  const { face, place, under, note, seat } = placed;
  const picture = html`${card(face)}${under ? html`<span class="below">${card('??')}</span>` : nothing}${
    note || (seat !== undefined && zone.seat === null) ? html`<span class="from">${[
      seat !== undefined ? table.seats[seat].name : '', note].filter(Boolean).join(', ')}</span>` : nothing}`;
  const fromSeat = seat === undefined ? nothing : `--own: var(--seat-${seat})`;
  if (!interactive) return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} .style=${fromSeat}>${picture}</span>`;
  const name = nameOf(placed, zone, table);
  if (choices.isLit(place)) {
    return html`<button class="card-holder playable ${choices.isPicked(place) ? 'selected' : ''}" data-place=${place} data-face=${face ?? nothing}
      aria-pressed=${choices.isPicked(place)} aria-label=${name}
      @click=${() => onPick(place)} @dblclick=${() => onPlay(place)}>${picture}</button>`;
  }
  if (choices.reasons.has(place)) {
    return html`<button class="card-holder unplayable" data-place=${place} data-face=${face ?? nothing} aria-disabled="true"
      aria-label=${`${name}. ${choices.reasons.get(place)}`} @click=${() => onPick(place)}>${picture}</button>`;
  }
  return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} role="img" aria-label=${name}>${picture}</span>`;
}

function inWords(zone) {
  if (zone.form === 'stack') return zone.count ? `${zone.count} ${zone.count === 1 ? 'card' : 'cards'}` : 'empty';
  if (!zone.count) return 'empty';
  const shown = zone.form === 'pile' ? zone.cards.slice(-1) : zone.cards;
  const text = facesInWords(shown.map(({ face }) => face));
  const more = zone.form === 'pile' && zone.count > 1 ? ` on top of ${zone.count - 1} more` : '';
  return `${text}${more}${zone.note ? ` (${zone.note})` : ''}`;
}

// Cards keep their element while they lie in a zone, so that they can move: the n-th copy of a face is one element.
function keyed(cards) {
  const seen = new Map();
  return cards.map((placed) => {
    const face = placed.face ?? 'empty';
    const copy = seen.get(face) ?? 0;
    seen.set(face, copy + 1);
    return { card: placed, key: `${face}#${copy}` };
  });
}
