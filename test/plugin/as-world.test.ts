/** A scene of Babylon equals a `World` with the same bodies: equal bits for any bodies thrown at each other. */
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ArticulationAggregate, ClothAggregate, SoftBodyAggregate } from "../../plugin/index";
import { type MechanismDescription, mechanismModel, World } from "../../src/index";
import { makeSheet, testScene } from "./fixtures";

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const vector = (size: number): fc.Arbitrary<[number, number, number]> =>
  fc.tuple(number(-size, size), number(-size, size), number(-size, size));

const FRAMES = 40;

const scenes = fc.record({
  solver: fc.constantFrom("gpbd", "local-global", "newton"),
  kind: fc.constantFrom("cloth", "cube"),
  mass: number(0.05, 20),
  velocity: vector(2),
  spin: vector(3),
  friction: number(0, 1),
  /** a led body underneath */
  speed: number(-0.5, 0.5),
  /** a link on a spring, which all of them may meet */
  linkMass: number(0.5, 10),
} as const);

const paddle = (mass: number): MechanismDescription => ({
  name: "paddle",
  links: [
    {
      name: "blade",
      mass,
      inertia: [mass, mass, mass, 0, 0, 0],
      joint: { type: "prismatic", axis: [0, 1, 0], stiffness: 300, damping: 20 },
      shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.02, 0.2] }, position: [0.1, 0.05, 0], friction: 0.3 }],
    },
  ],
});

it("as World, to the bit", async () => {
  const property = fc.asyncProperty(
    scenes,
    async ({ solver, kind, mass, velocity, spin, friction, speed, linkMass }) => {
      const t = await testScene();
      const blade = new ArticulationAggregate(paddle(linkMass), {}, t.scene);
      const floor = CreateBox("floor", { width: 6, depth: 6, height: 0.25 }, t.scene);
      floor.position.y = -0.125;
      const ground = new PhysicsAggregate(floor, PhysicsShapeType.BOX, { mass: 0, friction }, t.scene);
      ground.body.setMotionType(PhysicsMotionType.ANIMATED);
      const mesh = CreateBox("box", { width: 0.3, depth: 0.3, height: 0.2 }, t.scene);
      mesh.position.set(0.05, 0.4, 0);
      mesh.rotationQuaternion = new Quaternion(0.1, 0.2, 0.1, 0.9).normalize();
      const { body } = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass, friction, restitution: 0 }, t.scene);
      body.setLinearVelocity(Vector3.FromArray(velocity));
      body.setAngularVelocity(Vector3.FromArray(spin));
      const options = { solver, ...(solver === "gpbd" && { bodyCollision: false, airDensity: 0 }) };
      if (kind === "cloth") new ClothAggregate(makeSheet(t.scene, 0.6, 4, 0.15), options, t.scene);
      else {
        const cube = CreateBox("cube", { size: 0.2 }, t.scene);
        cube.position.y = 0.2;
        new SoftBodyAggregate(cube, { ...options, resolution: 2 }, t.scene);
      }
      // Matrices of nodes are in single precision.
      const wayAt = (frame: number): number => Math.fround((speed * frame) / 60) + 0;
      for (let frame = 1; frame <= FRAMES; frame++) {
        floor.position.x = wayAt(frame);
        t.run(1);
      }
      const { plugin } = t;
      const world = await World.create({ backend: "cpu", gravity: plugin.world.gravity });
      const [, ...rigid] = plugin.rigid.bodies;
      world.addMechanism(mechanismModel(paddle(linkMass)));
      const [led] = rigid.map((made) => world.addRigidBody(made.options));
      for (const { model, options: made } of plugin.world.bodies) {
        // Substeps that are given are not those of a body that may choose.
        const { elasticShare: _, substeps: __, ...rest } = made as typeof made & { substeps?: number };
        world.addBody(model, rest);
      }
      for (let frame = 1; frame <= FRAMES; frame++) {
        led.moveTo([wayAt(frame), -0.125, 0]);
        world.step(1 / 60);
      }
      expect([...world.rigid.poses.subarray(0, 21)]).toEqual([...plugin.rigid.poses.subarray(0, 21)]);
      expect(blade.getVelocity("blade")[0]).not.toBe(0);
      const [ours, theirs] = await Promise.all([world, plugin.world].map(({ bodies: [soft] }) => soft.readState()));
      expect([...ours.positions]).toEqual([...theirs.positions]);
      world.dispose();
      t.dispose();
    },
  );
  await fc.assert(property, { numRuns: Number(process.env.PLIANT_WORLDS ?? 4) });
});
