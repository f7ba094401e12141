import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import {
  PhysicsConstraintAxis,
  type PhysicsConstraintAxisLimitMode,
  type PhysicsConstraintMotorType,
  PhysicsMotionType,
  type PhysicsShapeParameters,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  DistanceConstraint,
  LockConstraint,
  Physics6DoFConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { ProximityCastResult } from "@babylonjs/core/Physics/proximityCastResult";
import { ShapeCastResult } from "@babylonjs/core/Physics/shapeCastResult";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PliantErrorCode } from "../../plugin/index";
import { expectRefusal, makeBody } from "./fixtures";
import { things, type Things } from "./things";

const { STATIC, DYNAMIC } = PhysicsMotionType;
const zero = Vector3.Zero();
const one = Vector3.One();
const nan = new Vector3(0, NaN, 0);
const right = Vector3.Right();
const X = PhysicsConstraintAxis.LINEAR_X;

const shapeOf =
  (type: PhysicsShapeType, parameters: PhysicsShapeParameters) =>
  ({ scene }: Things): unknown =>
    new PhysicsShape({ type, parameters }, scene);

/** A mesh of points and triangles. */
const meshOf =
  (type: PhysicsShapeType, positions: number[], indices: number[]) =>
  ({ scene }: Things): unknown => {
    const mesh = new Mesh("points", scene);
    const data = new VertexData();
    data.positions = positions;
    data.indices = indices;
    data.applyToMesh(mesh);
    return new PhysicsShape({ type, parameters: { mesh } }, scene);
  };

const grid = (change: PhysicsShapeParameters): ((t: Things) => unknown) =>
  shapeOf(PhysicsShapeType.HEIGHTFIELD, {
    heightFieldSizeX: 1,
    heightFieldSizeZ: 1,
    numHeightFieldSamplesX: 3,
    numHeightFieldSamplesZ: 3,
    heightFieldData: new Float32Array(9),
    ...change,
  });

/** A joint between the ball and the hanging body. */
const join =
  (make: (t: Things) => LockConstraint) =>
  (t: Things): void =>
    t.ball.addConstraint(t.hung, make(t));

type Row = readonly [what: string, code: PliantErrorCode, named: string, call: (t: Things) => unknown];

const { SPHERE, BOX, CAPSULE, CYLINDER, CONVEX_HULL, MESH } = PhysicsShapeType;
const flat = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0.5, 0, 0.5];
const line = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];

