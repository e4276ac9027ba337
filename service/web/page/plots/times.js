/** Ticks of a plot whose x is a time in milliseconds since 1970: at round times of this device's clock. */
const DAY = 86_400_000;
const STEPS = [1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000]
  .concat([1, 2, 7, 14, 30, 91, 182, 365, 730].map((days) => days * DAY));

const written = (at, shape) => new Intl.DateTimeFormat('en-GB', shape).format(at);

/** For `xTicks` of `linePlot`. */
export function times(low, high) {
  const wide = high - low > DAY;
  const step = STEPS.find((each) => each * 5 >= high - low && (!wide || each >= DAY)) ?? STEPS.at(-1);
  const zone = new Date(high).getTimezoneOffset() * 60_000;
  const found = [];
  for (let at = Math.ceil((low - zone) / step) * step + zone; at <= high; at += step) found.push(at);
  const long = { month: 'short', year: 'numeric' };
  const shape = step > 30 * DAY ? long : { day: 'numeric', month: 'short' };
  return [found, (at) => written(at, wide ? shape : { timeStyle: step < 60_000 ? 'medium' : 'short' })];
}

/** For `xTick` of `linePlot`. */
export const timeInWords = (at) => written(at, { dateStyle: 'medium', timeStyle: 'short' });
