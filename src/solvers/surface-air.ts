import { buildIncidence, type Incidence } from "../geometry/surface/incidence";
import type { AirAround } from "./air";
import type { DeformableModel } from "./deformable";
import { airAccelerations, arealMass } from "./face-air";

/** The air around one body. */
export class SurfaceAir {
  private readonly incidence: Incidence = buildIncidence(this.model.faces, this.model.particleCount);
  private readonly arealMass: number = arealMass(this.model);
  private readonly faceAir = new Float64Array(this.model.faces.length);
  /** acceleration of every particle, particleCount × 3 [m/s²] */
  readonly acceleration = new Float64Array(3 * this.model.particleCount);

  constructor(private readonly model: DeformableModel) {}

  /**
   * Updates `acceleration`.
   *
   * @param x, v particleCount × 3 [m, m/s]
   * @param interval time for which the acceleration will be used [s]
   */
  evaluate(x: Float64Array, v: Float64Array, options: Readonly<AirAround>, interval: number): void {
    const { model, incidence, faceAir, acceleration } = this;
    airAccelerations(x, v, model.faces, incidence, options, this.arealMass, interval, faceAir, acceleration);
  }
}
