/** An axis of a chart: it maps values to a share of its length, and has marks. */
export interface Axis {
  /** 0 at the lower end, 1 at the upper; not finite if a logarithm has no value */
  place(value: number): number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

const MOST_TICKS = 8;

/** An axis from low to high, slightly longer if that gives round ends; of any length if the two are no proper interval. */
export function axis(low: number, high: number, scale: "linear" | "log"): Axis {
  return scale === "log" ? logarithmic(low, high) : linear(low, high);
}

function logarithmic(low: number, high: number): Axis {
  const isProper = low > 0 && high >= low && Number.isFinite(high);
  const first = isProper ? Math.floor(Math.log10(low)) : 0;
  const last = Math.max(first + 1, isProper ? Math.ceil(Math.log10(high)) : 1);
  const stride = Math.max(1, Math.ceil((last - first) / MOST_TICKS));
  const ticks = [];
  for (let e = first; e <= last; e += stride) ticks.push({ value: 10 ** e, label: `1e${e}` });
  return { place: (value) => (value > 0 ? (Math.log10(value) - first) / (last - first) : NaN), ticks };
}

function linear(low: number, high: number): Axis {
  const from = Number.isFinite(low) ? low : 0;
  const to = Number.isFinite(high) && high > from ? high : from + 1;
  const rough = (to - from) / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const [first, last] = [Math.floor(from / step + 1e-9), Math.ceil(to / step - 1e-9)];
  const ticks = [];
  for (let k = first; k <= last; k++) ticks.push({ value: k * step, label: String(Number((k * step).toPrecision(6))) });
  return { place: (value) => (value / step - first) / (last - first), ticks };
}
