import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
  PhysicsConstraintType,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import type { DeformableAggregate } from "../../plugin/deformable/deformable-aggregate";
import { boxTetrahedra } from "../../src/index";
import { lentGpu } from "../gpu/context";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t?.dispose());

const ROPE_MASS = 0.2;
const SEGMENTS = 12;
/** distance of the rope's end from the crate, so that it does not touch the crate when released [m] */
const GAP = 0.03;
const rope = {
  segments: SEGMENTS,
  radius: 0.01,
  mass: ROPE_MASS,
  stretchStiffness: 1e5,
  bendingStiffness: 1e-4,
  airDensity: 0,
} as const;

function crate(mass: number, position: Vector3, rotation = Quaternion.Identity()): Mesh {
  const mesh = CreateBox("crate", { width: 0.2, height: 0.2, depth: 0.1 }, t.scene);
  mesh.rotationQuaternion = rotation;
  mesh.position.copyFrom(position);
  const { body } = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, t.scene);
  body.setAngularDamping(0);
  return mesh;
}

interface Totals {
  /** momentum [kg m/s], and spin: angular momentum about the origin [kg m²/s] */
  readonly momentum: Vector3;
  readonly spin: Vector3;
  /** kinetic energy and that of height [J] */
  readonly energy: number;
}

/** Totals of a rigid body and the bodies that hang on it, each particle counted once. */
async function totals(node: Mesh, { body }: DeformableAggregate): Promise<Totals> {
  const state = t.plugin._stateOf(node.physicsBody!)!;
  const { positions, velocities } = await body.readState();
  const height = -t.plugin.getGravity().y;
  const { mass, inertia, inertiaOrientation } = state.mass;
  const axes = state.rotation.multiply(inertiaOrientation);
  const local = state.angularVelocity.applyRotationQuaternion(Quaternion.Inverse(axes));
  const own = local.multiply(inertia).scaleInPlace(mass);
  const momentum = state.linearVelocity.scale(mass);
  const spin = own.applyRotationQuaternion(axes).addInPlace(Vector3.Cross(state.centre(), momentum));
  let energy = 0.5 * mass * state.linearVelocity.lengthSquared() + 0.5 * Vector3.Dot(own, local);
  energy += mass * height * state.centre().y;
  for (let p = 0; p < body.particleCount; p++) {
    // carried particles add to the weight of the body
    if (body.isPinned(p)) continue;
    const at = Vector3.FromArray(positions, 3 * p);
    const velocity = Vector3.FromArray(velocities, 3 * p);
    const m = body.model.masses[p];
    momentum.addInPlace(velocity.scale(m));
    spin.addInPlace(Vector3.Cross(at, velocity).scaleInPlace(m));
    energy += m * (0.5 * velocity.lengthSquared() + height * at.y);
  }
  return { momentum, spin, energy };
}

function lengthOf(positions: ArrayLike<number>): number {
  let length = 0;
  for (let p = 1; p < positions.length / 3; p++)
    length += Vector3.Distance(Vector3.FromArray(positions, 3 * p), Vector3.FromArray(positions, 3 * p - 3));
  return length;
}

const pointOf = (node: Mesh, local: Vector3): Vector3 =>
  local.applyRotationQuaternion(node.rotationQuaternion!).addInPlace(node.position);

