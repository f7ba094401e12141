import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, fabrics, type FabricName } from "../../plugin/index";
import type { SolverName } from "../../src/index";
import { expectRefusal, makeSheet, refusal, testScene, vertexAt, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => void (t = await testScene()));
afterEach(() => t.dispose());

const names = Object.keys(fabrics) as FabricName[];
const solvers: readonly SolverName[] = ["gpbd", "local-global", "newton"];

const massOf = (cloth: ClothAggregate): number => cloth.body.model.masses.reduce((sum, mass) => sum + mass, 0);

describe.each(solvers)("setFabric of cloth of the solver %s", (solver) => {
  it("takes every fabric in turn: mass and friction are those of the fabric, the state stays", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 6), { solver, pins: [0, 6] }, t.scene);
    t.run(5);
    for (const name of [...names, "cotton" as const]) {
      const [positions, velocities] = [await cloth.readPositions(), await cloth.readVelocities()];
      cloth.setFabric(name);
      expect(massOf(cloth)).toBeCloseTo(fabrics[name].areaDensity, 10);
      expect(cloth.body.options.friction).toBe(fabrics[name].friction);
      expect(await cloth.readPositions()).toEqual(positions);
      expect(await cloth.readVelocities()).toEqual(velocities);
      t.run(2);
    }
    expect((await cloth.body.readState()).positions.every(Number.isFinite)).toBe(true);
  });

  it("keeps pins, what a node carries, and options that were set", async () => {
    const hook = new TransformNode("hook", t.scene);
    const options = { solver, pins: [0], attach: { node: hook, vertices: [6] }, friction: 0.77 } as const;
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 6), options, t.scene);
    const start = await cloth.readPositions();
    t.run(5);
    cloth.setFabric("denim");
    hook.position.y = 0.1;
    t.run(5);
    const now = await cloth.readPositions();
    expect(Vector3.Distance(vertexAt(now, 0), vertexAt(start, 0))).toBeLessThan(1e-6);
    expect(Vector3.Distance(vertexAt(now, 6), vertexAt(start, 6).addInPlaceFromFloats(0, 0.1, 0))).toBeLessThan(1e-6);
    expect(cloth.body.options.friction).toBe(0.77);
  });

  it("refuses what is no fabric, and stays of the one that it has", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { solver }, t.scene);
    const { model } = cloth.body;
    const { message } = refusal(() => cloth.setFabric("cottn" as FabricName));
    expect(message).toContain("cotton");
    expectRefusal(() => cloth.setFabric({ ...fabrics.silk, areaDensity: -1 }), "invalid-argument", "areaDensity");
    expect(cloth.body.model).toBe(model);
    cloth.dispose();
    expectRefusal(() => cloth.setFabric("silk"), "disposed");
  });
});

it("keeps the folds of a cloth with another fabric", async () => {
  const options = { fabric: "denim", plasticity: { yield: 1e-4 }, pins: [0, 6], airDensity: 0 } as const;
  const cloth = new ClothAggregate(makeSheet(t.scene, 1, 6), options, t.scene);
  t.run(5);
  const folds = (await cloth.body.readState()).plastic;
  expect(folds?.some((bend) => bend !== 0)).toBe(true);
  cloth.setFabric("cotton");
  expect((await cloth.body.readState()).plastic).toEqual(folds);
  const { model } = cloth.body;
  expectRefusal(() => cloth.setFabric("stockinette"), "unsupported", "plasticity");
  expect(cloth.body.model).toBe(model);
  t.run(5);
  const later = (await cloth.body.readState()).plastic;
  expect(later).not.toEqual(folds);
  expect((await cloth.readPositions()).every(Number.isFinite)).toBe(true);
});
