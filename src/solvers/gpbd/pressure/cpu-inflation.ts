import { triangleNormal } from "../../../geometry/triangles/triangle";
import type { DeformableModel } from "../../deformable";
import { pressureAt, type PressureLaw } from "./inflation";
import { KeptTurn } from "./kept-turn";

/** U''(V) [Pa/m³] */
function stiffnessAt({ amount, slope, floor }: PressureLaw, volume: number): number {
  return amount / Math.max(volume, floor) ** 2 + slope;
}

/** The f64 reference. */
export class CpuInflation {
  /** λ of the substep [Pa] */
  pressure = 0;
  /** V when it was last looked at [m³] */
  volume = 0;
  readonly turn = new KeptTurn();
  private gramian = 0;
  private readonly gradient = new Float64Array(3 * this.model.particleCount);

  constructor(
    private readonly model: DeformableModel,
    private readonly side: number,
  ) {}

  /** After the prediction. */
  begin(law: PressureLaw, start: Float64Array, positions: Float64Array, w: Float64Array): void {
    this.turn.beginSubstep(start, w);
    this.turn.begin(start, positions, w);
    this.project(law, positions, w, true);
    this.turn.end(start, positions, w);
  }

  /** After a sweep over the other terms, before which `turn` began. */
  end(law: PressureLaw, start: Float64Array, positions: Float64Array, w: Float64Array): void {
    this.project(law, positions, w, false);
    this.turn.end(start, positions, w);
  }

  /**
   * (19) for k = 1.
   *
   * @param positions n × 3 [m]: changed
   * @param w Δt²/m of each particle, 0 when pinned [s²/kg]
   * @param isFirst after the prediction, where λ = 0; else after a sweep over the other terms
   */
  project(law: PressureLaw, positions: Float64Array, w: Float64Array, isFirst: boolean): void {
    this.evaluate(positions, w);
    if (isFirst) this.pressure = 0;
    const { volume, gramian } = this;
    const change = (pressureAt(law, volume) - this.pressure) / (1 + gramian * stiffnessAt(law, volume));
    this.pressure += change;
    this.push(change, positions, w);
  }

  /** V, g and G. Of a closed surface g is a sixth of the sum of the area vectors (b − a) × (c − a) around a particle. */
  private evaluate(x: Float64Array, w: Float64Array): void {
    const { gradient, side } = this;
    const { faces } = this.model;
    gradient.fill(0);
    let volume = 0;
    const o = 3 * faces[0];
    for (let f = 0; f < faces.length; f += 3) {
      const a = 3 * faces[f];
      triangleNormal(x, a, 3 * faces[f + 1], 3 * faces[f + 2], n);
      for (let c = 0; c < 3; c++) n[c] = (side * n[c]) / 6;
      volume += (x[a] - x[o]) * n[0] + (x[a + 1] - x[o + 1]) * n[1] + (x[a + 2] - x[o + 2]) * n[2];
      for (let corner = f; corner < f + 3; corner++)
        for (let c = 0; c < 3; c++) gradient[3 * faces[corner] + c] += n[c];
    }
    let gramian = 0;
    for (let i = 0; i < gradient.length; i++) gramian += w[(i / 3) | 0] * gradient[i] * gradient[i];
    this.volume = volume;
    this.gramian = gramian;
  }

  /** Δd = W gᵀ Δλ (18) */
  private push(lambda: number, positions: Float64Array, w: Float64Array): void {
    const { gradient } = this;
    for (let i = 0; i < gradient.length; i++) positions[i] += w[(i / 3) | 0] * gradient[i] * lambda;
  }
}

/** area vector of a face, see `triangleNormal` */
const n = new Float64Array(3);
