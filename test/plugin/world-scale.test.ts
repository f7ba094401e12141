import { Logger } from "@babylonjs/core/Misc/logger";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, type IPhysicsCollisionEvent } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import { HingeConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox, PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ClothAggregate, PliantPlugin, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { makeBody, testScene, type TestScene } from "./fixtures";

const { STATIC, DYNAMIC, ANIMATED } = PhysicsMotionType;

// Sizes and places are binary fractions of a meter, so that matrices in single precision hold them in all units.
const units = { metres: 1, centimetres: 100, millimetres: 1000 } as const;

async function sceneIn(scale: number): Promise<TestScene & { at: (x: number, y: number, z: number) => Vector3 }> {
  const t = await testScene({ backend: "reference", worldScale: scale }, new Vector3(0, -9.75 * scale, 0));
  return { ...t, at: (x, y, z) => new Vector3(x, y, z).scaleInPlace(scale) };
}

type ScaledScene = Awaited<ReturnType<typeof sceneIn>>;

function floor({ scene, at }: ScaledScene): void {
  const shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), at(8, 1, 8), scene);
  makeBody(scene, STATIC, shape, at(0, -0.5, 0));
}

/** The results of a scene, in meters: they have to be the same in all units. */
type Told = Record<string, readonly number[]>;

const inMetres = (values: ArrayLike<number>, scale: number): number[] => Array.from(values, (value) => value / scale);

/** A stack, a ball that is thrown at it, a pendulum and a lift. */
async function rigid(t: ScaledScene, scale: number): Promise<Told> {
  const { scene, at } = t;
  floor(t);
  const box = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), at(0.5, 0.5, 0.5), scene);
  const stack = [0.3125, 0.875].map((y) => makeBody(scene, DYNAMIC, box, at(0, y, 0)));
  const heavy = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), at(0.25, 0.25, 0.25), scene);
  const own = makeBody(scene, DYNAMIC, heavy, at(3, 0.25, 0));
  const ball = makeBody(scene, DYNAMIC, new PhysicsShapeSphere(Vector3.Zero(), 0.25 * scale, scene), at(-2, 0.5, 0));
  ball.setMassProperties({ mass: 2 });
  ball.setLinearVelocity(at(4, 1, 0));
  ball.applyImpulse(at(0.5, 0, 0.25), ball.transformNode.position.add(at(0, 0.125, 0)));
  const anchor = makeBody(scene, STATIC, undefined, at(0, 3, 2));
  const bob = makeBody(scene, DYNAMIC, box, at(1, 3, 2));
  const hinge = new HingeConstraint(Vector3.Zero(), at(-1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 0, 1), scene);
  anchor.addConstraint(bob, hinge);
  const lift = makeBody(scene, ANIMATED, box, at(0, 0.25, -2));
  lift.setLinearVelocity(at(0, 0.5, 0));
  const events: IPhysicsCollisionEvent[] = [];
  ball.setCollisionCallbackEnabled(true);
  ball.getCollisionObservable().add((event) => events.push(event));
  for (let frame = 0; frame < 45; frame++) {
    own.applyForce(at(5, 0, 0), own.transformNode.position);
    own.applyAngularImpulse(new Vector3(0, 0.125, 0).scaleInPlace(scale * scale));
    t.run(1);
  }
  const hit = new PhysicsRaycastResult();
  t.plugin.raycast(at(0, 5, 0), at(0, -5, 0), hit);
  const bodies = [...stack, own, ball, bob, lift];
  const told: Told = {
    places: bodies.flatMap(({ transformNode }) => inMetres(transformNode.position.asArray(), scale)),
    turns: bodies.flatMap(({ transformNode }) => transformNode.rotationQuaternion!.asArray()),
    velocities: bodies.flatMap((body) => inMetres(body.getLinearVelocity().asArray(), scale)),
    spins: bodies.flatMap((body) => body.getAngularVelocity().asArray()),
    masses: bodies.flatMap((body) => body.getMassProperties().mass!),
    ray: inMetres([hit.hitPointWorld.y, hit.hitDistance], scale),
    impulses: events.flatMap(({ impulse, distance }) => inMetres([impulse, distance], scale)),
    touched: events.flatMap(({ point }) => inMetres(point!.asArray(), scale)),
  };
  expect(events.length).toBeGreaterThan(0);
  return told;
}

