/**
 * Line plots as SVG, with the same figures in words and in a table.
 *
 * Positions are percentages of the SVG element, so a template fits every width and nothing is measured.
 * The module awaits its style sheet: import it when a plot is first wanted.
 */
import { html, nothing, render, svg } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { style } from '../kit/router.js';
import { figure } from '../kit/words.js';

const MAX_POINTS = 400;
const MAX_MARKS = 24;
// No two of the ten seats have the same mark and dash: colour is not the only sign.
const MARKS = ['-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0', '-4-4h8v8h-8', '0-5 5 4h-10', '0-5 5 0 0 5-5 0',
  '0 5 5-4h-10'];
const DASHES = [nothing, '9 4', '2 3.5', '9 3 2 3'];

await style('plot').catch(() => {});

/** The lowest and the highest point of each stretch, if there are more points than a screen can show. */
function thinned(points = []) {
  const size = Math.ceil((points.length * 2) / MAX_POINTS);
  if (size < 3) return points;
  const kept = new Set();
  points.forEach((point, index) => {
    if (index % size) return;
    const byHeight = points.slice(index, index + size).sort((one, other) => one[1] - other[1]);
    kept.add(point).add(byHeight[0]).add(byHeight.at(-1));
  });
  return [...kept.add(points.at(-1))].sort(([one], [other]) => one - other);
}

/** Round numbers around a range: steps of 1, 2 or 5 tens. */
function ticks(low, high, whole) {
  const rough = (high - low) / 5;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].find((times) => times * ten > rough * 0.999) * ten, whole ? 1 : 0);
  const all = [];
  for (let each = Math.floor(low / step); all.length < 2 || all.at(-1) < high; each += 1) {
    all.push(Number((each * step).toPrecision(12)));
  }
  return all;
}

function extent(values) {
  const low = values.reduce((one, other) => Math.min(one, other));
  const high = values.reduce((one, other) => Math.max(one, other));
  return low < high ? [low, high] : [low - 1, high + 1];
}

function axes(series, { xTick = figure, xTicks }) {
  const xs = series.flatMap(({ points }) => points.map(([x]) => x));
  const ys = series.flatMap(({ points, band }) => [...points, ...band].flatMap(([, ...y]) => y));
  const [left, right] = extent(xs);
  const rows = ticks(...extent(ys), ys.every(Number.isInteger));
  const few = new Set(xs).size < 2;
  const [columns, label] = xTicks?.(left, right) ?? [ticks(left, right, xs.every(Number.isInteger)), xTick];
  const place = (value, from, to) => Number((((value - from) / (to - from)) * 100).toFixed(2));
  return {
    rows,
    columns: few ? xs.slice(0, 1) : columns.filter((x) => x >= left && x <= right),
    label,
    x: (value) => place(value, left, right),
    y: (value) => place(value, rows.at(-1), rows[0]),
  };
}

function inWords({ title, xLabel, xTick = figure }, series) {
  const told = ([x, y]) => `${figure(y)} at ${`${xLabel} ${xTick(x)}`.trim()}`;
  const highest = (points) => points.reduce((best, each) => (each[1] > best[1] ? each : best));
  return [`${title}.`, ...series.map(({ name, points }) => `${name}: first ${told(points[0])}, last ${
    told(points.at(-1))}, highest ${told(highest(points))}.`)].join(' ');
}

const colour = (seat) => `--series: var(--seat-${seat})`;

const mark = (seat, x, y) => svg`
  <svg x=${x} y=${y}><path class="mark" d="M${MARKS[seat % 5]}z"></path></svg>`;

function line({ seat, points, band }, { x, y }) {
  const every = points.length > MAX_MARKS ? Math.ceil((points.length * 2) / MAX_MARKS) : 1;
  const path = (all) => all.map(([a, b]) => `${x(a)} ${y(b)}`).join('L');
  const edge = [...band, ...band.map(([a, , high]) => [a, high]).reverse()];
  return svg`<g .style=${colour(seat)}>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
      <path class="band" d=${edge.length ? `M${path(edge)}z` : nothing}></path>
      <path class="line" d="M${path(points)}" stroke-dasharray=${DASHES[seat % 4]}></path>
    </svg>
    ${points.filter((_, index) => (points.length - 1 - index) % every === 0)
    .map(([a, b]) => mark(seat, `${x(a)}%`, `${y(b)}%`))}
  </g>`;
}

const legend = (series) => html`<ul class="legend">${series.map(({ name, seat }) => html`
  <li .style=${colour(seat)}><svg aria-hidden="true">
    <line class="line" x2="28" stroke-dasharray=${DASHES[seat % 4]}></line>${mark(seat, 14, 0)}
  </svg> ${name}</li>`)}</ul>`;

/** The table costs more than its plot, so it is loaded and drawn once somebody opens it. */
function asTable(...drawn) {
  const fill = async (details) => {
    if (!details?.open) return;
    const { table } = await import('./table.js');
    render(table(...drawn, figure), details.lastElementChild);
  };
  return html`<details @toggle=${({ target }) => fill(target)} ${ref(fill)}>
    <summary>As a table</summary><div></div></details>`;
}

/**
 * @param {{title: string, unit?: string, series: Series[], xLabel?: string, yLabel?: string,
 *   xTick?: (x: number) => string, xTicks?: typeof import('./times.js').times}} plot
 *   `xTick`: x in words; `xTicks`: other ticks than round numbers, with their labels
 * @typedef {{name: string, seat?: number, points: [number, number][], band?: [number, number, number][]}}
 *   Series points in the order of x; `band`: x, low and high
 */
export function linePlot({ unit = '', xLabel = '', yLabel = unit, ...more }) {
  const plot = { ...more, unit, xLabel };
  const given = plot.series.filter(({ points }) => points.length);
  if (!given.length) return html`<p>${plot.title}: nothing to draw yet.</p>`;
  const series = given.map((each) => (
    { ...each, seat: (each.seat ?? 0) % 10, points: thinned(each.points), band: thinned(each.band) }));
  const { columns, rows, label, ...scale } = axes(series, plot);
  return html`
    <figure class="plot">
      <figcaption>${plot.title}</figcaption>
      ${series.length > 1 ? legend(series) : nothing}
      <p class="of-y" aria-hidden="true">${yLabel}</p>
      <div class="area" .style=${`--room: ${Math.max(...rows.map((y) => figure(y).length))}ch`}>
        <svg role="img" aria-label=${inWords(plot, given)}>
          ${rows.map((y) => svg`<svg y="${scale.y(y)}%">
            <line class="grid ${y ? '' : 'zero'}" x2="100%"></line>
            <text class="y" x="-8" dy=".35em">${figure(y)}</text></svg>`)}
          ${columns.map((x) => svg`
            <text class="x" x="${scale.x(x)}%" y="100%" dy="1.5em">${label(x)}</text>`)}
          ${series.map((each) => line(each, scale))}
        </svg>
      </div>
      <p class="of-x" aria-hidden="true">${xLabel}</p>
      ${asTable(plot, series)}
    </figure>`;
}