const shapeRows: readonly Row[] = [
  ["a radius below zero", "invalid-argument", "radius", shapeOf(SPHERE, { radius: -1 })],
  ["a radius of zero", "invalid-argument", "radius", shapeOf(SPHERE, { radius: 0 })],
  ["a radius that is no number", "non-finite", "radius", shapeOf(SPHERE, { radius: NaN })],
  ["a centre that is no place", "non-finite", "center", shapeOf(SPHERE, { radius: 1, center: nan })],
  ["extents below zero", "invalid-argument", "halfExtents", shapeOf(BOX, { extents: new Vector3(1, -1, 1) })],
  ["extents that are no numbers", "non-finite", "halfExtents", shapeOf(BOX, { extents: nan })],
  ["extents of zero", "invalid-argument", "halfExtents", shapeOf(BOX, { extents: zero })],
  ["a turn of zero", "invalid-argument", "rotation", shapeOf(BOX, { rotation: new Quaternion(0, 0, 0, 0) })],
  ["a capsule without a radius", "invalid-argument", "radius", shapeOf(CAPSULE, { radius: 0 })],
  ["a cylinder of no length", "degenerate-geometry", "CYLINDER", shapeOf(CYLINDER, { pointA: one, pointB: one })],
  ["an end that is no place", "non-finite", "pointA", shapeOf(CYLINDER, { pointA: nan, pointB: one })],
  ["a hull of two points", "degenerate-geometry", "points", meshOf(CONVEX_HULL, flat.slice(0, 6), [0, 1, 1])],
  ["a hull of one line", "degenerate-geometry", "HULL", meshOf(CONVEX_HULL, line, [0, 1, 2, 1, 3, 2])],
  ["a hull with no place in it", "non-finite", "hull", meshOf(CONVEX_HULL, [...flat, NaN, 1, 0], [0, 1, 2])],
  ["a mesh without triangles", "degenerate-geometry", "triangles", meshOf(MESH, flat, [])],
  ["a mesh whose triangle has no corner", "index-out-of-range", "9", meshOf(MESH, flat, [0, 1, 9])],
  ["no mesh", "invalid-argument", "mesh", shapeOf(MESH, {})],
  ["heights that are too few", "invalid-argument", "heights", grid({ heightFieldData: new Float32Array(8) })],
  ["heights that are too many", "invalid-argument", "heights", grid({ heightFieldData: new Float32Array(10) })],
  ["a height that is none", "non-finite", "heights", grid({ heightFieldData: new Float32Array(9).fill(NaN) })],
  ["a field below zero", "invalid-argument", "sizeX", grid({ heightFieldSizeX: -2 })],
  ["a field of a single row", "invalid-argument", "samples", grid({ numHeightFieldSamplesX: 1 })],
  ["a field of no data", "invalid-argument", "heightFieldData", grid({ heightFieldData: undefined })],
  [
    "a ground that is no grid",
    "degenerate-geometry",
    "ground",
    ({ scene }) => {
      const groundMesh = CreateGround("ground", { width: 1, height: 1, subdivisions: 3 }, scene);
      groundMesh.setVerticesData("position", flat);
      return new PhysicsShape({ type: PhysicsShapeType.HEIGHTFIELD, parameters: { groundMesh } }, scene);
    },
  ],
  ["a type that is none", "invalid-argument", "99", shapeOf(99 as PhysicsShapeType, {})],
  ["a density of zero", "invalid-argument", "density", ({ sphere }) => (sphere.density = 0)],
  ["friction below zero", "invalid-argument", "friction", ({ sphere }) => (sphere.material = { friction: -1 })],
  ["restitution that is none", "non-finite", "restitution", ({ sphere }) => (sphere.material = { restitution: NaN })],
  ["a child of no container", "invalid-argument", "container", ({ sphere, container }) => sphere.addChild(container)],
  ["a container in itself", "invalid-argument", "contain", ({ container }) => container.addChild(container)],
  ["a child at no place", "non-finite", "translation", ({ container, sphere }) => container.addChild(sphere, nan)],
  [
    "a child of no size",
    "invalid-argument",
    "scale",
    ({ container, sphere }) => container.addChild(sphere, zero, Quaternion.Identity(), new Vector3(1, 0, 1)),
  ],
  ["a child that is not there", "index-out-of-range", "1", ({ container }) => container.removeChild(1)],
];

const bodyRows: readonly Row[] = [
  ["mass below zero", "invalid-argument", "mass", ({ ball }) => ball.setMassProperties({ mass: -1 })],
  ["mass that is none", "non-finite", "mass", ({ ball }) => ball.setMassProperties({ mass: NaN })],
  [
    "inertia below zero",
    "invalid-argument",
    "inertia",
    ({ ball }) => ball.setMassProperties({ inertia: one.negate() }),
  ],
  ["inertia that is none", "non-finite", "inertia", ({ ball }) => ball.setMassProperties({ mass: 2, inertia: nan })],
  ["a centre at no place", "non-finite", "centerOfMass", ({ ball }) => ball.setMassProperties({ centerOfMass: nan })],
  ["damping below zero", "invalid-argument", "damping", ({ ball }) => ball.setLinearDamping(-1)],
  ["damping that is none", "non-finite", "damping", ({ ball }) => ball.setAngularDamping(NaN)],
  ["no velocity", "non-finite", "velocity", ({ ball }) => ball.setLinearVelocity(nan)],
  ["no angular velocity", "non-finite", "velocity", ({ ball }) => ball.setAngularVelocity(nan)],
  ["no impulse", "non-finite", "impulse", ({ ball }) => ball.applyImpulse(nan, zero)],
  ["an impulse at no place", "non-finite", "location", ({ ball }) => ball.applyImpulse(one, nan)],
  ["no angular impulse", "non-finite", "impulse", ({ ball }) => ball.applyAngularImpulse(nan)],
  ["no force", "non-finite", "force", ({ ball }) => ball.applyForce(nan, zero)],
  ["no torque", "non-finite", "torque", ({ ball }) => ball.applyTorque(nan)],
  ["no gravity factor", "non-finite", "gravity", ({ ball }) => ball.setGravityFactor(NaN)],
  ["no target", "non-finite", "target", ({ ball }) => ball.setTargetTransform(nan, Quaternion.Identity())],
  [
    "a turn of zero as target",
    "invalid-argument",
    "target",
    ({ ball }) => ball.setTargetTransform(zero, new Quaternion(0, 0, 0, 0)),
  ],
  ["an instance that is not there", "index-out-of-range", "2", ({ many }) => many.setLinearVelocity(one, 2)],
  ["an instance of a number below zero", "index-out-of-range", "-1", ({ many }) => many.getMassProperties(-1)],
  ["an instance of a single body", "index-out-of-range", "1", ({ ball }) => ball.applyImpulse(one, zero, 1)],
  ["half an instance", "index-out-of-range", "0.5", ({ many }) => many.setMotionType(STATIC, 0.5)],
  [
    "a body at no place",
    "non-finite",
    "position",
    ({ scene }) => makeBody(scene, DYNAMIC, undefined, new Vector3(Infinity, 0, 0)),
  ],
];

