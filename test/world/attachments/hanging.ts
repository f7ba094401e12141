/** Ropes, strips of cloth and bars that hang from the origin, and boxes on them. */
import {
  addAttachment,
  type Attachment,
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  type RigidBody,
  ropeModel,
  solidModel,
  type SolverName,
  type Vec3,
  type World,
} from "../../../src/index";
import { conjugate, product, turn } from "../../../src/math/quaternions";

export type Kind = "rope" | "cloth" | "solid";

export const GRAVITY = 9.81;
export const LENGTH = 1;
/** Half an edge of the box [m]. */
export const HALF = 0.05;

/** of material [Pa], and area across the body [m²] */
const YOUNG = { rope: 1e8, solid: 1e7 } as const;
const AREA = { rope: Math.PI * 0.005 ** 2, solid: 0.01 } as const;

/** Stretch of a rope or a bar by its own mass and that of what hangs on it [m]. */
export const stretchOf = (kind: "rope" | "solid", own: number, hung: number): number =>
  (GRAVITY * LENGTH * (own / 2 + hung)) / (YOUNG[kind] * AREA[kind]);

const ROWS = 10;
const WIDTH = 0.2;

export interface Hanging {
  readonly body: DeformableBody;
  readonly top: readonly number[];
  readonly low: readonly number[];
  /** mass of each row of vertices, from the top [kg] */
  readonly rows: readonly number[];
}

const modelOf = (solver: SolverName, kind: Kind) => {
  if (kind === "rope") {
    const positions = Float64Array.from({ length: 3 * (ROWS + 1) }, (_, i) =>
      i % 3 === 1 ? (-Math.floor(i / 3) * LENGTH) / ROWS : 0,
    );
    return ropeModel({
      solver: solver as "gpbd",
      positions,
      radius: 0.005,
      youngsModulus: YOUNG.rope,
      density: 1000,
    });
  }
  if (kind === "cloth") {
    const mesh = gridMesh({
      width: WIDTH,
      height: LENGTH,
      columns: 2,
      rows: ROWS,
      plane: "xy",
      center: [0, -LENGTH / 2, 0],
    });
    return clothModel({ solver, ...mesh, fabric: "denim" });
  }
  const size = [0.1, LENGTH, 0.1] as const;
  const mesh = boxTetrahedra({ size, cells: [1, ROWS, 1], center: [0, -LENGTH / 2, 0] });
  const material = { youngsModulus: YOUNG.solid, poissonRatio: 0.3, density: 500 };
  return solidModel({ solver, ...mesh, material, elements: "linear" });
};

/** A body that hangs from the origin. */
export function hang(world: World, solver: SolverName, kind: Kind, options: object = {}): Hanging {
  const model = modelOf(solver, kind);
  const body = world.addBody(model, { ...(solver !== "newton" && { airDensity: 0 }), ...options });
  const { positions, masses } = body.model;
  const row = (v: number): number => Math.round((-positions[3 * v + 1] * ROWS) / LENGTH);
  const all = [...masses.keys()];
  const rows = Array.from({ length: ROWS + 1 }, (_, r) =>
    all.filter((v) => row(v) === r).reduce((sum, v) => sum + masses[v], 0),
  );
  return { body, rows, top: all.filter((v) => row(v) === 0), low: all.filter((v) => row(v) === ROWS) };
}

export const massOf = ({ model }: DeformableBody): number => model.masses.reduce((sum, mass) => sum + mass, 0);

/** A box below the end of a body. */
export function hangBox(
  world: World,
  { body, low }: Hanging,
  mass: number,
  options: object = {},
): { box: RigidBody; attachment: Attachment } {
  const shape = { type: "box", halfExtents: [HALF, HALF, HALF] } as const;
  const box = world.addRigidBody({ shape, mass, position: [0, -LENGTH - HALF, 0] });
  return { box, attachment: addAttachment(world, { body, vertices: low, to: { rigid: box }, ...options }) };
}

