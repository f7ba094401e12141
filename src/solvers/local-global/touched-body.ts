/** A body's part of the Delassus operator: A⁻¹ between its vertices that constraints act on, and the rotation of the whole. */
import type { BodySystem } from "./body-system";
import type { PinSolver } from "./pin-solver";
import { addCross, type Turning } from "./turning";

/** Touched vertices of a body above which A⁻¹ between them is not stored. */
const MOST_STORED = 3000;

/** A body in the contact problem. */
export interface ContactBody {
  readonly system: BodySystem;
  readonly pinSolver: PinSolver;
  readonly turning: Turning;
  /** y = S r, in the order of elimination */
  readonly y: Float64Array;
  readonly state: { readonly positions: Float64Array };
}

export class TouchedBody {
  readonly vertices: number[] = [];
  readonly slotOf = new Map<number, number>();
  /** G, row-major; empty where it is not stored */
  entries = new Float64Array(0);
  /** diagonal of G */
  diagonal = new Float64Array(0);
  force = new Float64Array(0);
  /** A⁻¹ force at the touched vertices */
  moved = new Float64Array(0);
  /** what `Turning.arms` are at the touched vertices, three each */
  arms = new Float64Array(0);
  readonly moment = new Float64Array(3);
  /** T moment */
  readonly theta = new Float64Array(3);
  private y = new Float64Array(0);
  private zero = new Float64Array(0);
  private readonly target = new Float64Array(3);

  constructor(readonly body: ContactBody) {}

  slot(vertex: number): number {
    const known = this.slotOf.get(vertex);
    if (known !== undefined) return known;
    this.slotOf.set(vertex, this.vertices.length);
    return this.vertices.push(vertex) - 1;
  }

  /** The held vertices take their share off: Gᵥᵥ' − cᵥ · cᵥ' with the columns of `PinSolver.column`. */
  build(): void {
    const { vertices, body } = this;
    const { system, pinSolver } = body;
    const n = vertices.length;
    this.force = new Float64Array(3 * n);
    this.moved = new Float64Array(3 * n);
    this.diagonal = new Float64Array(n);
    this.arms = new Float64Array(3 * n);
    const held = vertices.map((vertex) => pinSolver.column(vertex));
    const entry = (i: number, j: number): number => {
      let value = system.inverseEntry(vertices[i]!, vertices[j]!);
      const [a, b] = [held[i]!, held[j]!];
      for (let k = 0; k < a.length; k++) value -= a[k]! * b[k]!;
      return value;
    };
    if (n > MOST_STORED) {
      this.y = new Float64Array(3 * system.inverse.size);
      this.zero = new Float64Array(3 * system.inverse.size);
      for (let i = 0; i < n; i++) this.diagonal[i] = entry(i, i);
      return;
    }
    this.entries = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) this.entries[i * n + j] = this.entries[j * n + i] = entry(i, j);
      this.diagonal[i] = this.entries[i * n + i]!;
    }
  }

  /** The rotation is known after the first local step only. */
  buildArms(): void {
    this.vertices.forEach((vertex, i) => {
      for (let c = 0; c < 3; c++) this.arms[3 * i + c] = this.body.turning.arms[3 * vertex + c]!;
    });
  }

  /** Nᵀ force, and the rotation */
  private sumMoment(): void {
    const { arms, force, moment } = this;
    moment.fill(0);
    for (let i = 0; i < force.length; i += 3) addCross(1, arms, i, force, i, moment);
    this.body.turning.angles(moment, this.theta);
  }

  get isStored(): boolean {
    return this.entries.length > 0 || this.vertices.length === 0;
  }

  /** `moved` by A⁻¹ alone, and `theta`. */
  spread(): void {
    this.multiplyStored();
    this.sumMoment();
  }

  /** Adds s f at a touched vertex to them. */
  push(slot: number, s: number, f: Float64Array): void {
    const { entries, moved, arms, moment, theta, body } = this;
    const n = this.vertices.length;
    const [x, y, z] = [s * f[0]!, s * f[1]!, s * f[2]!];
    for (let i = 0, k = n * slot; i < n; i++, k++) {
      const g = entries[k]!;
      moved[3 * i]! += g * x;
      moved[3 * i + 1]! += g * y;
      moved[3 * i + 2]! += g * z;
    }
    addCross(s, arms, 3 * slot, f, 0, moment);
    body.turning.angles(moment, theta);
  }

  multiply(): void {
    this.multiplyStored();
    this.sumMoment();
    const { arms, moved, theta } = this;
    for (let i = 0; i < moved.length; i += 3) addCross(1, theta, 0, arms, i, moved, i);
  }

  /** Positions of the touched vertices after the global step. */
  readPositions(): void {
    const { moved, body } = this;
    const q = body.state.positions;
    this.vertices.forEach((vertex, i) => {
      body.system.read(vertex, body.y, moved, 3 * i);
      for (let c = 0; c < 3; c++) moved[3 * i + c]! += q[3 * vertex + c]!;
    });
  }

  /** The forces act at q, and the rotation is told so. */
  addLag(): void {
    const { vertices, force, body } = this;
    body.turning.lag.fill(0);
    vertices.forEach((vertex, i) => body.turning.addLag(vertex, body.state.positions, force, 3 * i));
  }

  /** Adds the forces, and the rotation that follows from them, to y = S r. */
  addForces(): void {
    const { vertices, force, moment, body } = this;
    const { y } = body;
    vertices.forEach((vertex, i) => body.system.add(vertex, force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!, y));
    this.sumMoment();
    body.turning.turn(moment, y);
  }

  private multiplyStored(): void {
    const { entries, force, moved, vertices } = this;
    const n = vertices.length;
    if (entries.length === 0) {
      this.multiplyThroughInverse();
      return;
    }
    for (let i = 0; i < n; i++) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let j = 0, at = i * n; j < n; j++, at++) {
        const g = entries[at]!;
        sx += g * force[3 * j]!;
        sy += g * force[3 * j + 1]!;
        sz += g * force[3 * j + 2]!;
      }
      moved[3 * i] = sx;
      moved[3 * i + 1] = sy;
      moved[3 * i + 2] = sz;
    }
  }

  /** y = S f, then Sᵀ y where vertices are touched. */
  private multiplyThroughInverse(): void {
    const { system, pinSolver } = this.body;
    const { y, force, moved, vertices } = this;
    y.fill(0);
    vertices.forEach((vertex, i) => system.add(vertex, force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!, y));
    pinSolver.apply(y, this.zero);
    vertices.forEach((vertex, i) => {
      system.read(vertex, y, this.target, 0);
      moved.set(this.target, 3 * i);
    });
  }
}