describe("a dynamic body and what is attached to it", () => {
  it.each([0.01, 0.1, 1, 10, 100])("of %f times a rope's mass hangs, swings and is let go", async (ratio) => {
    t = await testScene();
    const tilt = Quaternion.RotationAxis(Vector3.Forward(), 0.9);
    const along = Vector3.Down().applyRotationQuaternion(tilt);
    const top = new Vector3(0.1, 2, 0);
    const node = crate(ratio * ROPE_MASS, top.add(along.scale(1 + GAP + 0.1)), tilt);
    const path = [top, top.add(along)];
    const cord = new RopeAggregate({ path }, { ...rope, pins: [0], attach: { node, at: "end" } }, t.scene);
    const start = await totals(node, cord);
    let lowest = Infinity;
    let fastest = 0;
    for (let frame = 0; frame < 75; frame++) {
      t.run(1);
      const positions = await cord.readPositions();
      const length = lengthOf(positions);
      expect(length, `frame ${frame}`).toBeLessThan(1.06);
      const end = Vector3.FromArray(positions, 3 * SEGMENTS);
      expect(Vector3.Distance(end, pointOf(node, new Vector3(0, 0.1 + GAP, 0)))).toBeLessThan(1e-3);
      const { energy } = await totals(node, cord);
      // a hundredth of its fall
      expect(energy - start.energy).toBeLessThan(0.01 * (1 + ratio) * ROPE_MASS * 10);
      lowest = Math.min(lowest, node.position.y);
      fastest = Math.max(fastest, node.physicsBody!.getLinearVelocity().length());
    }
    // through the lowest place; a heavy one does so like a pendulum of that length
    expect(lowest).toBeGreaterThan(0.75);
    expect(lowest).toBeLessThan(1);
    if (ratio >= 1) expect(fastest).toBeGreaterThan(0.8 * Math.sqrt(2 * 10 * 1.1 * (1 - Math.cos(0.9))));
    cord.detach(node);
    const { y } = node.physicsBody!.getLinearVelocity();
    t.run(12);
    expect(node.physicsBody!.getLinearVelocity().y - y).toBeCloseTo(-2, 1);
  });

  it.each([0.1, 20])("of %f times a rope's mass hangs and swings on a GPU, and is let go", async (ratio) => {
    const gpu = await lentGpu();
    t = await testScene({ backend: "webgpu", gpu });
    const top = new Vector3(0.1, 2, 0);
    const tilt = Quaternion.RotationAxis(Vector3.Forward(), 0.6);
    const along = Vector3.Down().applyRotationQuaternion(tilt);
    const node = crate(ratio * ROPE_MASS, top.add(along.scale(1 + GAP + 0.1)), tilt);
    const options = { ...rope, pins: [0], attach: { node, at: "end" } } as const;
    const cord = new RopeAggregate({ path: [top, top.add(along)] }, options, t.scene);
    const highest = node.position.y;
    for (let frame = 0; frame < 60; frame++) {
      t.run(1);
      await t.plugin.world.settled();
      const positions = await cord.readPositions();
      expect(lengthOf(positions), `frame ${frame}`).toBeLessThan(1.06);
      const end = Vector3.FromArray(positions, 3 * SEGMENTS);
      // the answer of the body arrives a frame later
      const far = 0.02 + node.physicsBody!.getLinearVelocity().length() / 30;
      expect(Vector3.Distance(end, pointOf(node, new Vector3(0, 0.1 + GAP, 0)))).toBeLessThan(far);
      if (ratio > 1) expect(node.position.y).toBeLessThan(highest + 0.02);
      expect(node.position.y).toBeGreaterThan(0.75);
    }
    // a later answer makes no difference either
    for (let late = 0; late < 4; late++) {
      t.run(5);
      await t.plugin.world.settled();
      expect(lengthOf(await cord.readPositions())).toBeLessThan(1.06);
    }
    cord.detach(node);
    t.run(3);
    await t.plugin.world.settled();
    t.run(1);
    const { y } = node.physicsBody!.getLinearVelocity();
    t.run(6);
    expect(node.physicsBody!.getLinearVelocity().y - y).toBeCloseTo(-1, 1);
  });

  it.each([0.05, 1, 20])(
    "of %f times a rope's mass keep their momentum, as it is caught and as it is let go",
    async (ratio) => {
      t = await testScene({}, Vector3.Zero());
      const node = crate(ratio * ROPE_MASS, new Vector3(0.3, 0.1 - GAP, 0));
      const path = [new Vector3(0.3, 0.2, 0), new Vector3(0.3, 1.2, 0)];
      const cord = new RopeAggregate({ path }, { ...rope, damping: 0, bodyCollision: false }, t.scene);
      node.physicsBody!.setLinearVelocity(new Vector3(2, 0.5, -1));
      node.physicsBody!.setAngularVelocity(new Vector3(1, -2, 3));
      t.run(1);
      const before = await totals(node, cord);
      const same = async (when: string, tolerance = 1e-6): Promise<void> => {
        const now = await totals(node, cord);
        expect(Vector3.Distance(now.momentum, before.momentum), when).toBeLessThan(
          tolerance * before.momentum.length(),
        );
        // a whipping rope loses some by itself
        expect(Vector3.Distance(now.spin, before.spin), when).toBeLessThan(0.02 * before.momentum.length());
        expect(now.energy, when).toBeLessThan(1.001 * before.energy);
      };
      await cord.attach([0, 1], node);
      await same("caught");
      t.run(40);
      await same("carried");
      cord.detach(node);
      // the last forces of the rope have moved its end a little further than the body
      await same("let go", 2e-3);
      t.run(20);
      await same("afterwards", 2e-3);
    },
  );

  it("holds what hangs on it by a joint, and a plank on two ropes", async () => {
    t = await testScene();
    const path = [new Vector3(0, 2, 0), new Vector3(0, 1, 0)];
    const hand = crate(0.1, new Vector3(0, 0.9 - GAP, 0));
    const load = crate(1, new Vector3(0, 0.67 - GAP, 0));
    const joint = { pivotA: new Vector3(0, -0.115, 0), pivotB: new Vector3(0, 0.115, 0) };
    hand.physicsBody!.addConstraint(
      load.physicsBody!,
      new PhysicsConstraint(PhysicsConstraintType.BALL_AND_SOCKET, joint, t.scene),
    );
    const cord = new RopeAggregate({ path }, { ...rope, pins: [0], attach: { node: hand, at: "end" } }, t.scene);
    const plank = crate(0.8, new Vector3(3, 1, 0));
    const sides = [-0.09, 0.09].map((x) => {
      const line = [new Vector3(3 + x, 2, 0), new Vector3(3 + x, 1.1 + GAP, 0)];
      return new RopeAggregate({ path: line }, { ...rope, pins: [0], attach: { node: plank, at: "end" } }, t.scene);
    });
    t.run(90);
    expect(lengthOf(await cord.readPositions())).toBeLessThan(1.01);
    expect(hand.position.y).toBeGreaterThan(0.84);
    expect(load.position.y).toBeGreaterThan(0.58);
    expect(hand.position.y - load.position.y).toBeLessThan(0.27);
    for (const side of sides) expect(lengthOf(await side.readPositions())).toBeLessThan(0.9);
    expect(plank.position.y).toBeGreaterThan(0.96);
    expect(plank.physicsBody!.getLinearVelocity().length()).toBeLessThan(0.4);
  });

  it("falls with it as fast as everything falls, and does not tug at it", async () => {
    t = await testScene();
    const node = crate(1, new Vector3(0, 5, 0));
    const path = [new Vector3(0, 5.1 + GAP, 0), new Vector3(0.8, 5.7, 0)];
    const cord = new RopeAggregate({ path }, { ...rope, attach: { node, at: "start" } }, t.scene);
    t.run(30);
    const positions = await cord.readPositions();
    const drop = 5 - node.position.y;
    expect(drop).toBeCloseTo(0.5 * 10 * 0.25, 1);
    cord.body.model.positions.forEach((value, i) =>
      expect(Math.abs(positions[i] - value + (i % 3 === 1 ? drop : 0))).toBeLessThan(1e-6),
    );
    expect(node.physicsBody!.getAngularVelocity().length()).toBeLessThan(1e-6);
  });

  it("is cloth by many vertices, and a soft body, on a node below that of a body without a shape", async () => {
    t = await testScene();
    const bodyNode = new TransformNode("body", t.scene);
    bodyNode.position.set(0, 1, 0);
    const body = new PhysicsBody(bodyNode, PhysicsMotionType.DYNAMIC, false, t.scene);
    body.setMassProperties({ mass: 0.5 });
    const hook = new TransformNode("hook", t.scene);
    hook.parent = bodyNode;
    const sheet = makeSheet(t.scene, 1, 8, 1);
    const near = Array.from({ length: 9 }, (_, i) => i);
    const far = near.map((i) => 72 + i);
    const cloth = new ClothAggregate(sheet, { pins: near, attach: { node: hook, vertices: far } }, t.scene);
    const jelly = CreateSphere("jelly", { diameter: 0.3, segments: 3 }, t.scene);
    jelly.position.set(0, 0.85, -0.5);
    const attach = { node: hook, vertices: [0, 1, 2] };
    const options = { resolution: 2, density: 10, youngsModulus: 1e4, bodyCollision: false, substeps: 20, attach };
    const soft = new SoftBodyAggregate(jelly, options, t.scene);
    const held = Vector3.FromArray(await soft.readPositions(), 0);
    const place = held.subtract(bodyNode.position);
    t.run(40);
    // the far edge of the sheet swings below the near one
    const positions = await cloth.readPositions();
    const reach = Vector3.Distance(Vector3.FromArray(positions, 3 * 4), Vector3.FromArray(positions, 3 * 76));
    expect(reach).toBeLessThan(1.08);
    expect(bodyNode.position.y).toBeLessThan(0.6);
    const top = Vector3.FromArray(await soft.readPositions(), 0);
    const wanted = place.applyRotationQuaternion(bodyNode.rotationQuaternion!).addInPlace(bodyNode.position);
    expect(Vector3.Distance(top, wanted)).toBeLessThan(2e-3);
  });

  it("keeps momentum with a bar of quadratic elements, whose middles nobody holds", async () => {
    t = await testScene({}, Vector3.Zero());
    const node = crate(1, new Vector3(-0.5, 0, 0));
    const mesh = boxTetrahedra({ size: [0.6, 0.1, 0.1], cells: [6, 1, 1], center: [0, 0, 0] });
    const options = {
      elements: "auto",
      density: 100,
      youngsModulus: 1e5,
      airDensity: 0,
      bodyCollision: false,
    } as const;
    const bar = SoftBodyAggregate.FromTetrahedra("bar", mesh, options, t.scene);
    expect(bar.body.model.middles!.length).toBeGreaterThan(0);
    const source = bar.mesh.getVerticesData("position")!;
    const end = [...Array(source.length / 3).keys()].filter((v) => source[3 * v] < -0.3 + 1e-6);
    await bar.attach(end, node);
    node.physicsBody!.setLinearVelocity(new Vector3(0, 0, 1));
    t.run(1);
    const before = await totals(node, bar);
    t.run(30);
    const { momentum, spin } = await totals(node, bar);
    expect(Vector3.Distance(momentum, before.momentum) / before.momentum.length()).toBeLessThan(1e-3);
    expect(Vector3.Distance(spin, before.spin)).toBeLessThan(0.02);
    expect(node.position.z).toBeGreaterThan(0.3);
  });

  it("goes with its node while the body is animated, and hangs on it again when that is dynamic", async () => {
    t = await testScene();
    const node = crate(2, new Vector3(0, 0.9 - GAP, 0));
    const path = [new Vector3(0, 2, 0), new Vector3(0, 1, 0)];
    const cord = new RopeAggregate({ path }, { ...rope, pins: [0], attach: { node, at: "end" } }, t.scene);
    const body = node.physicsBody!;
    t.run(30);
    expect(node.position.y).toBeGreaterThan(0.8);
    body.setMotionType(PhysicsMotionType.ANIMATED);
    for (let frame = 0; frame < 30; frame++) {
      node.position.y += 0.01;
      t.run(1);
    }
    const end = Vector3.FromArray(await cord.readPositions(), 3 * SEGMENTS);
    expect(Vector3.Distance(end, pointOf(node, new Vector3(0, 0.1 + GAP, 0)))).toBeLessThan(1e-3);
    const { y } = node.position;
    body.setMotionType(PhysicsMotionType.DYNAMIC);
    t.run(10);
    expect(node.position.y).toBeLessThan(y - 0.05);
    t.run(60);
    expect(node.position.y).toBeGreaterThan(0.8);
    expect(body.getMassProperties().mass).toBe(2);
    cord.dispose();
    t.run(30);
    expect(node.position.y).toBeLessThan(0);
  });
});