/** Linear and angular momentum about the origin, with the sum of the amounts of momentum as a measure. */
export async function momentumOf(
  bodies: readonly DeformableBody[],
  boxes: readonly RigidBody[] = [],
  isOfBox: (body: DeformableBody, vertex: number) => boolean = () => false,
): Promise<{ linear: number[]; angular: number[]; size: number }> {
  const linear = [0, 0, 0];
  const angular = [0, 0, 0];
  let size = 0;
  const add = (x: ArrayLike<number>, p: ArrayLike<number>): void => {
    for (let k = 0; k < 3; k++) {
      linear[k] += p[k];
      angular[k] += x[(k + 1) % 3] * p[(k + 2) % 3] - x[(k + 2) % 3] * p[(k + 1) % 3];
    }
    size += Math.hypot(p[0], p[1], p[2]);
  };
  for (const body of bodies) {
    const { positions, velocities } = await body.readState();
    body.model.masses.forEach((mass, v) => {
      if (isOfBox(body, v)) return;
      const at = (list: ArrayLike<number>, scale: number): number[] => [0, 1, 2].map((c) => scale * list[3 * v + c]);
      add(at(positions, 1), at(velocities, mass));
    });
  }
  for (const box of boxes) {
    const { mass, inertia, inertiaRotation } = box.massProperties;
    add(
      box.centerOfMass,
      box.linearVelocity.map((v) => mass * v),
    );
    const axes = product(box.rotation, inertiaRotation);
    const spin = turn(conjugate(axes), box.angularVelocity).map((w, k) => inertia[k] * w) as unknown as Vec3;
    turn(axes, spin).forEach((l, k) => (angular[k] += l));
  }
  return { linear, angular, size };
}

/**
 * The slowest swing of a string of point masses with a box at its end, by inverse iteration on the small motions:
 * heights of the masses stay, and each moves sideways by y; the box turns by φ about the end.
 *
 * @returns the period [s], and the shape: y of each row from the top, then φ, with the largest y 1
 */
export function slowestSwing(rows: readonly number[], box: number): { period: number; shape: readonly number[] } {
  const n = rows.length - 1;
  const l = LENGTH / n;
  const inertia = (box * (2 * HALF) ** 2) / 6;
  const size = n + 1;
  const k = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const m = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let i = 0; i < n; i++) {
    const below = rows.slice(i + 1).reduce((sum, mass) => sum + mass, box);
    const stiffness = (below * GRAVITY) / l;
    k[i][i] += stiffness;
    if (i > 0) {
      k[i - 1][i - 1] += stiffness;
      k[i][i - 1] -= stiffness;
      k[i - 1][i] -= stiffness;
    }
    m[i][i] += rows[i + 1];
  }
  m[n - 1][n - 1] += box;
  m[n - 1][n] += box * HALF;
  m[n][n - 1] += box * HALF;
  m[n][n] += inertia + box * HALF * HALF;
  k[n][n] += box * GRAVITY * HALF;
  let x = new Array<number>(size).fill(1);
  let value = 0;
  for (let step = 0; step < 60; step++) {
    const next = solve(
      k,
      m.map((row) => row.reduce((sum, entry, j) => sum + entry * x[j], 0)),
    );
    const length = Math.hypot(...next);
    value = Math.hypot(...x) / length;
    x = next.map((entry) => entry / length);
  }
  const most = Math.max(...x.slice(0, n));
  return { period: (2 * Math.PI) / Math.sqrt(value), shape: [0, ...x.map((entry) => entry / most)] };
}

function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const a = matrix.map((row, i) => [...row, right[i]]);
  const n = right.length;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const factor = a[j][i] / a[i][i];
      for (let c = i; c <= n; c++) a[j][c] -= factor * a[i][c];
    }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = a[i][n];
    for (let c = i + 1; c < n; c++) sum -= a[i][c] * x[c];
    x[i] = sum / a[i][i];
  }
  return x;
}
