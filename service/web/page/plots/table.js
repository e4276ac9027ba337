/** The figures of a plot as a table. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';

/**
 * @param series those that are drawn, which may have fewer points than `plot.series`
 * @param {(value: number) => string} figure
 */
export function table({ title, unit, xLabel, xTick, series: all }, series, figure) {
  const inWords = xTick ?? figure;
  const cell = (value) => html`<td class="number">${value === undefined ? '–' : figure(value)}</td>`;
  const rows = new Set(series.flatMap(({ points }) => points.map(([x]) => x)));
  const columns = series.map(({ points, band }) => (
    { values: new Map(points), ends: new Map(band.map(([x, ...both]) => [x, both])) }));
  const given = all.reduce((sum, { points }) => sum + points.length, 0);
  const drawn = series.reduce((sum, { points }) => sum + points.length, 0);
  return html`
    ${drawn < given ? html`<p class="small">${drawn} of ${figure(given)} points: the lowest and the highest of
      each stretch, as they are drawn.</p>` : nothing}
    <div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table"><table>
      <caption class="unseen">${title}</caption>
      <thead><tr><th scope="col">${xLabel || 'When'}</th>${series.map(({ name, band }) => html`
        <th scope="col" class="number">${name}${unit ? `, ${unit}` : ''}</th>
        ${band.length ? html`<th scope="col" class="number">from</th><th scope="col" class="number">to</th>`
          : nothing}`)}
      </tr></thead>
      <tbody>${[...rows].sort((one, other) => one - other).map((x) => html`
        <tr><th scope="row">${inWords(x)}</th>${columns.map(({ values, ends }) => html`
          ${cell(values.get(x))}
          ${ends.size ? [0, 1].map((end) => cell(ends.get(x)?.[end])) : nothing}`)}</tr>`)}
      </tbody>
    </table></div>`;
}
