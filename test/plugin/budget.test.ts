import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ClothAggregate,
  RopeAggregate,
  SoftBodyAggregate,
  type RopeOptions,
  type SoftBodyOptions,
} from "../../plugin/index";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeAll(async () => void (t = await testScene()));
afterAll(() => t.dispose());

const substepsOf = (aggregate: ClothAggregate | RopeAggregate, frames = 1): number => {
  void aggregate.cost;
  t.run(frames);
  const { substeps } = aggregate.cost!;
  aggregate.dispose();
  return substeps;
};
const cloth = (options = {}): ClothAggregate => new ClothAggregate(makeSheet(t.scene, 1, 32), options, t.scene);
const jelly = (options: SoftBodyOptions): SoftBodyAggregate =>
  new SoftBodyAggregate(CreateBox("box", { size: 0.5 }, t.scene), options, t.scene);
const rope = (options: RopeOptions, height = 5): RopeAggregate =>
  new RopeAggregate({ path: [new Vector3(0, height, 0), new Vector3(2, height, 0)], radius: 0.01 }, options, t.scene);

describe("budget of a body", () => {
  it("bounds the substeps of cloth, also later, and leaves those that the user sets", () => {
    expect(substepsOf(cloth())).toBe(16);
    expect(substepsOf(cloth({ tethers: false }))).toBe(26);
    expect(substepsOf(cloth({ budget: 2 }))).toBe(8);
    expect(substepsOf(cloth({ budget: 2, substeps: 40 }))).toBe(40);
    const later = cloth({ tethers: false });
    later.setOptions({ budget: 2 });
    expect(later.body.options.substeps).toBe(8);
    later.setOptions({ budget: 100 });
    expect(substepsOf(later)).toBe(26);
  });

  it("does not take from cloth on tethers what it allows", () => {
    const wanted = new ClothAggregate(makeSheet(t.scene, 1, 48), { pins: [0, 48] }, t.scene);
    const bounded = new ClothAggregate(makeSheet(t.scene, 1, 48), { pins: [0, 48], budget: 6 }, t.scene);
    const substeps = substepsOf(wanted);
    expect(bounded.body.options.substeps).toBeLessThan(0.5 * wanted.body.options.substeps!);
    expect(substepsOf(bounded)).toBe(substeps);
  });

  it("gives soft bodies coarser tetrahedra, and ropes longer segments", () => {
    const [free, bounded, own] = [jelly({}), jelly({ budget: 3 }), jelly({ budget: 3, resolution: 2 })];
    expect(bounded.body.particleCount).toBeLessThan(0.7 * free.body.particleCount);
    expect(bounded.body.options.substeps).toBeLessThan(free.body.options.substeps!);
    // Of two cubes along a side.
    expect(own.body.particleCount).toBeLessThan(0.5 * bounded.body.particleCount);
    // The mass stays, whatever the lattice leaves out.
    const mass = ({ body }: SoftBodyAggregate): number => body.model.masses.reduce((sum, m) => sum + m, 0);
    expect(mass(bounded) / mass(free)).toBeCloseTo(1, 6);
    const points = (options: RopeOptions): number => rope(options).pointCount;
    expect(points({})).toBe(101);
    expect(points({ budget: 2 })).toBeLessThan(60);
    expect(points({ budget: 2, segments: 90 })).toBe(91);
    expect(points({ budget: 1e-3 })).toBe(9);
    for (const aggregate of t.plugin.deformableAggregates) aggregate.dispose();
  });

  it("also bounds what loads ask for", () => {
    const laden = (options: RopeOptions): RopeAggregate => {
      const box = CreateBox("load", { size: 0.2 }, t.scene);
      box.position.set(2.1, 20, 0);
      new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 1000 }, t.scene);
      return rope({ segments: 20, pins: [0, 1], attach: { node: box, at: "end" }, ...options }, 20);
    };
    const [free, bounded] = [substepsOf(laden({}), 3), substepsOf(laden({ budget: 2 }), 3)];
    expect(free).toBeGreaterThan(60);
    expect(bounded).toBeLessThan(35);
  });

  it("is refused out of its range, and by other solvers", () => {
    expectRefusal(() => cloth({ budget: 0 }), "invalid-argument", "budget");
    expectRefusal(() => cloth({ budget: 1, solver: "local-global" }), "unsupported", "budget");
    expectRefusal(() => jelly({ budget: NaN }), "invalid-argument", "budget");
    expectRefusal(() => rope({ budget: 1, solver: "newton" }), "unsupported", "budget");
  });
});
