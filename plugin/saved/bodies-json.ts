import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
  type PhysicsConstraintParameters,
  type PhysicsMassProperties,
  PhysicsMotionType,
  PhysicsConstraintType,
  type PhysicsPrestepType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  Physics6DoFConstraint,
  type Physics6DoFLimit,
  PhysicsConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import type { AxisSettings } from "../../src/solvers/newton/joints/axis";
import type { AxisName } from "../../src/world/rigid/rigid-joint";
import type { ClothPlugin } from "../cloth-plugin";
import type { ConstraintFrames } from "../constraints/frames";
import { stateOf, statesOf } from "../rigid/bodies";
import type { RigidState } from "../rigid/rigid-state";
import { dataOf } from "../shape/shape-data";
import { plainOf, revived, type Json } from "./plain";
import type { ShapeList } from "./shapes-json";

/** A body of a file, or an instance of one. Lengths are in units of the scene. */
interface MotionJson {
  readonly motionType: PhysicsMotionType;
  /** as the user gave them; the rest follows from the shape */
  readonly mass: { mass?: number; centerOfMass?: number[]; inertia?: number[]; inertiaOrientation?: number[] };
  readonly linearVelocity?: number[];
  readonly angularVelocity?: number[];
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly gravityFactor: number;
  readonly eventMask: number;
  readonly canSleep: boolean;
}

export interface BodyJson {
  readonly node: number;
  readonly shape?: number;
  readonly isAsleep: boolean;
  readonly prestep: PhysicsPrestepType;
  readonly disableSync: boolean;
  /** one, or one for each thin instance */
  readonly motions: readonly MotionJson[];
}

export interface ConstraintJson {
  readonly type: PhysicsConstraintType;
  readonly options: Readonly<Record<string, unknown>>;
  readonly limits?: Physics6DoFLimit[];
  readonly axes: Readonly<Record<AxisName, AxisSettings>>;
  readonly enabled: boolean;
  readonly collision: boolean;
  readonly pairs: readonly {
    readonly body: number;
    readonly index?: number;
    readonly child: number;
    readonly childIndex?: number;
    readonly frames: Readonly<Record<keyof ConstraintFrames, number[]>>;
  }[];
}

export function describeBody(body: PhysicsBody, node: number, shapes: ShapeList): Json {
  const states = statesOf(body);
  return {
    node,
    shape: body.shape ? shapes.numberOf(dataOf(body.shape)) : undefined,
    isAsleep: states.every(({ engine }) => engine.solverBody?.isAsleep === true),
    prestep: body.getPrestepType(),
    disableSync: body.disableSync,
    motions: states.map(motionOf),
  };
}

function motionOf(state: RigidState): Json {
  const { motionType, linearVelocity, angularVelocity, linearDamping, angularDamping } = state;
  const { gravityFactor, eventMask, canSleep, userMass, velocityIsFromTarget } = state;
  const moves = motionType !== PhysicsMotionType.STATIC && !velocityIsFromTarget;
  return {
    motionType,
    mass: withArrays(userMass),
    ...(moves && withArrays({ linearVelocity, angularVelocity })),
    linearDamping,
    angularDamping,
    gravityFactor,
    eventMask,
    canSleep,
  };
}

export function makeBody(
  json: BodyJson,
  node: TransformNode,
  shapes: readonly PhysicsShape[],
  scene: Scene,
): PhysicsBody {
  const { shape, motions, isAsleep, prestep, disableSync } = json;
  const body = new PhysicsBody(node, motions[0].motionType, isAsleep, scene);
  if (shape !== undefined) body.shape = shapes[shape];
  body.setPrestepType(prestep);
  motions.forEach((motion, k) => {
    const index = body.numInstances > 0 ? k : undefined;
    body.setMotionType(motion.motionType, index);
    body.setMassProperties(massOf(motion.mass), index);
    body.setLinearDamping(motion.linearDamping, index);
    body.setAngularDamping(motion.angularDamping, index);
    body.setGravityFactor(motion.gravityFactor, index);
    body.setEventMask(motion.eventMask, index);
    if (motion.linearVelocity) body.setLinearVelocity(Vector3.FromArray(motion.linearVelocity), index);
    if (motion.angularVelocity) body.setAngularVelocity(Vector3.FromArray(motion.angularVelocity), index);
    stateOf(body, index).canSleep = motion.canSleep;
  });
  body.disableSync = disableSync;
  return body;
}

function massOf({ mass, centerOfMass, inertia, inertiaOrientation }: MotionJson["mass"]): PhysicsMassProperties {
  return {
    ...(mass !== undefined && { mass }),
    ...(centerOfMass && { centerOfMass: Vector3.FromArray(centerOfMass) }),
    ...(inertia && { inertia: Vector3.FromArray(inertia) }),
    ...(inertiaOrientation && { inertiaOrientation: Quaternion.FromArray(inertiaOrientation) }),
  };
}

/** All constraints between bodies of the file. */
export function describeConstraints(plugin: ClothPlugin, numberOf: (body: PhysicsBody) => number | undefined): Json[] {
  return [...plugin._constraints].flatMap(([constraint, { axes, enabled, collision, pairs }]) => {
    const written = pairs.flatMap(({ body, index, child, childIndex, frames }) => {
      const ends = [numberOf(body), numberOf(child)];
      return ends.includes(undefined)
        ? []
        : [{ body: ends[0], index, child: ends[1], childIndex, frames: withArrays(frames) }];
    });
    if (written.length === 0) return [];
    const { type, options } = constraint;
    const { limits } = constraint as Physics6DoFConstraint;
    const plain = plainOf({ type, limits, axes, enabled, collision, pairs: written }) as Json;
    return [{ ...plain, options: withArrays((options ?? {}) as Json) }];
  });
}

export function makeConstraint(
  json: ConstraintJson,
  bodies: readonly PhysicsBody[],
  plugin: ClothPlugin,
  scene: Scene,
): void {
  const { type, limits, axes, enabled, collision, pairs } = revived(json);
  const options = { ...json.options, ...vectorsOf(json.options as Readonly<Record<string, number[]>>) };
  const constraint =
    type === PhysicsConstraintType.SIX_DOF
      ? new Physics6DoFConstraint(options as PhysicsConstraintParameters, limits ?? [], scene)
      : new PhysicsConstraint(type, options as PhysicsConstraintParameters, scene);
  for (const { body, index, child, childIndex } of pairs)
    bodies[body].addConstraint(bodies[child], constraint, index, childIndex);
  const data = plugin._constraints.get(constraint)!;
  for (const name of Object.keys(axes) as AxisName[]) Object.assign(data.axes[name], axes[name]);
  Object.assign(data, { enabled, collision });
  pairs.forEach(({ frames }, k) => Object.assign(data.pairs[k].frames, vectorsOf(frames)));
}

/** Vectors and rotations as lists of numbers; objects of other classes are left out. */
function withArrays(values: object): Json {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value instanceof Vector3 || value instanceof Quaternion ? [...value.asArray()] : plainOf(value),
    ]),
  );
}

function vectorsOf(values: Readonly<Record<string, unknown>>): Record<string, Vector3> {
  const isTriple = (value: unknown): value is number[] => Array.isArray(value) && value.length === 3;
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (isTriple(value) ? [[key, Vector3.FromArray(value)]] : [])),
  );
}
