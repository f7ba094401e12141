/** A heavy elastica: an inextensible rod, clamped level, that bends as far as its own weight takes it. */

/**
 * Its tip, for a rod of length 1. With the angle θ to the level, B θ'' = w (1 − s) cos θ, θ(0) = 0 and θ'(1) = 0: bisection finds the
 * moment at the clamp, Runge and Kutta's rule the rest.
 *
 * @param load w L³ / B for the weight w of a unit of length
 * @param steps of the rule
 * @returns along the clamp's direction, and downwards
 */
export function elasticaTip(load: number, steps = 1000): [along: number, down: number] {
  // A rod that stays level has the largest moment.
  let [low, high] = [0, 0.5 * load];
  let end: Tip = { along: 1, down: 0, moment: 0 };
  for (let i = 0; i < 60; i++) {
    const moment = 0.5 * (low + high);
    end = shoot(load, moment, steps);
    if (end.moment > 0) high = moment;
    else low = moment;
  }
  return [end.along, end.down];
}

interface Tip {
  along: number;
  down: number;
  /** remaining moment at the free end */
  moment: number;
}

/** θ is taken downwards, so that θ' at the clamp is `moment`, and θ'' = −load (1 − s) cos θ. */
function shoot(load: number, moment: number, steps: number): Tip {
  const h = 1 / steps;
  const rate = (s: number, [theta, slope]: readonly number[]): number[] => [
    slope,
    -load * (1 - s) * Math.cos(theta),
    Math.cos(theta),
    Math.sin(theta),
  ];
  let y = [0, moment, 0, 0];
  const from = (k: readonly number[], by: number): number[] => y.map((value, i) => value + by * k[i]);
  for (let i = 0; i < steps; i++) {
    const s = i * h;
    const a = rate(s, y);
    const b = rate(s + h / 2, from(a, h / 2));
    const c = rate(s + h / 2, from(b, h / 2));
    const d = rate(s + h, from(c, h));
    y = y.map((value, k) => value + (h / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]));
    // Beyond the plumb line there are other shapes, with loops; this one neither goes there nor bends back.
    if (y[0] > Math.PI / 2 || y[1] < 0) break;
  }
  return { moment: y[0] > Math.PI / 2 ? Infinity : y[1], along: y[2], down: y[3] };
}