it.each([true, false])(
  "holds planks on two ropes that are far from each other, bodyCollision %s",
  async (bodyCollision) => {
    t = await testScene();
    const [planks, half, wide] = [4, 0.4, 0.27];
    const height = (x: number): number => 1 - 0.1 * (1 - (x / half) ** 2);
    const nodes = Array.from({ length: planks }, (_, k) => {
      const x = half * ((2 * k + 1) / planks - 1);
      const mesh = CreateBox("plank", { width: 0.16, height: 0.02, depth: 2 * wide + 0.1 }, t.scene);
      mesh.position.set(x, height(x) + 0.035, 0);
      new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 0.5 }, t.scene);
      return mesh;
    });
    for (const z of [-wide, wide]) {
      const path = Array.from({ length: 3 * planks + 1 }, (_, k) => {
        const x = half * ((2 * k) / (3 * planks) - 1);
        return new Vector3(x, height(x), z);
      });
      const attach = nodes.map((node, k) => ({ node, at: [3 * k + 1, 3 * k + 2] }));
      const options = { segments: 3 * planks, pins: [0, 3 * planks], bodyCollision, attach };
      new RopeAggregate({ path, radius: 0.014 }, options, t.scene);
    }
    let fastest = 0;
    for (let frame = 0; frame < 60; frame++) {
      t.run(1);
      for (const { physicsBody } of nodes) fastest = Math.max(fastest, physicsBody!.getLinearVelocity().length());
    }
    expect(fastest).toBeLessThan(1);
    for (const { position } of nodes) expect(Math.abs(position.y - height(position.x) - 0.035)).toBeLessThan(0.03);
  },
);
