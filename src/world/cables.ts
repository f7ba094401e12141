import { checkList } from "../checks";
import { invalid, outOfRange, PliantError } from "../errors";
import { checkNames, optionNames } from "../option-names";
import type { CableState } from "../solvers/local-global/contact/cable";
import type { Vec3 } from "../math/types";
import type { DeformableBody } from "./body";
import { localGlobalGroup } from "./lanes/local-global-cpu";
import { finiteVector, notNegative, positive } from "./rigid/checks";
import { rigidPoint } from "./rigid/contact/rigid-point";
import type { RigidBody } from "./rigid/rigid-body";

import type { World } from "./world";

/**
 * A place on the way of a cable: a vertex of a local-global body, a point of a rigid body in that body's axes [m], or a
 * place that is fixed in the world [m].
 */
export type CablePlace =
  | Vec3
  | { readonly body: DeformableBody; readonly vertex: number }
  | { readonly rigid: RigidBody; readonly point: Vec3 };

export interface CableOptions {
  /** places that the cable runs through, in order: at least two, at least one of them on a deformable body */
  readonly points: readonly CablePlace[];
  /** longest way of the cable [m]; default: the length of its way when the first step begins */
  readonly length?: number;
  /** elongation of the cable under a force of 1 N [m/N]; default 0 */
  readonly compliance?: number;
  /** whether the cable also keeps its points from coming nearer, as a rod in a sheath does; default false */
  readonly pushes?: boolean;
}

const cableOptionNames = optionNames<CableOptions>()("points length compliance pushes?");

/**
 * A cable through vertices of bodies of the solver `local-global` and points of rigid bodies, solved together with
 * their contacts (paper 2, section 5). The cable slides without friction through the bodies on its way, and pulls at
 * all of them. Change `length` to pull. With a rigid body on its way, the CPU solves the world's local-global bodies.
 */
export class Cable {
  /** @internal */
  constructor(
    private readonly state: CableState,
    private onDispose: (() => void) | undefined,
  ) {}

  /**
   * longest way of the cable [m]; if no length was given, undefined before the first step, and on a GPU until the
   * length was read back
   */
  get length(): number | undefined {
    return this.state.length;
  }

  /** @throws PliantError unless positive and finite */
  set length(value: number) {
    this.state.length = positive("cable.length", value);
  }

  /** tension of the last step, on a GPU of the last step that was read back [N]; negative while the cable pushes */
  get tension(): number {
    return this.state.tension;
  }

  /** May be called again. */
  dispose(): void {
    this.onDispose?.();
    this.onDispose = undefined;
  }
}

/** The places that each cable was made with: the solver's points do not name rigid bodies before the first contact. */
const ways = new WeakMap<CableState, readonly CablePlace[]>();

/**
 * Adds a cable to a world.
 *
 * @throws PliantError `invalid-argument` for fewer than two points, for no point on a deformable body, a body of
 * another solver, two points at one place, a length that is not positive, a compliance below zero, or a second cable on
 * the same way that pushes without compliance (their forces would not be determined, or their lengths would contradict
 * each other); `index-out-of-range` for a vertex that the body does not have
 */
export function addCable(world: World, options: CableOptions): Cable {
  checkNames("cable", options, cableOptionNames);
  const { points, length, compliance = 0, pushes = false } = options;
  checkList(points, "cable.points");
  if (points.length < 2) throw invalid("cable.points", points.length, "must be two or more");
  points.forEach((point, i) => checkPoint(world, point, points[i - 1], `cable.points[${i}]`));
  if (!points.some((point) => "body" in point))
    throw invalid("cable.points", "places only", "one of them must be on a body");
  const state: CableState = {
    points: points.map((point) => ("rigid" in point ? rigidPoint(world, point) : point)),
    length: length === undefined ? undefined : positive("cable.length", length),
    compliance: notNegative("cable.compliance", compliance),
    pushes,
    tension: 0,
  };
  const group = localGlobalGroup(world);
  const rods = group.cables.filter((other) => other.pushes && other.compliance === 0);
  if (pushes && compliance === 0 && rods.some((other) => isSameWay(points, ways.get(other) ?? [])))
    throw invalid(
      "cable.points",
      "the way of another cable that pushes",
      "must not be given two lengths: one of the two needs a compliance",
    );
  ways.set(state, points);
  group.addCable(state);
  const held = points.flatMap((point) => ("rigid" in point ? point.rigid : []));
  for (const rigid of held) world.rigidObstacles.keep(rigid, state);
  return new Cable(state, () => {
    group.removeCable(state);
    for (const rigid of held) world.rigidObstacles.release(rigid, state);
  });
}

function checkPoint(world: World, point: CablePlace, before: CablePlace | undefined, object: string): void {
  if (typeof point !== "object" || point === null)
    throw invalid(object, point, "must be a vertex of a body, a point of one, or a place");
  if ("body" in point) {
    const { body, vertex } = point;
    if (!world.bodies.includes(body))
      throw new PliantError("disposed", `${object}.body`, body?.name, "must be a deformable body in the world");
    if (body.model.solver !== "local-global")
      throw invalid(`${object}.body`, body.name, "must be of the solver local-global");
    if (!Number.isInteger(vertex) || vertex < 0 || vertex >= body.particleCount)
      throw outOfRange(`${object}.vertex`, vertex, `must be below ${body.particleCount}`);
  } else if ("rigid" in point) {
    if (!world.rigid.bodies.includes(point.rigid))
      throw new PliantError("disposed", `${object}.rigid`, point.rigid?.name, "must be a rigid body in the world");
    finiteVector(`${object}.point`, point.point);
  } else finiteVector(object, point);
  if (before && isSame(point, before))
    throw invalid(object, "the point before", "must be another place than that before");
}

function isSameWay(a: readonly CablePlace[], b: readonly CablePlace[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((place, i) => isSame(place, b[i])) || a.every((place, i) => isSame(place, b.at(-1 - i)!));
}

function isSame(a: CablePlace, b: CablePlace): boolean {
  if ("rigid" in a) return "rigid" in b && a.rigid === b.rigid && a.point.every((value, c) => value === b.point[c]);
  if ("rigid" in b) return false;
  if ("body" in a) return "body" in b && a.body === b.body && a.vertex === b.vertex;
  return !("body" in b) && a.every((value, c) => value === b[c]);
}
