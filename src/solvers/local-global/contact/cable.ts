/**
 * Cables: bilateral constraints with compliance, or unilateral ones that only pull, on the length of a path through vertices
 * (section 5 of paper 2; its gripper is driven by such). Rows of the contact problem like any other: linearised once per step,
 *
 *     δ = L − ℓ(q),   δ + e λ = 0, or 0 ≤ δ + e λ ⊥ λ ≥ 0 for one that only pulls
 *
 * ℓ  length of the path [m], L its unstretched length [m], e compliance [m/N], λ tension [N];  z = h² λ [kg m]
 * A cable slides without friction through the points on its way, so its tension is the same all along. If a point belongs to a rigid
 * body, ℓ is linearized at the planned place of the point at the end of the step, and M⁻¹ of the body joins W as in contacts.
 *
 * An attachment of a vertex is three such rows, one along each axis of the world: δ is the way from its second point to its first.
 */
import { type RigidProxy, YIELD } from "../../../collision/obstacles/rigid-proxy";
import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import { distance, dot, lengthOf } from "../../../math/vectors";
import type { GroupBody } from "../body/group-body";
import type { ContactTable } from "../../../collision/soft/contact-table";
import { cos, sin } from "../../../math/deterministic";

/** A point of a rigid body on the way of a cable. */
export interface RigidCablePoint {
  /** the proxy of the body; undefined while deformable bodies do not meet it */
  readonly proxy: RigidProxy | undefined;
  /** from its centre of mass at the end of the frame, as planned, in world axes [m] */
  readonly arm: Vec3;
  /** [rad/s] */
  readonly spin: Vec3;
}

/** A vertex on the way of a cable, a point of a rigid body, or a place that is fixed in the world [m]. */
export type CablePoint =
  | Vec3
  | { readonly body: { readonly model: unknown }; readonly vertex: number }
  | RigidCablePoint;

/** A cable as a solver sees it. */
export interface CableState {
  readonly points: readonly CablePoint[];
  /** L [m]; if undefined, the first step sets it to ℓ */
  length: number | undefined;
  /** e [m/N] */
  readonly compliance: number;
  /** whether it also pushes: a bilateral constraint */
  readonly pushes: boolean;
  /** λ in the last step [N] */
  tension: number;
  /** for a row of an attachment, which pushes: its axis, 0 to 2 */
  readonly axis?: number;
  /** way that may be left between the points of an attachment, of which the row takes one number [m] */
  readonly away?: Float64Array;
}

/** Whether a contact is one of an attached vertex with the object that it is attached to: there the two do not touch. */
export function touchesTied(
  cables: readonly CableState[],
  contacts: ContactTable,
  n: number,
  bodies: readonly { readonly model: unknown }[],
  proxies: readonly RigidProxy[],
): boolean {
  const has = (point: CablePoint): boolean => {
    if ("arm" in point) return contacts.rigid[n] >= 0 && proxies[contacts.rigid[n]] === point.proxy;
    if (!("body" in point)) return false;
    return contacts
      .verticesOf(n)
      .some(
        (i) =>
          contacts.weight[i] !== 0 &&
          contacts.vertex[i] === point.vertex &&
          bodies[contacts.body[i]].model === point.body.model,
      );
  };
  return cables.some(({ axis, points }) => axis === 0 && points.every(has));
}

