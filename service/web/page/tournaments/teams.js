/** Teams: their names and codes, their standings as a tab, and the team of the player using this browser. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { confirm } from '../kit/dialog.js';
import { commandForm, field } from '../kit/form.js';
import { session } from '../kit/session.js';
import { count, list, loading } from '../kit/words.js';
import { commandButton } from './acting.js';
import { decimals, decimalsFor } from './terms.js';
import { hasStarted, isOver, standingsTitle } from './view.js';

/** How long teams that could not be read are not asked for again. */
const RETRY_MS = 30_000;

export const hasTeams = ({ setup }) => setup.team_size !== null;

/** True while the team of an entrant can change. */
export const mayChangeTeam = (view, { from_round: from, left_after: left }) => (
  hasTeams(view) && !isOver(view) && left === null && from > view.rounds.length);

/** The teams with their names, and the codes that the player may know. */
export function teamsOf(room) {
  const { view } = room;
  if (hasTeams(view) && room.teamsView !== view) {
    room.teamsView = view;
    const state = JSON.stringify([session.player?.id, view.teams, view.team_codes, view.entrants.map(({ team }) => team)]);
    if (room.teamsState !== state) read(room, state);
  }
  return room.teams ?? [];
}

async function read(room, state) {
  room.teamsState = state;
  const found = await api.get(`${room.live.path}/teams`).catch(() => null);
  if (found && room.teamsState === state) room.set({ teams: found.teams });
  if (!found) setTimeout(() => Object.assign(room, { teamsView: null, teamsState: null }), RETRY_MS);
}

/** The name of a team; equal names get their numbers. */
export function teamName(room, number) {
  const teams = teamsOf(room);
  const name = teams.find(({ team }) => team === number)?.name ?? `Team ${number}`;
  return teams.some((other) => other.team !== number && other.name === name) ? `${name} (team ${number})` : name;
}

export function teams(room, view) {
  const { standings } = room.live;
  if (hasStarted(view) && !standings) return loading('Loading the standings');
  const alone = view.entrants.filter(({ team }) => team === null).map(({ id }) => room.names.id(id));
  const rows = hasStarted(view) ? ranked(room, standings) : unranked(room);
  return html`
    ${rows.length ? table(room, rows, standings) : html`<p>There are no teams yet.</p>`}
    ${alone.length ? html`<p class="small">Without a team: ${list(alone)}.</p>` : nothing}`;
}

const unranked = (room) => teamsOf(room).map(({ team, entrants }) => ({
  team, members: entrants.map((id) => ({ name: room.names.id(id), counts: true })) }));

function ranked(room, standings) {
  const scores = new Map(standings?.rows.map(({ entrant, score }) => [entrant, score]));
  return (standings?.teams ?? []).map(({ entrants, counted, ...row }) => ({ ...row, counted, members: entrants.map(
    (number, index) => ({ name: room.names.of(number), score: scores.get(number), counts: index < counted })) }));
}

/** The teams in first place of a finished tournament. */
export function bestTeams(room) {
  const { view, live } = room;
  const best = (live.standings?.teams ?? []).filter(({ rank }) => rank === 1).map(({ team }) => teamName(room, team));
  if (view.phase !== 'finished' || view.tables_in_play || !best.length) return nothing;
  return html`<p>The best ${best.length > 1 ? 'teams are' : 'team is'} ${list(best)}.</p>`;
}

