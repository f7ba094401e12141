import type { ArticulatedModel } from "../model";
import { changeMap, changeMapDerivative, reparametrise } from "./reparametrise";

/**
 * The rotation vectors that a step replaced by shorter ones, and the effect on derivatives: q'_new = g(q'), q̇'_new =
 * E(q') q̇'.
 */
export class RotationChanges {
  count = 0;
  /** first degree of freedom of each changed vector */
  private readonly dofs = new Int32Array(Math.ceil(this.model.nv / 3));
  /** φ and φ̇ before, 6 each */
  private readonly before = new Float64Array(6 * this.dofs.length);
  private readonly map = new Float64Array(9);
  private readonly rate = new Float64Array(9);

  constructor(private readonly model: ArticulatedModel) {}

  /** Changes the long rotation vectors of a state, in place. */
  make(q: Float64Array, qd: Float64Array): void {
    this.count = reparametrise(this.model, q, qd, this.dofs, this.before);
  }

  /** Maps derivatives of (q', q̇'), nv × width each, to those of the state after the change. */
  push(position: Float64Array, velocity: Float64Array, width: number): void {
    const { map: E, rate: F } = this;
    for (let i = 0; i < this.count; i++) {
      this.load(i);
      for (let j = 0; j < width; j++) {
        const at = this.dofs[i] * width + j;
        const [x, y, z] = [position[at], position[at + width], position[at + 2 * width]];
        const [u, v, w] = [velocity[at], velocity[at + width], velocity[at + 2 * width]];
        for (let r = 0; r < 3; r++) {
          position[at + r * width] = E[3 * r] * x + E[3 * r + 1] * y + E[3 * r + 2] * z;
          velocity[at + r * width] =
            E[3 * r] * u + E[3 * r + 1] * v + E[3 * r + 2] * w + F[3 * r] * x + F[3 * r + 1] * y + F[3 * r + 2] * z;
        }
      }
    }
  }

  /** Maps a gradient by the state after the change back: λ_q ← Eᵀ λ_q + (∂(E φ̇)/∂φ)ᵀ λ_v, λ_v ← Eᵀ λ_v. */
  pull(q: Float64Array, v: Float64Array): void {
    const { map: E, rate: F } = this;
    for (let i = 0; i < this.count; i++) {
      this.load(i);
      const at = this.dofs[i];
      const [x, y, z] = [q[at], q[at + 1], q[at + 2]];
      const [u, w, t] = [v[at], v[at + 1], v[at + 2]];
      for (let c = 0; c < 3; c++) {
        q[at + c] = E[c] * x + E[3 + c] * y + E[6 + c] * z + F[c] * u + F[3 + c] * w + F[6 + c] * t;
        v[at + c] = E[c] * u + E[3 + c] * w + E[6 + c] * t;
      }
    }
  }

  private load(i: number): void {
    changeMap(this.before, 6 * i, this.map);
    changeMapDerivative(this.before, 6 * i, this.before, 6 * i + 3, this.rate);
  }
}
