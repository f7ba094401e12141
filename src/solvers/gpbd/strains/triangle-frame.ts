/** Axes of a triangle as it is: u along its first side, v across it in the plane, n normal; and how they turn where its corners move. */
export interface TriangleFrame {
  /** u, v, n */
  readonly axes: Float64Array;
  /** v over the length of the first side [1/m] */
  readonly across: Float64Array;
  /** gradients of the hat functions of the corners in the plane [1/m] */
  readonly hats: Float64Array;
}

export function createFrame(): TriangleFrame {
  return { axes: new Float64Array(9), across: new Float64Array(3), hats: new Float64Array(9) };
}

/** @returns false for a triangle without area, whose frame is zero */
export function findFrame(x: Float64Array, { axes, across, hats }: TriangleFrame): boolean {
  let length = 0;
  for (let c = 0; c < 3; c++) {
    axes[c] = x[3 + c] - x[c];
    axes[3 + c] = x[6 + c] - x[c];
    length += axes[c] * axes[c];
  }
  length = Math.sqrt(length);
  crossInto(axes, 0, axes, 3, axes, 6);
  const doubleArea = Math.sqrt(axes[6] * axes[6] + axes[7] * axes[7] + axes[8] * axes[8]);
  if (!(doubleArea > 0 && length > 0)) {
    axes.fill(0);
    across.fill(0);
    hats.fill(0);
    return false;
  }
  for (let c = 0; c < 3; c++) {
    axes[c] /= length;
    axes[6 + c] /= doubleArea;
  }
  crossInto(axes, 6, axes, 0, axes, 3);
  for (let c = 0; c < 3; c++) across[c] = axes[3 + c] / length;
  // n × the side opposite to the corner
  for (let corner = 0; corner < 3; corner++) {
    const [i, j] = [3 * ((corner + 1) % 3), 3 * ((corner + 2) % 3)];
    for (let c = 0; c < 3; c++) side[c] = (x[j + c] - x[i + c]) / doubleArea;
    crossInto(axes, 6, side, 0, hats, 3 * corner);
  }
  return true;
}

const side = new Float64Array(3);
const lean = new Float64Array(3);

/** By displacements of the corners, the turn of the axes [rad]. */
export function turnOf({ axes, across, hats }: TriangleFrame, u: Float64Array, out: Float64Array): void {
  lean.fill(0);
  let spin = 0;
  for (let corner = 0; corner < 3; corner++) {
    const at = 3 * corner;
    const rise = axes[6] * u[at] + axes[7] * u[at + 1] + axes[8] * u[at + 2];
    for (let c = 0; c < 3; c++) lean[c] -= hats[at + c] * rise;
  }
  for (let c = 0; c < 3; c++) spin += across[c] * (u[3 + c] - u[c]);
  crossInto(axes, 6, lean, 0, out, 0);
  for (let c = 0; c < 3; c++) out[c] += spin * axes[6 + c];
}

/** Impulses of the corners that a torque is taken up by: of no sum, and with the opposite torque. */
export function reactionTo(torque: Float64Array, { axes, across, hats }: TriangleFrame, out: Float64Array): void {
  crossInto(torque, 0, axes, 6, lean, 0);
  const spin = torque[0] * axes[6] + torque[1] * axes[7] + torque[2] * axes[8];
  for (let corner = 0; corner < 3; corner++) {
    const at = 3 * corner;
    const rise = lean[0] * hats[at] + lean[1] * hats[at + 1] + lean[2] * hats[at + 2];
    const sideways = corner === 0 ? spin : corner === 1 ? -spin : 0;
    for (let c = 0; c < 3; c++) out[at + c] = rise * axes[6 + c] + sideways * across[c];
  }
}

/** a × b, three numbers each from their offsets. */
export function crossInto(a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array, at: number): void {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
}
