/** Checks of deals that several tables share (D-2, D-7 and D-8 in docs/TOURNAMENTS.md). */

import { sharedKey } from './draws.js';
import { breather } from './log.js';
import { readTournament } from './tournament_facts.js';

/** Checks one table against the log of its tournament, if that is known. */
export async function sharedDeal({ own, note, tournamentLog }) {
  const { deal, key } = own.shared;
  note(null, `All tables of deal ${deal} have the key ${key}.`, '', 3);
  checkRelease(own, note);
  if (!tournamentLog) return;
  const facts = await readTournament(tournamentLog, breather());
  const table = facts.tables.get(own.opened.table);
  const round = facts.rounds.get(table?.round);
  note(Boolean(round), '', "The tournament's log does not name this table.", 2);
  if (round) await checkDeal({ facts, round, table, own, note });
}

/** Notes whether the table's key follows from the seeds, and whether it ended as it was sealed before the release. */
export async function checkDeal({ facts, round, table, own, note, noteSeal = note }) {
  const { shared, opened, entries } = own;
  const name = `Table ${opened.table}`;
  const due = await sharedKey(facts.opened.server_seed, round.seeds, { round: round.round, deal: round.round });
  if (!facts.compare || !shared) {
    note(!facts.compare === !shared, '', `${name} does not share the deal of its round.`, 2);
    return;
  }
  note(shared.deal === round.round, '', `${name} was dealt another deal than its round.`, 3);
  const seeds = "from the tournament's secret and seeds.";
  const key = `${name}: the key of deal ${shared.deal}`;
  note(shared.key === due, `${key} follows ${seeds}`, `${key} does not follow ${seeds}`, 3);
  const end = entries.find(({ kind }) => kind === 'table.ended');
  noteSeal(table.seal?.head === end?.hash, `${name} ended as it was sealed before the release.`,
    `${name} did not end as it was sealed before the release.`, end?.line ?? null);
}

/** Notes whether the table waited for the release before it revealed its secret. */
export function checkRelease({ entries }, note) {
  const [end, revealed] = ['table.ended', 'table.seed_revealed'].map((kind) =>
    entries.find((entry) => entry.kind === kind));
  if (!end || !revealed) return;
  const isApart = end.cmd !== revealed.cmd && revealed.by === 'worker';
  note(isApart, '', 'The table revealed its secret without waiting for the other tables.', revealed.line);
}

/** Notes for each deal of a tournament whether it was released after its last table had ended, and reported after that. */
export function checkSeals({ rounds, compare }, note) {
  for (const { round, released, tables } of rounds.values()) {
    if (!compare || !tables.length) {
      note(!released, '', `Deal ${round} was released, but no tables share it.`, released?.line);
      continue;
    }
    const name = `Deal ${round}`;
    for (const { table, seal, report } of tables) {
      const isLate = released && !(seal?.line < released.line);
      note(!isLate, '', `${name} was released before table ${table} had ended.`, released?.line);
      const isEarly = report && !(released?.line < report.line);
      note(!isEarly, '', `Table ${table} was reported before ${name.toLowerCase()} was released.`, report?.line);
    }
    note(Boolean(released), `${name} was released after all ${tables.length} tables had ended.`,
      `${name} was never released.`, released?.line);
  }
}
