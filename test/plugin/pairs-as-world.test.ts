/** Ten random pairs of things, one thrown at the other: a scene of Babylon moves them as a `World` does, to the bit. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { Scene } from "@babylonjs/core/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArticulationAggregate, ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { type MechanismDescription, mechanismModel, type SolverName, World } from "../../src/index";
import { makeSheet, testScene } from "./fixtures";

const FRAMES = 30;
const SIZE = 0.3;

/** Two boards on a hinge. */
const hinged = (height: number, friction: number): MechanismDescription => {
  const shapes = [{ shape: { type: "box", halfExtents: [SIZE / 4, 0.02, SIZE / 3] }, friction }] as const;
  const board = { mass: 0.5, inertia: [0.01, 0.01, 0.01, 0, 0, 0], shapes } as const;
  const hinge = { type: "revolute", axis: [0, 0, 1], parentFrame: { position: [0.55 * SIZE, 0, 0] } } as const;
  return {
    name: "hinged",
    links: [
      { ...board, name: "left", joint: { type: "free", parentFrame: { position: [-0.07, height, 0.01] } } },
      { ...board, name: "right", parent: "left", joint: hinge },
    ],
  };
};

interface Throw {
  readonly scene: Scene;
  readonly height: number;
  readonly velocity: readonly number[];
  readonly friction: number;
}

/** Puts a mesh at a height, a little aside: nothing should line up with anything else by chance. */
function placed(mesh: Mesh, height: number): Mesh {
  mesh.position.set(0.02, height, 0.01);
  return mesh;
}

const rigid =
  (type: PhysicsShapeType, make: (scene: Scene) => Mesh) =>
  ({ scene, height, velocity, friction }: Throw): void => {
    const options = { mass: 1, friction, restitution: 0 };
    const { body } = new PhysicsAggregate(placed(make(scene), height), type, options, scene);
    body.setLinearVelocity(Vector3.FromArray(velocity));
    body.setAngularVelocity(new Vector3(velocity[1], velocity[2], velocity[0]));
  };

const sheet =
  (solver: SolverName) =>
  ({ scene, height, friction }: Throw): void => {
    new ClothAggregate(makeSheet(scene, SIZE, 4, height), { solver, friction }, scene);
  };

const jelly =
  (solver: SolverName) =>
  ({ scene, height, friction }: Throw): void => {
    const mesh = placed(CreateBox("jelly", { size: 0.7 * SIZE }, scene), height);
    new SoftBodyAggregate(mesh, { solver, friction, resolution: 2 }, scene);
  };

const rope =
  (solver: "gpbd" | "newton") =>
  ({ scene, height, friction }: Throw): void => {
    const path = [-SIZE / 2, 0, SIZE / 2].map((x) => new Vector3(x, height + 0.1 * x, 0.02));
    new RopeAggregate({ path }, { solver, friction, segments: 6, radius: 0.01 }, scene);
  };

const things = {
  box: rigid(PhysicsShapeType.BOX, (scene) => CreateBox("box", { size: SIZE }, scene)),
  ball: rigid(PhysicsShapeType.SPHERE, (scene) => CreateIcoSphere("ball", { radius: SIZE / 2 }, scene)),
  capsule: rigid(PhysicsShapeType.CAPSULE, (scene) => CreateCapsule("capsule", { height: SIZE, radius: 0.1 }, scene)),
  hull: rigid(PhysicsShapeType.CONVEX_HULL, (scene) => {
    const options = { height: SIZE, diameterTop: 0.1, diameterBottom: SIZE, tessellation: 7 };
    return CreateCylinder("hull", options, scene);
  }),
  ring: rigid(PhysicsShapeType.MESH, (scene) => {
    const options = { diameter: SIZE, thickness: 0.1, tessellation: 12 };
    return CreateTorus("ring", options, scene);
  }),
  mechanism: ({ scene, height, friction }) => {
    new ArticulationAggregate(hinged(height, friction), {}, scene);
  },
  "gpbd cloth": sheet("gpbd"),
  "local-global cloth": sheet("local-global"),
  "newton cloth": sheet("newton"),
  balloon: ({ scene, height, friction }: Throw): void => {
    const mesh = placed(CreateIcoSphere("balloon", { radius: SIZE / 2, subdivisions: 2, flat: false }, scene), height);
    new ClothAggregate(mesh, { friction, pressure: 500, sealed: true }, scene);
  },
  "gpbd rope": rope("gpbd"),
  "newton rope": rope("newton"),
  "gpbd jelly": jelly("gpbd"),
  "local-global jelly": jelly("local-global"),
  "newton jelly": jelly("newton"),
} satisfies Record<string, (thrown: Throw) => void>;
const names = Object.keys(things) as (keyof typeof things)[];

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const pairs = fc.record({
  lower: fc.constantFrom(...names),
  upper: fc.constantFrom(...names),
  velocity: fc.tuple(number(-1, 1), number(-3, 0), number(-1, 1)),
  friction: number(0, 1),
});

describe("ten pairs in a scene move as in World, to the bit", () => {
  it.each(fc.sample(pairs, { seed: 24, numRuns: 10 }))("$upper on $lower", async ({ lower, upper, ...thrown }) => {
    const t = await testScene();
    const floor = CreateBox("floor", { width: 6, depth: 6, height: 0.25 }, t.scene);
    floor.position.y = -0.125;
    new PhysicsAggregate(floor, PhysicsShapeType.BOX, { mass: 0, friction: thrown.friction }, t.scene);
    const heights = [0.2, 0.55];
    for (const [k, name] of [lower, upper].entries()) things[name]({ ...thrown, scene: t.scene, height: heights[k] });
    t.run(FRAMES);
    const { plugin } = t;
    const world = await World.create({ backend: "cpu", gravity: plugin.world.gravity });
    // Links are there at once, bodies of a scene from the first frame on.
    const rigid = [...plugin.rigid.bodies];
    for (const [k, name] of [lower, upper].entries()) {
      if (name !== "mechanism") continue;
      world.addMechanism(mechanismModel(hinged(heights[k], thrown.friction)));
      rigid.splice(0, 2);
    }
    for (const { options } of rigid) world.addRigidBody(options);
    for (const { model, options } of plugin.world.bodies) {
      // Substeps that are given are not those of a body that may choose.
      const { elasticShare: _, substeps: __, ...rest } = options as typeof options & { substeps?: number };
      world.addBody(model, rest);
    }
    for (let frame = 0; frame < FRAMES; frame++) world.step(1 / 60);
    const count = 7 * plugin.rigid.bodies.length;
    expect([...world.rigid.poses.subarray(0, count)]).toEqual([...plugin.rigid.poses.subarray(0, count)]);
    for (const [b, body] of world.bodies.entries()) {
      const { positions, velocities } = await body.readState();
      const theirs = await plugin.world.bodies[b].readState();
      expect([...positions]).toEqual([...theirs.positions]);
      expect([...velocities]).toEqual([...theirs.velocities]);
    }
    world.dispose();
    t.dispose();
  });
});
