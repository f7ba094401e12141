/** Air that moves past rods. */
import type { AirAround } from "../../air";

/**
 * Drag of the air on an edge with a round cross-section, as an acceleration of its material:
 *
 *     F = ½ ρ C_D d l |vₙ| vₙ,   vₙ the part of wind − edge velocity that is across the edge, d its diameter, l its length
 *
 * It is taken semi-implicitly, like drag on a face.
 *
 * @param x positions, ends at a, b (already × 3) [m]
 * @param given mass divided by d l [kg/m²], and the time for which it will stand [s]
 * @param out acceleration [m/s²]
 */
function edgeAirAcceleration(
  x: Float64Array,
  v: Float64Array,
  a: number,
  b: number,
  options: Readonly<AirAround>,
  given: Float64Array,
  out: Float64Array,
): void {
  const { wind, windField } = options;
  out[0] = wind[0];
  out[1] = wind[1];
  out[2] = wind[2];
  windField?.at((x[a] + x[b]) / 2, (x[a + 1] + x[b + 1]) / 2, (x[a + 2] + x[b + 2]) / 2, wind, out);
  const ex = x[b] - x[a];
  const ey = x[b + 1] - x[a + 1];
  const ez = x[b + 2] - x[a + 2];
  const wx = out[0] - (v[a] + v[b]) / 2;
  const wy = out[1] - (v[a + 1] + v[b + 1]) / 2;
  const wz = out[2] - (v[a + 2] + v[b + 2]) / 2;
  const squared = ex * ex + ey * ey + ez * ez;
  const along = squared > 0 ? (wx * ex + wy * ey + wz * ez) / squared : 0;
  out[0] = wx - along * ex;
  out[1] = wy - along * ey;
  out[2] = wz - along * ez;
  const speed = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  const rate = (0.5 * options.airDensity * options.drag * speed) / given[0];
  const damped = rate / (1 + given[1] * rate);
  for (let axis = 0; axis < 3; axis++) out[axis] *= damped;
}

const acceleration = new Float64Array(3);
const given = new Float64Array(2);

/** Drag on the particles of rods: the mean of their edges. */
export class RodAir {
  /** edges at each particle */
  private readonly counts: Uint8Array;

  constructor(
    private readonly edges: Uint32Array,
    particleCount: number,
  ) {
    this.counts = new Uint8Array(particleCount);
    for (const p of edges) this.counts[p]++;
  }

  /**
   * @param x, v particleCount × 3 [m, m/s]
   * @param interval time for which it will stand [s]
   * @param out acceleration of every particle, particleCount × 3 [m/s²]
   */
  evaluate(
    x: Float64Array,
    v: Float64Array,
    options: Readonly<AirAround>,
    mass: number,
    interval: number,
    out: Float64Array,
  ): void {
    const { edges, counts } = this;
    out.fill(0);
    given[0] = mass;
    given[1] = interval;
    for (let e = 0; e < edges.length; e += 2) {
      const p = edges[e];
      const q = edges[e + 1];
      edgeAirAcceleration(x, v, 3 * p, 3 * q, options, given, acceleration);
      for (let axis = 0; axis < 3; axis++) {
        out[3 * p + axis] += acceleration[axis] / counts[p];
        out[3 * q + axis] += acceleration[axis] / counts[q];
      }
    }
  }
}
