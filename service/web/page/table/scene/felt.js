/** Draws the table: every zone with its cards, everybody's seat around the centre. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { card, suitMark } from '../../cards/card.js';
import { compareFaces } from '../../cards/faces.js';
import { facesInWords } from '../../cards/words.js';
import { signed } from '../../kit/words.js';
import { face } from './faces.js';
import { nameOf, namesOf, yourSeat } from './names.js';
import { sceneOf, seatOf } from './scene.js';
import '../clock.js';

/** How many cards of a pile are drawn; those below are covered anyway. */
const PILE_SHOWS = 4;
/** At larger tables, and after ties, the cards of a trick show only the numbers of their seats. */
const MAX_NAMED = 5;
/**
 * @param {object} table the TableView; with `you` if the person who looks sits elsewhere than its viewer
 * @param {{scene?: import('./scene.js').Scene, choices?: import('../choices.js').Choices|null, present?: number[]|null, bubbles?: Object<number, string>, onPick?: (place: string) => void,
 *   onPlay?: (place: string) => void, prompt?: unknown, outcome?: unknown, more?: unknown, explain?: (text: string) => unknown}} [how] `choices` makes the cards of the
 *   player buttons; `prompt` is drawn above the player's own cards, `outcome` over the centre, `more` next to the player's name;
 *   `explain` draws the captions of zones
 */
export function felt(table, {
  scene = sceneOf(table), choices = null, present = null, bubbles = {}, onPick, onPlay, prompt = nothing, outcome = nothing, more = nothing, explain = (text) => text,
} = {}) {
  const near = seatOf(table) ?? 0;
  // Clockwise from the left of the near seat, as one would sit.
  const around = table.seats.map((_, step) => (near + step) % table.seats.length).slice(1);
  const atSide = around.length < 2 ? 0 : around.length < 6 ? 1 : 2;
  const draw = (zone) => drawZone(zone, { table, choices, onPick, onPlay, explain });
  // Cards of another seat that the viewer plays lie with the viewer's own.
  const yours = scene.seats.flat().filter(({ kind }) => kind === 'yours');
  const panel = (seat) => seatPanel(table, scene, seat, { draw, choices, present, bubbles, zones: scene.seats[seat].filter((zone) => !yours.includes(zone)) });
  const panels = (seats) => repeat(seats, (seat) => seat, panel);
  return html`
    <div class="felt" data-others=${around.length}>
      <div class="others">
        <div class="left">${panels(around.slice(0, atSide))}</div>
        <div class="top">${panels(around.slice(atSide, around.length - atSide))}</div>
        <div class="right">${panels(around.slice(around.length - atSide))}</div>
      </div>
      <div class="centre">
        ${scene.facts.length ? html`<dl class="table-facts">${scene.facts.map(([name, value]) => html`
          <div><dt>${name}</dt><dd>${value?.suit ? html`${suitMark(value.suit)} ${value.text}` : value}</dd></div>`)}</dl>` : nothing}
        ${drawZones(scene.centre, draw)}
      </div>
      <div class="dock">
        ${prompt}
        <div class="near">${seatPanel(table, scene, near, { draw, choices, present, bubbles, more, zones: [...yours, ...scene.seats[near]] })}</div>
      </div>
      ${outcome}
    </div>`;
}

/** Arrow keys move between a room's playable cards; the Tab key moves through everything. */
export function moveFocus(room, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.target.closest('input, select, textarea')) return;
  const cards = [...room.querySelectorAll('.card-holder.playable')];
  const next = cards.at((cards.indexOf(document.activeElement) + step) % cards.length);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// The viewer's own hand gets at least this room, and what the others leave; those of other seats are backs.
const HAND = 3.4;
const widthOf = (zones, hand) => zones.reduce((sum, { room, kind }) => sum + ({ under: 0, held: hand }[kind] ?? room), 0);

const drawZones = (zones, draw, { all = zones, hand = 0 } = {}) => html`
  <div class="zones" .style=${`--rooms: ${widthOf(all, hand)}`}>${repeat(zones.filter(isThere), ({ id }) => id, draw)}</div>`;

