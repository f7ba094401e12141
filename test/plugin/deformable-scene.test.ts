import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { Scene } from "@babylonjs/core/scene";
import HavokPhysics from "@babylonjs/havok";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, DeformableScene, PliantError, SkeletonAggregate } from "../../plugin/index";
import { makeSheet, testScene } from "./fixtures";
import { ARM_RADIUS, makeArm } from "./skinned-arm";

const wasm = createRequire(import.meta.url)
  .resolve("@babylonjs/havok")
  .replace(/lib\/.*$/, "lib/esm/HavokPhysics.wasm");

let engine: NullEngine;
let scene: Scene;
let havok: HavokPlugin;

beforeEach(async () => {
  engine = new NullEngine();
  engine.getCaps().instancedArrays = true;
  scene = new Scene(engine);
  new FreeCamera("camera", new Vector3(0, 1, -5), scene);
  havok = new HavokPlugin(true, await HavokPhysics({ wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer }));
  scene.enablePhysics(new Vector3(0, -9.81, 0), havok);
});

afterEach(() => engine.dispose());

const run = (frames: number, each?: () => void): void => {
  for (let frame = 0; frame < frames; frame++) {
    (scene.getPhysicsEngine() as PhysicsEngine)._step(1 / 60);
    each?.();
  }
};

const vertexOf = (positions: ArrayLike<number>, i: number): Vector3 => Vector3.FromArray(positions, 3 * i);

/** Numbers of the vertices at the edge of a sheet of n × n segments. */
const edge = (n: number): number[] =>
  Array.from({ length: (n + 1) ** 2 }, (_, v) => v).filter((v) => {
    const [i, j] = [v % (n + 1), Math.floor(v / (n + 1))];
    return i === 0 || j === 0 || i === n || j === n;
  });

