import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { type PhysicsConstraintParameters, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  HingeConstraint,
  LockConstraint,
  Physics6DoFConstraint,
  type PhysicsConstraint,
  PrismaticConstraint,
  SliderConstraint,
  SpringConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { PluginScene } from "../both-plugins";
import { block } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;
const v = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z);
const [X, Y, ZERO] = [v(1, 0, 0), v(0, 1, 0), v(0, 0, 0)];

/** Given axes, and the frame that they define. */
interface Given {
  readonly name: string;
  readonly axis?: Vector3;
  readonly perp?: Vector3;
  readonly x: Vector3;
  readonly y: Vector3;
}

/** A frame with x along an axis, and y as near as possible to a vector. */
const frame = (axis: Vector3, toward: Vector3): Pick<Given, "x" | "y"> => {
  const x = axis.normalizeToNew();
  return { x, y: toward.subtract(x.scale(toward.dot(x))).normalize() };
};

/** `vector`, across `from`, after the shortest turn of `from` to the direction `to`; both of length 1. */
const turned = (vector: Vector3, from: Vector3, to: Vector3): Vector3 =>
  vector.subtract(from.add(to).scale(vector.dot(to) / (1 + from.dot(to))));

const normalOf = (axis: Vector3): Vector3 => axis.getNormalToRef(new Vector3());

const oblique = v(1, 2, 3);
const direction = oblique.normalizeToNew();

const plain: Given = { name: "plain axes", axis: X, perp: Y, x: X, y: Y };

/** Axes with the same meaning in both plugins. */
const alike: readonly Given[] = [
  { name: "no axes", ...frame(X, normalOf(X)) },
  { name: "an axis alone", axis: oblique, ...frame(oblique, normalOf(oblique)) },
  { name: "a perpendicular axis alone", perp: v(0, 0, 2), ...frame(X, v(0, 0, 2)) },
  {
    name: "axes of other lengths than 1",
    axis: v(10, 20, 30),
    perp: v(3e-3, 0, -1e-3),
    ...frame(oblique, v(3, 0, -1)),
  },
];

/** Axes that Havok interprets differently: the parts that fail there, and the reason. Pliant's constraints hold all of them. */
interface Unlike extends Given {
  readonly missed: readonly (keyof typeof sizes)[];
  readonly havok: string;
}

const lost = "Havok puts the pivot on this side at the origin of its body";
const noSecond = "Havok's frame has an axis less, so that bodies turn about, and slide along, an axis that nobody gave";
const bent =
  "Havok makes a rotation of axes that are not perpendicular, so that none of them is the one that was given";

const unlike: readonly Unlike[] = [
  {
    name: "an axis of no length",
    axis: ZERO,
    x: X,
    y: Y,
    missed: ["pivots", "lines", "distances", "springs"],
    havok: lost,
  },
  { name: "two axes of no length", axis: ZERO, perp: ZERO, x: X, y: Y, missed: ["lines", "axes"], havok: noSecond },
  {
    name: "a perpendicular axis of no length",
    axis: Y,
    perp: ZERO,
    x: Y,
    y: turned(Y, X, Y),
    missed: ["lines", "axes"],
    havok: noSecond,
  },
  {
    name: "a perpendicular axis of no length to an oblique axis",
    axis: oblique,
    perp: ZERO,
    x: direction,
    y: turned(Y, X, direction),
    missed: ["lines", "axes"],
    havok: noSecond,
  },
  {
    name: "a perpendicular axis, and an axis of no length",
    axis: ZERO,
    perp: oblique,
    x: turned(X, Y, direction),
    y: direction,
    missed: ["pivots", "lines", "axes"],
    havok: noSecond,
  },
  {
    name: "a perpendicular axis along the axis",
    axis: oblique,
    perp: v(2, 4, 6),
    ...frame(oblique, normalOf(oblique)),
    missed: ["pivots", "lines", "axes", "turns"],
    havok: bent,
  },
  {
    name: "a perpendicular axis against the axis",
    axis: oblique,
    perp: v(-1, -2, -3),
    ...frame(oblique, normalOf(oblique)),
    missed: ["pivots", "lines", "axes", "turns"],
    havok: bent,
  },
  {
    name: "a perpendicular axis that is skew",
    axis: oblique,
    perp: v(1, 0, 0.5),
    ...frame(oblique, v(1, 0, 0.5)),
    missed: ["lines", "axes", "turns"],
    havok: bent,
  },
  {
    name: "a skew perpendicular axis alone",
    perp: v(1, 2, -1),
    ...frame(X, v(1, 2, -1)),
    missed: ["lines", "axes", "turns"],
    havok: bent,
  },
];

const pivotA = v(0.5, 0.3, -0.2);
const pivotB = v(-0.4, 0.1, 0.3);
const DISTANCE = 0.7;
const SLACK = 0.5;