// A seat's heap has a place once there is one.
const isThere = ({ form, seat, count }) => form !== 'stack' || seat === null || count;

function seatPanel(table, scene, seat, { draw, choices, zones, present, bubbles, more = nothing }) {
  const { name, policy, resigned, away_since: away, owes, may_act: may, deadline, bot_kept: kept } = table.seats[seat];
  const { dealer, leader, scores } = table.view;
  const names = namesOf(table);
  const isNear = (seatOf(table) ?? 0) === seat;
  // The view names everybody who might act out of turn; who really can, only the legal actions say.
  const mayAct = may && !owes && seat === yourSeat(table) && choices?.hasAny;
  const held = zones.find(({ kind }) => kind === 'held')?.count;
  const who = html`
    <span class="avatar" aria-hidden="true">${policy ? face(policy) : nothing}<span>${seat}</span></span>
    ${present && isPerson(name, policy) && yourSeat(table) !== seat ? presence(present.includes(seat)) : nothing}
    <span class="name">${name ?? 'Free seat'}${yourSeat(table) === seat ? html` <small>(you)</small>` : nothing}</span>
    ${held === undefined || isNear ? nothing : html`<span class="in-hand">${held}<span class="unseen"> in hand</span></span>`}
    <span class="score">${signedScore(scores?.[seat], table)}</span>`;
  return html`
    <section class="seat ${owes ? 'owes' : ''} ${isNear ? 'mine' : ''} ${policy ? 'bot' : ''}" aria-label=${[names[seat], table.among].filter(Boolean).join(', ')}
        data-seat=${seat} .style=${`--own: var(--seat-${seat})`}>
      <h2>${isNear ? html`<span class="who">${who}</span>`
    : html`<button class="who" aria-expanded="false" @click=${expand}>${who}</button>`}
        <span class="signs">
          ${resigned ? html`<span class="tag absent">resigned</span>` : nothing}
          ${away ? html`<span class="tag absent">away</span>` : nothing}
          ${kept && !policy ? html`<span class="tag absent">a bot plays</span>` : nothing}
          ${owes || mayAct ? html`<span class="tag turn">${owes ? 'to act' : 'may act'}</span>` : nothing}
          ${deadline ? html`<hw-clock class="tag turn" .until=${deadline}></hw-clock>` : nothing}
          ${leader === seat ? html`<span class="tag leads">leads</span>` : nothing}
          ${dealer === seat ? html`<abbr class="tag" role="img" title="dealer">D</abbr>` : nothing}
        </span>${more}
      </h2>
      ${bubbles[seat] ? html`<p class="bubble" aria-hidden="true">${bubbles[seat]}</p>` : nothing}
      ${drawZones(zones, draw, isNear ? { hand: HAND } : { all: scene.seats[seat] })}
    </section>`;
}

// A bot that plays from outside follows no table.
const isPerson = (name, policy) => name && !policy && !name.startsWith('BOT ');

const presence = (isHere) => html`<span class="dot ${isHere ? 'here' : ''}" role="img" title=${PRESENCE[isHere]} aria-label=${PRESENCE[isHere]}></span>`;
const PRESENCE = { true: 'here', false: 'not connected' };

/** Shows a seat's cards larger, or at all where the seats are chips; at most one at a time. */
function expand({ currentTarget: button }) {
  const isOpen = button.ariaExpanded !== 'true';
  for (const other of button.closest('.others').querySelectorAll('[aria-expanded]')) other.ariaExpanded = isOpen && other === button;
}

const signedScore = (score, { game }) => (score === undefined ? '' : game === 'blindside' ? signed(score) : score);