describe("a scene with Havok", () => {
  it.each([0.05, 2])("catches a body of %f kg in cloth, and gives it no energy", async (mass) => {
    const deformables = await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const sheet = makeSheet(scene, 1, 12, 1);
    new ClothAggregate(sheet, { fabric: "rubber-sheet", pins: edge(12), substeps: 12 }, scene);
    const ball = CreateSphere("ball", { diameter: 0.2 }, scene);
    ball.position.set(0, 1.4, 0);
    new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass, restitution: 0 }, scene);
    let bounced = false;
    run(80, () => {
      expect(ball.position.y).toBeGreaterThan(0.7);
      expect(ball.position.y).toBeLessThan(1.4);
      bounced ||= (ball.physicsBody?.getLinearVelocity().y ?? 0) > 0.2;
    });
    expect(bounced).toBe(true);
    deformables.dispose();
    // without cloth it falls
    run(60);
    expect(ball.position.y).toBeLessThan(0);
  });

  it("drapes cloth over static and moving bodies, and notices when they go", async () => {
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const box = CreateBox("box", { size: 0.4 }, scene);
    const aggregate = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 0 }, scene);
    const sheet = makeSheet(scene, 0.6, 10, 0.3);
    const cloth = new ClothAggregate(sheet, {}, scene);
    const middle = async (): Promise<number> => (await cloth.readPositions())[3 * 60 + 1];
    run(90);
    expect(Math.abs((await middle()) - 0.2 - 0.005)).toBeLessThan(0.005);
    aggregate.dispose();
    run(30);
    expect(await middle()).toBeLessThan(0);
  });

  it("drapes cloth over a figure, whose bones carry some of it along", async () => {
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const arm = makeArm(scene);
    new SkeletonAggregate(arm.mesh, {}, scene);
    const sheet = makeSheet(scene, 0.5, 8, ARM_RADIUS + 0.02);
    const cloth = new ClothAggregate(sheet, { attach: { bone: arm.lower, vertices: [44] } }, scene);
    const above = vertexOf(await cloth.readPositions(), 44).y;
    run(20, () => (arm.mesh.position.y += 0.005));
    run(1);
    const positions = await cloth.readPositions();
    expect(vertexOf(positions, 44).y).toBeCloseTo(above + 0.1, 5);
    // along the axis of the arm
    for (let i = 36; i < 45; i++) expect(vertexOf(positions, i).y).toBeGreaterThan(0.1 + ARM_RADIUS - 2e-3);
    expect(vertexOf(positions, 0).y).toBeLessThan(0.1 + ARM_RADIUS - 0.02);
  });

  /** Linear momentum [kg m/s] and angular momentum about the origin [kg m²/s] of a cloth. */
  async function momentum({ body }: ClothAggregate): Promise<Vector3[]> {
    const { positions, velocities } = await body.readState();
    const sums = [Vector3.Zero(), Vector3.Zero()];
    for (let p = 0; p < body.particleCount; p++) {
      const m = Vector3.FromArray(velocities, 3 * p).scaleInPlace(body.model.masses[p]);
      sums[0].addInPlace(m);
      sums[1].addInPlace(Vector3.FromArray(positions, 3 * p).cross(m));
    }
    return sums;
  }

  it.each([
    [0.05, "gpbd"],
    [0.5, "gpbd"],
    [5, "gpbd"],
    [0.05, "newton"],
    [0.5, "newton"],
    [5, "newton"],
  ] as const)("keeps the momentum of a body of %f kg and cloth by %s that nothing holds", async (mass, solver) => {
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    scene.getPhysicsEngine()!.setGravity(Vector3.Zero());
    const sheet = makeSheet(scene, 0.8, 10, 1);
    const options = { solver, damping: 0, ...(solver === "gpbd" && { airDensity: 0 }) };
    const cloth = new ClothAggregate(sheet, { fabric: "rubber-sheet", ...options }, scene);
    const brick = CreateBox("brick", { width: 0.4, height: 0.1, depth: 0.2 }, scene);
    // it hits the sheet off its center, and starts to rotate
    brick.position.set(0.2, 1.12, 0.1);
    const { body } = new PhysicsAggregate(brick, PhysicsShapeType.BOX, { mass, restitution: 0 }, scene);
    body.setLinearVelocity(new Vector3(0.5, -3, 0));
    body.setAngularDamping(0);
    const total = async (): Promise<Vector3[]> => {
      const { mass: m, inertia } = body.getMassProperties();
      const spin = body.getAngularVelocity();
      const toBody = Quaternion.Inverse(brick.rotationQuaternion!);
      // moments are those of a unit mass
      const local = spin.applyRotationQuaternion(toBody).multiplyInPlace(inertia!).scaleInPlace(m!);
      const own = body.getLinearVelocity().scale(m!);
      const [linear, angular] = await momentum(cloth);
      angular
        .addInPlace(brick.position.cross(own))
        .addInPlace(local.applyRotationQuaternion(brick.rotationQuaternion!));
      return [linear.addInPlace(own), angular];
    };
    const [linear, angular] = await total();
    run(30);
    const [after, turning] = await total();
    expect((await momentum(cloth))[0].length()).toBeGreaterThan(0.05 * linear.length());
    expect(body.getAngularVelocity().length()).toBeGreaterThan(0.1);
    expect(Vector3.Distance(after, linear) / linear.length()).toBeLessThan(0.02);
    // steps of newton lose angular momentum by themselves, with Pliant's own bodies too
    // Havok hears of pushes at the end of a frame: 0.002 to 0.021 is lost, as the edges happen to meet.
    if (solver === "gpbd") expect(Vector3.Distance(turning, angular) / angular.length()).toBeLessThan(0.025);
  });

  it("catches thin instances one by one, and gives them no energy", async () => {
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const sheet = makeSheet(scene, 1, 12, 1);
    new ClothAggregate(sheet, { fabric: "rubber-sheet", pins: edge(12), substeps: 12 }, scene);
    const balls = CreateSphere("balls", { diameter: 0.2 }, scene);
    balls.thinInstanceAdd([Matrix.Translation(-0.2, 1.3, 0), Matrix.Translation(0.2, 1.4, 0)]);
    const options = { mass: 3, radius: 0.1, restitution: 0 };
    const { body } = new PhysicsAggregate(balls, PhysicsShapeType.SPHERE, options, scene);
    let bounced = 0;
    run(55, () => {
      for (const y of [13, 29].map((k) => balls._thinInstanceDataStorage.matrixData![k])) {
        expect(y).toBeGreaterThan(0.6);
        expect(y).toBeLessThan(1.41);
      }
      if (body.getLinearVelocity(0).y > 0.2) bounced |= 1;
      if (body.getLinearVelocity(1).y > 0.2) bounced |= 2;
    });
    expect(bounced).toBe(3);
  });

  it("takes code as it is written for Pliant alone", async () => {
    const play = (on: Scene): Mesh => {
      const sheet = makeSheet(on, 1, 12, 1);
      new ClothAggregate(sheet, { fabric: "rubber-sheet", pins: edge(12), substeps: 12 }, on);
      const ball = CreateSphere("ball", { diameter: 0.2 }, on);
      ball.position.set(0, 1.3, 0);
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1, restitution: 0 }, on);
      return ball;
    };
    const alone = await testScene({}, new Vector3(0, -9.81, 0));
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const balls = [play(scene), play(alone.scene)];
    run(45, () => {
      alone.run(1);
      expect(Math.abs(balls[0].position.y - balls[1].position.y)).toBeLessThan(0.02);
    });
    alone.dispose();
  });

  it("leaves Havok's own scene as it is where nothing touches cloth", async () => {
    const fall = (): number => {
      const ball = CreateSphere("ball", { diameter: 0.2 }, scene);
      ball.position.y = 3;
      const aggregate = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
      run(30);
      const { y } = ball.position;
      aggregate.dispose();
      ball.dispose();
      return y;
    };
    const alone = fall();
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    expect(fall()).toBe(alone);
  });

  it("throws in no frame for a gravity that Havok takes, and tells of it once", async () => {
    const { plugin } = await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const cloth = new ClothAggregate(makeSheet(scene, 1, 4), { pins: [0, 4], airDensity: 0 }, scene);
    const problems: string[] = [];
    plugin.onProblemObservable.add(({ error }) => problems.push(error.message));
    const physics = scene.getPhysicsEngine()!;
    physics.setGravity(new Vector3(0, NaN, 0));
    run(3);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("setGravity");
    physics.setGravity(new Vector3(0, -1, 0));
    run(3);
    expect(problems).toHaveLength(1);
    expect(plugin.getGravity().y).toBe(-1);
    expect((await cloth.readPositions()).every(Number.isFinite)).toBe(true);
  });

  it("is refused for a plugin that the scene does not have, and twice", async () => {
    const create = (rigid: HavokPlugin): Promise<unknown> =>
      DeformableScene.CreateAsync(scene, { rigid, backend: "cpu" });
    await expect(create({ name: "other" } as HavokPlugin)).rejects.toThrow(PliantError);
    await create(havok);
    await expect(create(havok)).rejects.toThrow(/exists for this scene already/);
  });
});
