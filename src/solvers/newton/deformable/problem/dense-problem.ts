/** The contact problem of a small island, with an explicit matrix; steps use LU factors of the active rows. */

import { ContactProblem } from "./contact-problem";
import { DenseLu } from "./dense-lu";

export class DenseProblem extends ContactProblem {
  /** W, size × size */
  matrix = new Float64Array(0);
  private scale = new Float64Array(0);
  private right = new Float64Array(0);
  private list = new Int32Array(0);
  private readonly factor = new DenseLu();

  override resize(contactCount: number, rowCount: number): void {
    super.resize(contactCount, rowCount);
    if (this.matrix.length >= this.size * this.size) return;
    const room = Math.ceil(1.5 * this.size);
    [this.scale, this.right] = [new Float64Array(room), new Float64Array(room)];
    this.list = new Int32Array(room);
    this.matrix = new Float64Array(room * room);
  }

  diagonal(i: number): number {
    return this.matrix[i * this.size + i];
  }

  protected multiply(x: Float64Array, y: Float64Array): void {
    const { matrix, size } = this;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      const at = i * size;
      for (let j = 0; j < size; j++) sum += matrix[at + j] * x[j];
      y[i] = sum;
    }
  }

  protected direction(): void {
    const { active, residual, step, list, scale, right, size, factor, contactCount, compliance } = this;
    let count = 0;
    for (let i = 0; i < size; i++) {
      step[i] = active[i] === 1 ? 0 : this.forcedStep(i);
      if (active[i] === 0) continue;
      scale[count] = 1 / Math.sqrt(this.diagonal(i));
      list[count++] = i;
    }
    factor.reserve(count);
    for (let a = 0; a < count; a++) {
      const i = list[a];
      const isFriction = i < 3 * contactCount && i % 3 > 0;
      if (isFriction) {
        this.writeFriction(a, count);
        a++;
        continue;
      }
      const joint = i - 3 * contactCount;
      const shift = this.epsilon * this.diagonal(i) + (joint >= 0 ? compliance[joint] : 0);
      this.writeRow(a, count, i, 1, 0, shift);
      right[a] = scale[a] * (-residual[i] - this.known(i));
    }
    factor.solve(right, count);
    for (let a = 0; a < count; a++) step[list[a]] = scale[a] * right[a];
  }

  /** W Δp of row i for unknowns with a known change. */
  private known(i: number): number {
    const { active, matrix, step, size } = this;
    let sum = 0;
    for (let j = 0; j < size; j++) if (active[j] === 0) sum += matrix[i * size + j] * step[j];
    return sum;
  }

  /** Writes row a of the linear problem: g W_i + g' W_i', a shift on the diagonal; i' is the row after or before i. */
  private writeRow(a: number, count: number, i: number, g: number, other: number, shift: number, next = i): void {
    const { factor, list, scale, matrix, size } = this;
    const at = a * count;
    for (let b = 0; b < count; b++) {
      const j = list[b];
      let value = g * matrix[i * size + j];
      if (other !== 0) value += other * matrix[next * size + j];
      factor.matrix[at + b] = scale[a] * scale[b] * value;
    }
    factor.matrix[at + a] += scale[a] * scale[a] * shift;
  }

  /** Writes rows a and a + 1, of friction. */
  private writeFriction(a: number, count: number): void {
    const { speed, list, scale, right, factor, slide } = this;
    const i = list[a];
    const isSliding = this.isSliding(i - 1);
    const { r, d1, d2, g11, g12, g22 } = slide;
    const shift = this.epsilon * r;
    const [k1, k2] = [this.known(i), this.known(i + 1)];
    if (!isSliding) {
      this.writeRow(a, count, i, 1, 0, shift);
      this.writeRow(a + 1, count, i + 1, 1, 0, shift);
      right[a] = scale[a] * (-speed[i] - k1);
      right[a + 1] = scale[a + 1] * (-speed[i + 1] - k2);
      return;
    }
    this.writeRow(a, count, i, g11, g12, r * (1 - g11) + shift, i + 1);
    this.writeRow(a + 1, count, i + 1, g22, g12, r * (1 - g22) + shift, i);
    const at = a * count;
    const mu = this.friction[(i - 1) / 3];
    factor.matrix[at + a + 1] -= scale[a] * scale[a + 1] * r * g12;
    factor.matrix[at + count + a] -= scale[a] * scale[a + 1] * r * g12;
    // The normal row of a contact with friction is active, too, and comes just before.
    factor.matrix[at + a - 1] -= scale[a] * scale[a - 1] * r * mu * d1;
    factor.matrix[at + count + a - 1] -= scale[a + 1] * scale[a - 1] * r * mu * d2;
    right[a] = scale[a] * (slide.right1 - g11 * k1 - g12 * k2);
    right[a + 1] = scale[a + 1] * (slide.right2 - g12 * k1 - g22 * k2);
  }

  protected startSweeps(): void {
    this.multiply(this.p, this.speed);
    for (let i = 0; i < this.size; i++) this.speed[i] += this.bias[i];
  }

  protected speedOf(i: number): number {
    return this.speed[i];
  }

  protected put(i: number, value: number): void {
    const { p, speed, matrix, size } = this;
    const change = value - p[i];
    if (change === 0) return;
    p[i] = value;
    const at = i * size;
    for (let j = 0; j < size; j++) speed[j] += matrix[at + j] * change;
  }
}
