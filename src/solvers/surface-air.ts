import { buildIncidence, type Incidence } from "../geometry/surface/incidence";
import type { AirAround } from "./air";
import type { DeformableModel } from "./deformable";
import { airAccelerations, arealMass } from "./face-air";

/** The air around one body. */
export class SurfaceAir {
  private readonly incidence: Incidence;
  private readonly arealMass: number;
  private readonly faceAir: Float64Array;
  /** acceleration of every particle, particleCount × 3 [m/s²] */
  readonly acceleration: Float64Array;

  constructor(private readonly model: DeformableModel) {
    this.incidence = buildIncidence(model.faces, model.particleCount);
    this.arealMass = arealMass(model);
    this.faceAir = new Float64Array(model.faces.length);
    this.acceleration = new Float64Array(3 * model.particleCount);
  }

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