const constraintRows: readonly Row[] = [
  [
    "a joint of a body with itself",
    "invalid-argument",
    "two bodies",
    ({ ball, joint }) => ball.addConstraint(ball, joint),
  ],
  [
    "a joint of an instance with itself",
    "invalid-argument",
    "two bodies",
    ({ many, scene }) => many.addConstraint(many, new LockConstraint(zero, zero, right, right, scene), 1, 1),
  ],
  [
    "a joint of instances without a number",
    "index-out-of-range",
    "instance",
    ({ many, ball, scene }) => many.addConstraint(ball, new LockConstraint(zero, zero, right, right, scene)),
  ],
  [
    "a joint of an instance that is not there",
    "index-out-of-range",
    "7",
    ({ many, ball, scene }) => many.addConstraint(ball, new LockConstraint(zero, zero, right, right, scene), 7),
  ],
  ["a pivot at no place", "non-finite", "pivotA", join((t) => new LockConstraint(nan, zero, right, right, t.scene))],
  ["an axis that is none", "non-finite", "axisB", join((t) => new LockConstraint(zero, zero, right, nan, t.scene))],
  ["a distance below zero", "invalid-argument", "istance", join((t) => new DistanceConstraint(-1, t.scene))],
  ["a distance that is none", "non-finite", "istance", join((t) => new DistanceConstraint(NaN, t.scene))],
  [
    "limits out of reach",
    "non-finite",
    "limit",
    join((t) => new Physics6DoFConstraint({}, [{ axis: X, minLimit: Infinity }], t.scene)),
  ],
  [
    "a limit that is none",
    "non-finite",
    "limit",
    join((t) => new Physics6DoFConstraint({}, [{ axis: X, minLimit: NaN }], t.scene)),
  ],
  [
    "stiffness below zero",
    "invalid-argument",
    "stiffness",
    join((t) => new Physics6DoFConstraint({}, [{ axis: X, minLimit: 0, maxLimit: 0, stiffness: -1 }], t.scene)),
  ],
  [
    "damping that is none",
    "non-finite",
    "damping",
    join((t) => new Physics6DoFConstraint({}, [{ axis: X, stiffness: 1, damping: NaN }], t.scene)),
  ],
  [
    "a limit of no axis",
    "invalid-argument",
    "17",
    join((t) => new Physics6DoFConstraint({}, [{ axis: 17 as PhysicsConstraintAxis }], t.scene)),
  ],
  ["no axis", "invalid-argument", "9", ({ joint }) => joint.setAxisFriction(9 as PhysicsConstraintAxis, 1)],
  ["no mode", "invalid-argument", "7", ({ joint }) => joint.setAxisMode(X, 7 as PhysicsConstraintAxisLimitMode)],
  ["no motor", "invalid-argument", "7", ({ joint }) => joint.setAxisMotorType(X, 7 as PhysicsConstraintMotorType)],
  ["friction below zero", "invalid-argument", "friction", ({ joint }) => joint.setAxisFriction(X, -1)],
  ["no force of a motor", "non-finite", "force", ({ joint }) => joint.setAxisMotorMaxForce(X, NaN)],
  ["no target of a motor", "non-finite", "target", ({ joint }) => joint.setAxisMotorTarget(X, NaN)],
  ["no limit", "non-finite", "limit", ({ joint }) => joint.setAxisMinLimit(X, NaN)],
];

