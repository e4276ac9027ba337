/** The entry: the room of each address, and the header around all rooms. */
import { route, style } from './kit/router.js';
import { storage } from './kit/session.js';
import './shell/header.js';
import './home/home.js';

const room = (module, sheet) => () => Promise.all([import(module), sheet && style(sheet)]);

route(document.getElementById('main'), [
  [/^\/$/, 'hw-home', () => style('home')],
  [/^\/docs$/, 'hw-docs', room('./docs/docs.js', 'docs')],
  [/^\/games\/(?<game>\w+)$/, 'hw-game', room('./home/game.js', 'home')],
  [/^\/learn\/(?<game>\w+)$/, 'hw-learn', room('./table/learn.js', 'room')],
  [/^\/tables$/, 'hw-lobby', room('./home/lobby.js', 'home')],
  [/^\/tables\/(?<table>\w+)$/, 'hw-table', () => import('./table/table.js')],
  [/^\/tables\/(?<table>\w+)\/replay$/, 'hw-replay', room('./replay/replay.js', 'replay')],
  [/^\/tables\/(?<table>\w+)\/compare\/(?<other>\w+)$/, 'hw-compare', room('./replay/compare.js', 'replay')],
  [/^\/replay$/, 'hw-replay-file', room('./replay/file.js', 'replay')],
  [/^\/imports\/(?<imported>\w+)$/, 'hw-replay', room('./replay/replay.js', 'replay')],
  [/^\/rules$/, 'hw-rules', room('./rules/rules.js', 'rules')],
  [/^\/rules\/(?<game>\w+)$/, 'hw-rules', room('./rules/rules.js', 'rules')],
  [/^\/me$/, 'hw-me', room('./players/me.js', 'players')],
  [/^\/me\/tables$/, 'hw-my-tables', room('./players/my_tables.js', 'players')],
  [/^\/signin$/, 'hw-sign-in', room('./players/signing_in/sign_in.js', 'players')],
  [/^\/players\/(?<player>[\w:@]+)$/, 'hw-player', room('./players/player.js', 'players')],
  [/^\/players\/(?<player>[\w:@]+)\/statement$/, 'hw-statement', room('./players/statement.js', 'players')],
  [/^\/players\/(?<player>[\w:@]+)\/ratings\/(?<game>\w+)$/, 'hw-rating', room('./players/rating.js', 'players')],
  [/^\/leaderboards$/, 'hw-leaderboards', room('./players/leaderboards.js', 'players')],
  [/^\/leaderboards\/(?<game>\w+)$/, 'hw-leaderboards', room('./players/leaderboards.js', 'players')],
  [/^\/tournaments$/, 'hw-tournaments', room('./tournaments/tournaments.js', 'tournaments')],
  [/^\/tournaments\/new$/, 'hw-new-tournament', room('./tournaments/form/form.js', 'tournaments')],
  [/^\/tournaments\/(?<tournament>\w+)$/, 'hw-tournament', room('./tournaments/tournament.js', 'tournaments')],
  [/^\/tournaments\/(?<tournament>\w+)\/desk$/, 'hw-desk', room('./tournaments/desk/desk.js', 'tournaments')],
  [/^\/series\/new$/, 'hw-new-series', room('./tournaments/series/form.js', 'tournaments')],
  [/^\/series(\/(?<series>\w+))?$/, 'hw-series', room('./tournaments/series/series.js', 'tournaments')],
  [/^/, 'hw-nowhere', () => import('./shell/nowhere.js')],
]);

// An entrant's seed is revealed at the start of a tournament, no matter which room is shown then.
if (storage.read('hoodwink.entries')) import('./tournaments/reveal.js').then(({ watch }) => watch());

// Browsers have no service workers on pages without HTTPS, except on this machine.
if (navigator.serviceWorker) window.addEventListener('load', () => import('./shell/installing.js'), { once: true });