/** Babylon's constraints, of each kind one. */
const kinds = {
  ball: (t: PluginScene) => new BallAndSocketConstraint(pivotA, pivotB, X, X, t.scene),
  hinge: (t: PluginScene) => new HingeConstraint(pivotA, pivotB, X, X, t.scene),
  sixDof: (t: PluginScene) =>
    // a hinge, put together
    new Physics6DoFConstraint(
      {},
      [0, 1, 2, 4, 5].map((axis) => ({ axis: axis, minLimit: 0, maxLimit: 0 })),
      t.scene,
    ),
  lock: (t: PluginScene) => new LockConstraint(pivotA, pivotB, X, X, t.scene),
  slider: (t: PluginScene) => new SliderConstraint(pivotA, pivotB, X, X, t.scene),
  prismatic: (t: PluginScene) => new PrismaticConstraint(pivotA, pivotB, X, X, t.scene),
  distance: (t: PluginScene) => new DistanceConstraint(DISTANCE, t.scene),
  spring: (t: PluginScene) => new SpringConstraint(pivotA, pivotB, X, X, SLACK, SLACK, 200, 25, t.scene),
} satisfies Record<string, (t: PluginScene) => PhysicsConstraint>;
type Kind = keyof typeof kinds;

/** Errors of a constraint in the frame of the first body: all are zero if it holds. */
interface Missed {
  readonly kind: Kind;
  /** from pivot to pivot along x, y, z [m] */
  readonly way: readonly number[];
  /** errors of the x and y axes of the second frame */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Initial rotation of bodies, in addition to that of their constraint. */
const astray = Quaternion.RotationAxis(v(0.6, 0, 0.8), 0.3);

const rotationOf = ({ x, y }: Given): Quaternion => Quaternion.RotationQuaternionFromAxis(x, y, x.cross(y));

/**
 * Displaced bodies, one with a constraint of each kind and with the axes on either side, after their constraints have pulled them into
 * place.
 */
function settle(t: PluginScene, given: Given): Missed[] {
  const made = (Object.keys(kinds) as Kind[]).flatMap((kind, row) =>
    [
      [given, plain],
      [plain, given],
    ].map(([a, b], side) => {
      const at = v(3 * side, 0, 3 * row);
      const base = block(t, STATIC, at);
      const turn = rotationOf(a)
        .multiply(astray)
        .multiply(Quaternion.Inverse(rotationOf(b)));
      const place = at
        .add(pivotA)
        .subtract(pivotB.applyRotationQuaternion(turn))
        .add(v(0.1, 0.05, -0.2));
      const bob = block(t, DYNAMIC, place, turn);
      bob.setGravityFactor(0);
      bob.setLinearDamping(3);
      bob.setAngularDamping(3);
      const constraint = kinds[kind](t);
      const axes = {
        axisA: a.axis,
        perpAxisA: a.perp,
        axisB: b.axis,
        perpAxisB: b.perp,
      } as PhysicsConstraintParameters;
      Object.assign(constraint.options, axes, { pivotA: pivotA.clone(), pivotB: pivotB.clone() });
      base.addConstraint(bob, constraint);
      return { kind, at, bob, a, b };
    }),
  );
  t.run(90);
  return made.map(({ kind, at, bob, a, b }) => {
    const { position, rotationQuaternion } = bob.transformNode;
    const inA = (vector: Vector3): number[] => [a.x, a.y, a.x.cross(a.y)].map((axis) => axis.dot(vector));
    const inWorld = (vector: Vector3): Vector3 => vector.applyRotationQuaternion(rotationQuaternion!);
    return {
      kind,
      way: inA(inWorld(pivotB).add(position).subtract(at).subtract(pivotA)),
      x: inA(inWorld(b.x).subtract(a.x)),
      y: inA(inWorld(b.y).subtract(a.y)),
    };
  });
}

/** Length of each reading. */
const sizes = { pivots: 24, lines: 8, axes: 18, turns: 24, distances: 2, springs: 2 };

function sceneOf(given: Given, missed: Unlike["missed"], havok: string): TwinScene {
  const why = `pivots stay together, and the axis is the one that was given, whatever the other is; ${havok}`;
  return {
    name: `constraints of every kind hold with ${given.name}, wherever their pivots are`,
    play: (t) => {
      const settled = settle(t, given);
      const of = (...wanted: Kind[]): Missed[] => settled.filter(({ kind }) => wanted.includes(kind));
      return {
        pivots: of("ball", "hinge", "sixDof", "lock").flatMap(({ way }) => way),
        lines: of("slider", "prismatic").flatMap(({ way }) => way.slice(1)),
        axes: of("hinge", "sixDof", "slider").flatMap(({ x }) => x),
        turns: of("lock", "prismatic").flatMap(({ x, y }) => [...x, ...y]),
        distances: of("distance").map(({ way }) => Math.hypot(...way) - DISTANCE),
        springs: of("spring").map(({ way }) => Math.hypot(...way) - SLACK),
      };
    },
    // Havok's springs move for longer.
    tolerance: { pivots: 2e-5, lines: 2e-5, axes: 1e-4, turns: 4e-4, distances: 2e-5, springs: 0.03 },
    differs: Object.fromEntries(
      missed.map((name) => [name, { why, pliant: Array<number>(sizes[name]).fill(0), within: 4e-5 }]),
    ),
  };
}

/** Scenes of constraints whose axes are missing, of no length, skew or along each other. */
export const degenerateAxisScenes: readonly TwinScene[] = [
  ...alike.map((given) => sceneOf(given, [], "")),
  ...unlike.map((given) => sceneOf(given, given.missed, given.havok)),
];
