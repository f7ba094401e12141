/** Air that moves past rods. */
import { type AirAround, arealMass, edgeAirAcceleration } from "../../air";
import type { GpbdModel } from "../model";
import { distanceBetween } from "../../../math/vectors";

/** Mass over what the air meets [kg/m²]: the faces, or of rods the length times the diameter. */
export function airMass(model: GpbdModel): number {
  if (!model.rods) return arealMass(model);
  const { edges, radius } = model.rods;
  const x = model.positions;
  let length = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    length += distanceBetween(x, b, a);
  }
  let mass = 0;
  for (const m of model.masses) mass += m;
  return mass / (2 * radius * length);
}

const acceleration = new Float64Array(3);

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
    for (let e = 0; e < edges.length; e += 2) {
      const [p, q] = [edges[e], edges[e + 1]];
      edgeAirAcceleration(x, v, 3 * p, 3 * q, options, mass, interval, acceleration);
      for (let axis = 0; axis < 3; axis++) {
        out[3 * p + axis] += acceleration[axis] / counts[p];
        out[3 * q + axis] += acceleration[axis] / counts[q];
      }
    }
  }
}