const sceneRows: readonly Row[] = [
  ["no gravity", "non-finite", "Gravity", ({ plugin }) => plugin.setGravity(nan)],
  ["a time step below zero", "invalid-argument", "TimeStep", ({ plugin }) => plugin.setTimeStep(-0.01)],
  ["no time step", "non-finite", "TimeStep", ({ plugin }) => plugin.setTimeStep(NaN)],
  [
    "a velocity limit below zero",
    "invalid-argument",
    "maxLinearVelocity",
    ({ plugin }) => plugin.setVelocityLimits(-1, 1),
  ],
  ["a ray to no place", "non-finite", "ray", ({ physics }) => physics.raycast(zero, nan)],
  [
    "a cast of a mesh",
    "unsupported",
    "shape",
    (t) => {
      const shape = meshOf(MESH, flat, [0, 1, 2])(t) as PhysicsShape;
      const query = {
        shape,
        rotation: Quaternion.Identity(),
        startPosition: zero,
        endPosition: one,
        shouldHitTriggers: false,
      };
      return t.plugin.shapeCast(query, new ShapeCastResult(), new ShapeCastResult());
    },
  ],
  [
    "the neighbour of no place",
    "non-finite",
    "position",
    ({ plugin }) =>
      plugin.pointProximity(
        { position: nan, maxDistance: 1, collisionFilter: {}, shouldHitTriggers: false },
        new ProximityCastResult(),
      ),
  ],
];

/** The state that a refused call must leave unchanged. */
function fingerprint(t: Things): unknown {
  const { world, rigid } = t.plugin;
  const bodies = t.physics.getBodies().map((body) => {
    const each = Array.from({ length: Math.max(1, body.numInstances) }, (_, index) => {
      const { mass, centerOfMass, inertia } = body.getMassProperties(index);
      return [
        mass,
        centerOfMass!.asArray(),
        inertia!.asArray(),
        body.getLinearVelocity(index).asArray(),
        body.getAngularVelocity(index).asArray(),
        body.getLinearDamping(index),
        body.getAngularDamping(index),
        body.getGravityFactor(index),
        body.getMotionType(index),
      ];
    });
    return [body.transformNode.name, each, body.shape?.getBoundingBox().maximum.asArray()];
  });
  const { pivotA, pivotB } = t.joint.options;
  const shapes = [t.sphere.density, t.plugin.getMaterial(t.sphere), t.container.getNumChildren()];
  return JSON.stringify([
    bodies,
    shapes,
    [t.joint.getAxisFriction(X), t.joint.getAxisMode(X), t.joint.getAxisMinLimit(X), t.joint.getAxisMotorTarget(X)],
    [pivotA, pivotB, t.joint.getBodiesUsingConstraint().length],
    [world.gravity, t.plugin.getTimeStep(), t.plugin.getMaxLinearVelocity()],
    [rigid.bodies.length, rigid.joints.length, world.colliders.length],
  ]);
}

describe("bad input is refused and changes nothing", () => {
  let t: Things;
  beforeEach(async () => {
    t = await things();
  });
  afterEach(() => t.dispose());

  for (const [subject, rows] of Object.entries({
    shapes: shapeRows,
    bodies: bodyRows,
    constraints: constraintRows,
    scene: sceneRows,
  }))
    it(`of ${subject}`, async () => {
      const before = fingerprint(t);
      const failed: string[] = [];
      for (const [what, code, named, call] of rows) {
        try {
          expectRefusal(() => call(t), code, named);
          expect(fingerprint(t)).toBe(before);
        } catch (error) {
          failed.push(`${what}: ${(error as Error).message}`);
        }
      }
      expect(failed).toEqual([]);
      // the scene continues like one without the attempt
      const other = await things();
      for (const scene of [t, other]) scene.run(20);
      expect(fingerprint(t)).toBe(fingerprint(other));
      other.dispose();
    });
});