/** Hanging cloth that falls on a ball. */
async function cloth(t: ScaledScene, scale: number): Promise<Told> {
  const { scene, at } = t;
  const ball = makeBody(scene, DYNAMIC, new PhysicsShapeSphere(Vector3.Zero(), 0.25 * scale, scene), at(0.125, 0, 0));
  ball.setMassProperties({ mass: 0.25 });
  ball.setGravityFactor(0);
  const mesh = CreateGround("sheet", { width: scale, height: scale, subdivisions: 8, updatable: true }, scene);
  mesh.position.copyFrom(at(0, 0.375, 0));
  // Tethers that are pulled so hard multiply the rounding of the mesh; test/world/units.test.ts has them.
  const sheet = new ClothAggregate(
    mesh,
    { pins: [0], wind: at(0.5, 0, 0.25), thickness: scale / 128, tethers: false },
    scene,
  );
  // The run is short: later the last bit of the ball's place decides about a contact, and buckling turns that into a millimeter.
  t.run(11);
  sheet.setPinPosition(0, mesh.position.add(at(-0.5, 0.0625, 0.5)));
  t.run(5);
  expect(ball.getLinearVelocity().length() / scale).toBeGreaterThan(1e-3);
  return {
    cloth: inMetres(await sheet.readPositions(), scale),
    speeds: inMetres(await sheet.readVelocities(), scale),
    drawn: inMetres(mesh.getVerticesData("position")!, scale),
    normals: [...mesh.getVerticesData("normal")!],
    ball: inMetres([...ball.transformNode.position.asArray(), ...ball.getLinearVelocity().asArray()], scale),
  };
}

/** A soft cube falls on the floor, and a rope hangs between a moving node and its start. */
async function softAndRope(t: ScaledScene, scale: number): Promise<Told> {
  const { scene, at } = t;
  floor(t);
  const cube = CreateBox("cube", { size: 0.5 * scale, updatable: true }, scene);
  cube.position.copyFrom(at(0, 0.3125, 0));
  const soft = new SoftBodyAggregate(cube, { youngsModulus: 2e4, resolution: 2, substeps: 20 }, scene);
  const hand = new TransformNode("hand", scene);
  hand.position.copyFrom(at(2, 1, 0));
  const path = [at(1, 1, 0), at(2, 1, 0)];
  const attach = { node: hand, at: "end" } as const;
  const rope = new RopeAggregate(
    { path, radius: scale / 64 },
    { segments: 12, substeps: 40, pins: [0, 1], attach },
    scene,
  );
  for (let frame = 0; frame < 15; frame++) {
    hand.position.x -= scale / 128;
    t.run(1);
  }
  return {
    soft: inMetres(await soft.readPositions(), scale),
    rope: inMetres(await rope.readPositions(), scale),
    tube: inMetres(rope.mesh.getVerticesData("position")!, scale),
  };
}

/** Largest difference of two lists of numbers. */
function apart(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

describe.each(Object.entries({ rigid, cloth, softAndRope }))("a scene with %s", (_, play) => {
  it("moves in centimetres and millimetres as it does in metres", async () => {
    const told: Told[] = [];
    for (const scale of Object.values(units)) {
      const t = await sceneIn(scale);
      told.push(await play(t, scale));
      t.dispose();
    }
    const [metres, ...others] = told;
    for (const other of others)
      for (const [what, values] of Object.entries(metres)) expect(apart(values, other[what]), what).toBeLessThan(1e-6);
  });
});

describe("worldScale", () => {
  afterEach(() => vi.restoreAllMocks());

  it("scales defaults: gravity, velocity limits, plates", async () => {
    const t = await testScene({ worldScale: 100 }, new Vector3(0, -981, 0));
    const { engine } = t.plugin;
    const plugin = await PliantPlugin.CreateAsync(engine, { backend: "reference", worldScale: 100 });
    expect(plugin.getGravity().y).toBe(-981);
    expect(plugin.world.gravity[1]).toBeCloseTo(-9.81, 12);
    expect(plugin.getMaxLinearVelocity()).toBe(20_000);
    plugin.dispose();
    const sheet = CreateGround("sheet", { width: 100, height: 100, subdivisions: 32 }, t.scene);
    const { body } = new ClothAggregate(sheet, {}, t.scene);
    expect(body.options.thickness).toBe(0.004);
    expect(body.model.masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(0.15, 6);
    t.dispose();
  });

  it("is told of where gravity says that it is another", async () => {
    const warn = vi.spyOn(Logger, "Warn").mockImplementation(() => undefined);
    const hints = async (worldScale: number | undefined, gravity: number): Promise<string[]> => {
      warn.mockClear();
      const t = await testScene({ ...(worldScale && { worldScale }) }, new Vector3(0, -gravity, 0));
      t.dispose();
      return warn.mock.calls.map(([message]) => String(message));
    };
    expect(await hints(undefined, 981)).toEqual([expect.stringContaining("worldScale: 100")]);
    expect(await hints(undefined, 9800)).toEqual([expect.stringContaining("worldScale: 1000")]);
    expect(await hints(100, 9.81)).toEqual([expect.stringContaining("worldScale: 1 ")]);
    for (const [scale, gravity] of [
      [undefined, 9.81],
      [undefined, 1.62],
      [undefined, 0],
      [undefined, 100],
      [100, 981],
      [100, 162],
    ] as const)
      expect(await hints(scale, gravity)).toEqual([]);
  });

  it("is a positive number", async () => {
    const t = await testScene();
    for (const worldScale of [0, -1, NaN, Infinity])
      await expect(PliantPlugin.CreateAsync(t.plugin.engine, { worldScale })).rejects.toThrow(
        "PliantPlugin.worldScale",
      );
    t.dispose();
  });
});
