import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, fabrics, type PliantPluginOptions, SoftBodyAggregate } from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { makeSheet, mean, testScene, type TestScene } from "./fixtures";

let t: TestScene;
async function begin(options: PliantPluginOptions = {}): Promise<void> {
  t = await testScene(options);
  const floor = CreateBox("floor", { width: 6, depth: 6, height: 0.2 }, t.scene);
  floor.position.y = -0.1;
  new PhysicsAggregate(floor, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, t.scene);
}
beforeEach(() => begin());
afterEach(() => t.dispose());

/** A dynamic box with Babylon's default restitution of 0.2, which would bounce from an impact. */
function plank(mass: number, y = 0.1): PhysicsAggregate {
  const box = CreateBox("plank", { width: 0.4, depth: 0.4, height: 0.2 }, t.scene);
  box.position.y = y;
  return new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass, friction: 0.5 }, t.scene);
}

type Case = readonly [solver: "gpbd" | "local-global", softMass: number, mass: number];

describe("what is deformable on a dynamic body that stands on the ground", () => {
  it.each<Case>([
    ["gpbd", 8, 0.2],
    ["gpbd", 40, 1],
    ["gpbd", 8, 40],
    ["local-global", 8, 0.2],
    ["local-global", 40, 1],
  ])("%s: a cube of %f kg neither moves a box of %f kg, nor is thrown", async (solver, softMass, mass) => {
    const { body, transformNode } = plank(mass);
    const cube = CreateBox("cube", { size: 0.2 }, t.scene);
    cube.position.y = 0.31;
    const soft = new SoftBodyAggregate(
      cube,
      { solver, density: softMass / 0.008, youngsModulus: 5e4, resolution: 2 },
      t.scene,
    );
    const start = transformNode.position.clone();
    for (let k = 0; k < 8; k++) {
      t.run(5);
      expect(mean(await soft.readPositions()).y).toBeGreaterThan(0.25);
      expect(mean(await soft.readPositions()).y).toBeLessThan(0.36);
    }
    expect(Vector3.Distance(transformNode.position, start)).toBeLessThan(1e-3);
    expect(body.getLinearVelocity().length()).toBeLessThan(1e-3);
    const rest = transformNode.position.clone();
    t.run(10);
    expect(Vector3.Distance(transformNode.position, rest)).toBeLessThan(1e-6);
  });

  it("a stack of two boxes stands under it, and a sheet of ten times their weight", async () => {
    const boxes = [plank(0.5, 0.1), plank(0.5, 0.3)];
    const sheet = makeSheet(t.scene, 0.5, 8, 0.42);
    new ClothAggregate(sheet, { fabric: { ...fabrics.denim, areaDensity: 40 }, airDensity: 0 }, t.scene);
    const starts = boxes.map(({ transformNode }) => transformNode.position.clone());
    t.run(60);
    boxes.forEach(({ transformNode }, i) =>
      expect(Vector3.Distance(transformNode.position, starts[i])).toBeLessThan(2e-3),
    );
  });

  it.each(["gpbd", "local-global"] as const)("%s: nor where the GPU is heard of frames later", async (solver) => {
    t.dispose();
    await begin({ backend: "webgpu", gpu: await lentGpu() });
    const { transformNode } = plank(0.2);
    const start = transformNode.position.clone();
    const cube = CreateBox("cube", { size: 0.2 }, t.scene);
    cube.position.y = 0.31;
    const soft = new SoftBodyAggregate(cube, { solver, density: 1000, youngsModulus: 5e4, resolution: 2 }, t.scene);
    for (let k = 0; k < 10; k++) {
      t.run(3);
      await t.plugin.world.settled();
    }
    expect(Math.abs(transformNode.position.y - start.y)).toBeLessThan(1e-3);
    expect(Vector3.Distance(transformNode.position, start)).toBeLessThan(5e-3);
    expect(mean(await soft.readPositions()).y).toBeGreaterThan(0.25);
  });

  it.each<readonly [speed: number, softMass: number, mass: number]>([
    [2, 8, 0.2],
    [5, 8, 1],
    [5, 8, 8],
    [10, 1, 20],
  ])("a cube at %f m/s and of %f kg pushes a box of %f kg aside, and no energy comes of it", async (...hit) => {
    const [speed, softMass, mass] = hit;
    const { body, transformNode } = plank(mass);
    const cube = CreateBox("cube", { size: 0.18 }, t.scene);
    cube.position.set(-0.3, 0.1, 0.02);
    const material = { density: softMass / 0.18 ** 3, youngsModulus: 1e5, resolution: 2 };
    const soft = new SoftBodyAggregate(cube, { ...material, airDensity: 0 }, t.scene);
    const { positions, velocities } = await soft.body.readState();
    soft.body.writeState({ positions, velocities: velocities.map((_, i) => (i % 3 === 0 ? speed : 0)) });
    const most = 0.5 * softMass * speed * speed;
    for (let frame = 0; frame < 20; frame++) {
      t.run(1);
      const v = body.getLinearVelocity();
      const moving = (await soft.body.readState()).velocities;
      const energy = soft.body.model.masses.reduce(
        (sum, m, p) => sum + 0.5 * m * (moving[3 * p] ** 2 + moving[3 * p + 1] ** 2 + moving[3 * p + 2] ** 2),
        0.5 * mass * v.lengthSquared(),
      );
      expect(energy, `frame ${frame}`).toBeLessThan(1.02 * most);
    }
    expect(transformNode.position.x).toBeGreaterThan(0.001);
    expect(transformNode.position.y).toBeGreaterThan(0.095);
  });
});