/** ℓ [m] of a way through places [m]. */
function pathLength(points: readonly Vec3[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += distance(points[i - 1], points[i]);
  return sum;
}

/** The cables of which all bodies are stepped or met. */
export function stretchedCables(
  cables: readonly CableState[],
  bodies: readonly { readonly model: unknown }[],
): readonly CableState[] {
  const models = new Set<unknown>(bodies.map(({ model }) => model));
  const isThere = (point: CablePoint): boolean => {
    if ("body" in point) return models.has(point.body.model);
    return !("arm" in point) || point.proxy !== undefined;
  };
  return cables.filter(({ points }) => points.every(isThere));
}

/** Whether some cable has rigid bodies on its way, or is of an attachment: the CPU solves these. */
export function needCpu(cables: readonly CableState[]): boolean {
  return cables.some(({ points, axis }) => axis !== undefined || points.some((point) => "arm" in point));
}

/** The planned place of a point of a rigid body [m]. @param left time until the end of the frame [s] */
function rigidPlace({ proxy, arm, spin }: RigidCablePoint, left: number): Vec3 {
  return placeAbout(proxy!.centreNow, proxy!, arm, spin, left);
}

/** The same at the start of the frame, which takes `time` [s]. */
function rigidStart({ proxy, arm, spin }: RigidCablePoint, time: number): Vec3 {
  return placeAbout(proxy!.centre, proxy!, arm, spin, time);
}

function placeAbout(centre: ArrayLike<number>, { yielded }: RigidProxy, arm: Vec3, spin: Vec3, left: number): Vec3 {
  // by small rotations: back from the end of the frame, and on by what it has yielded
  const rotation = [0, 1, 2].map((c) => yielded[YIELD.turn + c] - left * spin[c]) as unknown as Vec3;
  const turned = turnBy(rotation, arm);
  return [centre[0] + turned[0], centre[1] + turned[1], centre[2] + turned[2]];
}

/** A vector turned by a rotation vector. */
function turnBy([x, y, z]: Vec3, v: Vec3): Vec3 {
  const angle = lengthOf(x, y, z);
  const s = angle > 0 ? sin(angle / 2) / angle : 0.5;
  return turn([s * x, s * y, s * z, cos(angle / 2)], v);
}

/** Rows of all cables in a step. */
export class CableRows {
  count = 0;
  cables: readonly CableState[] = [];
  /** entries of row k are start[k] to start[k + 1] */
  start: number[] = [0];
  body: number[] = [];
  vertex: number[] = [];
  /** −∂ℓ/∂x of each entry, three numbers */
  direction: number[] = [];
  /** δ = direction · q − offset [m] */
  offset: number[] = [];
  /** e / h² [1/kg] */
  compliance: number[] = [];
  /** entries of row k at rigid bodies are rigidStart[k] to rigidStart[k + 1] */
  rigidStart: number[] = [0];
  /** place of the body among the proxies */
  proxy: number[] = [];
  /** −∂ℓ/∂x of each, and place [m], three numbers */
  rigidDirection: number[] = [];
  rigidPoint: number[] = [];

  /**
   * Rows of the cables all whose bodies are stepped, at the positions where the step begins.
   *
   * @param left time from the end of the step to that of the frame [s]
   */
  build(
    cables: readonly CableState[],
    bodies: readonly GroupBody[],
    h: number,
    proxies: readonly RigidProxy[] = [],
    left = 0,
  ): void {
    this.start = [0];
    this.rigidStart = [0];
    this.proxy = [];
    this.rigidDirection = [];
    this.rigidPoint = [];
    this.body = [];
    this.vertex = [];
    this.direction = [];
    this.offset = [];
    this.compliance = [];
    const placeOf = new Map<unknown, number>(bodies.map((body, i) => [body.model, i]));
    this.cables = stretchedCables(cables, bodies);
    this.count = this.cables.length;
    for (const cable of this.cables) this.addRow(cable, bodies, placeOf, h, proxies, left);
  }

  private addRow(
    cable: CableState,
    bodies: readonly GroupBody[],
    placeOf: ReadonlyMap<unknown, number>,
    h: number,
    proxies: readonly RigidProxy[],
    left: number,
  ): void {
    const places = cable.points.map((point): Vec3 => {
      if ("arm" in point) return rigidPlace(point, left);
      if (!("body" in point)) return point;
      const { start } = bodies[placeOf.get(point.body.model)!];
      return [start[3 * point.vertex], start[3 * point.vertex + 1], start[3 * point.vertex + 2]];
    });
    let along = 0;
    const { axis } = cable;
    cable.points.forEach((point, i) => {
      const g = axis === undefined ? pull(places, i) : unit(axis, i === 0 ? 1 : -1);
      if ("arm" in point) {
        this.proxy.push(proxies.indexOf(point.proxy!));
        this.rigidDirection.push(...g);
        this.rigidPoint.push(...places[i]);
      }
      if (!("body" in point)) return;
      this.body.push(placeOf.get(point.body.model)!);
      this.vertex.push(point.vertex);
      this.direction.push(...g);
      along += dot(g, places[i]);
    });
    this.start.push(this.body.length);
    this.rigidStart.push(this.proxy.length);
    this.compliance.push(cable.compliance / (h * h));
    if (axis !== undefined) {
      const at = "body" in cable.points[1] ? 0 : places[1][axis];
      this.offset.push(at + cable.away![axis]);
      return;
    }
    const length = pathLength(places);
    // planned, a rigid body has fallen by g h² already
    cable.length ??= pathLength(
      cable.points.map((point, i) => ("arm" in point ? rigidStart(point, left + h) : places[i])),
    );
    this.offset.push(along - (cable.length - length));
  }
}

const unit = (axis: number, sign: number): Vec3 => [0, 1, 2].map((c) => (c === axis ? sign : 0)) as unknown as Vec3;

/** −∂ℓ/∂xᵢ: towards the neighbours on the way. */
function pull(places: readonly Vec3[], i: number): Vec3 {
  const g: [number, number, number] = [0, 0, 0];
  for (const next of [places[i - 1], places[i + 1]]) {
    const length = next ? distance(places[i], next) : 0;
    if (!next || length === 0) continue;
    for (let c = 0; c < 3; c++) g[c] += (next[c] - places[i][c]) / length;
  }
  return g;
}