function drawZone(zone, context) {
  const shown = zone.form === 'pile' ? zone.cards.slice(-PILE_SHOWS) : zone.cards;
  const cards = zone.sorted ? shown.toSorted((one, other) => compareFaces(one.face, other.face)) : shown;
  const interactive = context.choices && cards.some(({ place }) => isInPlay(context.choices, place));
  const words = `${zone.title}: ${inWords(zone)}`;
  return html`
    <div class="zone ${zone.kind ?? ''}" data-zone=${zone.id} data-heap=${zone.form === 'stack' ? zone.count : nothing}
        data-taker=${zone.taker ?? nothing} .style=${`--room: ${zone.room}`} role=${interactive ? 'group' : 'img'} aria-label=${words}>
      <div class=${zone.form === 'stack' ? 'pile' : zone.form} .style=${`--count: ${Math.max(cards.length, 1)}`}>
        ${repeat(keyed(cards, zone.form), ({ key }) => key, ({ card: placed }, index) => (
    drawCard(placed, zone, { ...context, interactive, at: `--at: ${index}` })))}
        ${cards.length || isObvious(zone) ? nothing : html`<span class="card-holder">${card(null)}</span>`}
      </div>
      <p class="caption" aria-hidden="true">${isObvious(zone) ? nothing : context.explain(zone.caption ?? zone.title)}${zone.form === 'stack' || zone.form === 'pile'
    ? html` <b>${zone.count}</b>` : nothing}${repeat([zone.note ?? []].flat(), String, (note) => html` <i>${note}</i>`)}</p>
    </div>`;
}

// A hand, and the cards in front of a seat, explain themselves.
const isObvious = ({ kind }) => ['held', 'under', 'over', 'apart'].includes(kind);

const isInPlay = (choices, place) => choices.isLit(place) || choices.reasons.has(place);

function drawCard(placed, zone, { table, choices, onPick, onPlay, interactive, at }) {
  const { face, place, under, seat } = placed;
  const isPlayed = seat !== undefined && zone.seat === null;
  const from = isPlayed && Math.max(table.seats.length, zone.count) <= MAX_NAMED ? table.seats[seat].name : '';
  const picture = html`${card(face)}${under ? html`<span class="below">${card('??')}</span>` : nothing}${
    isPlayed ? html`<span class="avatar">${seat}</span>` : nothing}${from ? html`<span class="from">${from}</span>` : nothing}`;
  const style = seat === undefined ? at : `${at}; --own: var(--seat-${seat})`;
  if (!interactive) return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} .style=${style}>${picture}</span>`;
  const name = nameOf(placed, zone, table);
  if (choices.isLit(place)) {
    return html`<button class="card-holder playable ${choices.isPicked(place) ? 'selected' : ''}" data-place=${place} data-face=${face ?? nothing}
      .style=${style} aria-pressed=${choices.isPicked(place)} aria-label=${name}
      @click=${() => onPick(place)} @dblclick=${() => onPlay(place)}>${picture}</button>`;
  }
  if (choices.reasons.has(place)) {
    return html`<button class="card-holder unplayable" data-place=${place} data-face=${face ?? nothing} aria-disabled="true"
      .style=${style} aria-label=${`${name}. ${choices.reasons.get(place)}`} @click=${() => onPick(place)}>${picture}</button>`;
  }
  return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} .style=${style} role="img" aria-label=${name}>${picture}</span>`;
}

function inWords(zone) {
  if (zone.form === 'stack') return zone.count ? `${zone.count} ${zone.count === 1 ? 'card' : 'cards'}` : 'empty';
  if (!zone.count) return 'empty';
  const shown = zone.form === 'pile' ? zone.cards.slice(-1) : zone.cards;
  const text = facesInWords(shown.map(({ face }) => face));
  const more = zone.form === 'pile' && zone.count > 1 ? ` on top of ${zone.count - 1} more` : '';
  return `${text}${more}${zone.note ? ` (${zone.note})` : ''}`;
}

// A card keeps its element while it lies in a zone: in a row that of its place, elsewhere the n-th copy of a face is one
// element, which can glide when others come or go.
function keyed(cards, form) {
  if (form === 'row') return cards.map((placed) => ({ card: placed, key: placed.place }));
  const seen = new Map();
  return cards.map((placed) => {
    const face = placed.face ?? 'empty';
    const copy = seen.get(face) ?? 0;
    seen.set(face, copy + 1);
    return { card: placed, key: `${face}#${copy}` };
  });
}