function table(room, rows, standings) {
  const places = decimalsFor(rows.map(({ score }) => score ?? null));
  const of = decimalsFor(rows.flatMap(({ members }) => members.map(({ score }) => score ?? null)));
  const started = hasStarted(room.view);
  const codes = new Map(teamsOf(room).map(({ team, code }) => [team, code]));
  const member = ({ name, score, counts }) => html`<li>${name}${score === undefined ? nothing : html` <span
    class="soft">${decimals(score, of)}${counts ? nothing : ', does not count'}</span>`}</li>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Teams"><table class="standings teams">
    <caption>${started ? standingsTitle(room.view, standings.round) : count(rows.length, 'team')}</caption>
    <thead><tr>${started ? html`<th scope="col" class="number">Place</th>` : nothing}<th scope="col">Team</th>
      ${started ? html`<th scope="col" class="number">Score</th>` : nothing}</tr></thead>
    <tbody>${rows.map(({ team, rank, score, members, counted, for_missing: worth }) => html`<tr class=${room.me?.team === team ? 'mine' : nothing}>
      ${started ? html`<td class="number place">${rank}</td>` : nothing}
      <th scope="row"><bdi>${teamName(room, team)}</bdi>
        <ul class="small members">${members.map(member)}</ul>
        ${missing(room, { counted, for_missing: worth }, of)}
        ${codes.get(team) && !started ? html`<p class="small on-screen">Code: <code>${codes.get(team)}</code>
          ${room.isOrganiser ? replacingCode(room, team) : nothing}</p>` : nothing}</th>
      ${started ? html`<td class="number">${decimals(score, places)}</td>` : nothing}</tr>`)}</tbody></table></div>`;
}

/** Says what missing entrants count where that is less than nothing (T-33). */
function missing({ view }, { counted, for_missing: worth }, places) {
  const left = view.setup.team_counting - counted;
  return worth && left > 0
    ? html`<p class="small">${count(left, 'missing entrant')}: ${decimals(worth, places)} each, like the lowest score</p>` : nothing;
}

function replacingCode(room, team) {
  const name = `team-code-${team}`;
  return html`${commandButton(room, name, html`Replace the code …<span class="unseen"> of ${teamName(room, team)}</span>`,
    () => replaceCode(room, name, team))}${room.refusal(name)}`;
}

async function replaceCode(room, name, team) {
  const sure = await confirm({
    title: 'Replace the code of the team?',
    text: 'The earlier code stops working. Those who play for the team stay in it.',
    yes: 'Replace it',
  });
  if (sure) await room.act(name, '/team-code', { team });
}

/** What the player sees of the own team, or does to get into one. */
export function myTeam(room) {
  const { view, me } = room;
  const may = mayChangeTeam(view, me);
  if (me.status === 'expelled') return [];
  if (me.team === null) return may ? choosing(room) : [];
  const { code } = teamsOf(room).find(({ team }) => team === me.team) ?? {};
  return [html`<div class="act team"><p>You play for <b><bdi>${teamName(room, me.team)}</bdi></b>.</p>
    ${may && code ? html`<p class="small">Team-mates join with the code <code>${code}</code>.
      ${replacingCode(room, me.team)}</p>` : nothing}
    ${may ? html`${commandButton(room, 'team', 'Leave the team', () => room.act('team', `/entrants/${me.id}/team`, { team: null }))}
      ${room.refusal('team')}` : nothing}</div>`];
}

const CODE = { id: 'team-code', name: 'team', label: 'Code of your team' };

/** The field in which a late entrant gives the code of a team, which has to be joined before the next round. */
export const lateTeamField = (view) => (hasTeams(view) ? field({ ...CODE, label: `${CODE.label} (optional)`,
  help: 'Your team-mates have it.' }) : nothing);

export const joinTeam = (room, code) => room.act('team', '/team', { code });

const choosing = (room) => [
  commandForm({
    line: { ...CODE, required: true, maxlength: 40, help: 'Your team-mates have it.' },
    label: 'Join',
    isBusy: room.busy === 'team',
    below: room.refusal('team'),
    send: ({ team }) => joinTeam(room, team),
  }),
  commandForm({
    line: { id: 'team-name', name: 'name', label: 'Name of a new team', required: true, maxlength: 40,
      help: `You get a code for your team-mates. A team has up to ${room.view.setup.team_size} entrants.` },
    label: 'Create',
    isBusy: room.busy === 'new-team',
    below: room.refusal('new-team'),
    send: ({ name }) => room.act('new-team', '/teams', { name: name.trim() }),
  }),
];
