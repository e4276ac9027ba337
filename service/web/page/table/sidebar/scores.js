/** The scores of a table after each round, as a plot. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { linePlot } from '../../plots/plot.js';
import { namesOf } from '../scene/names.js';
import { capital } from '../../kit/words.js';

/** The panel for a table with at least one scored round. */
export function scores(view, events) {
  const scored = events.filter(({ type }) => type === 'table.round_scored').map(({ data }) => data);
  const unit = `${scored[0].unit}s`;
  const series = namesOf(view).map((name, seat) => ({
    name, seat, points: [[0, 0], ...scored.map(({ round, totals }) => [round, totals[seat]])] }));
  return html`<details class="panel" open><summary><h2>Scores</h2></summary>
    ${linePlot({ title: `${capital(unit)} after each round`, unit, series, xLabel: 'round', yLabel: unit })}
  </details>`;
}
