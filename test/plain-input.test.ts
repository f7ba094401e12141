import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  gridMesh,
  PliantError,
  ropeModel,
  solidModel,
  World,
} from "../src/index";

/** Values that callers without types may pass by mistake. */
const WRONG: readonly unknown[] = [undefined, null, 1, -1, "x", {}, [], [null], [[]], () => 1, true, NaN, Infinity];

/** A call may accept what it gets, or refuse it by name. */
function acceptsOrRefuses(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    expect(error.message).toMatch(/: .+, got /);
  }
}

/** Each wrong value as the whole argument, and in the place of each part of a good one. */
function vary(call: (argument: never) => unknown, good: object): void {
  for (const value of WRONG) {
    acceptsOrRefuses(() => call(value as never));
    for (const key of Object.keys(good)) acceptsOrRefuses(() => call({ ...good, [key]: value } as never));
  }
}

const GRID = gridMesh({ width: 1, height: 1, columns: 2, rows: 2, plane: "xz" });
const SHAPE = { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const;
const ROPE = { positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], radius: 0.1, youngsModulus: 1e6, density: 1e3 };

describe("calls from plain JavaScript", () => {
  it.each(["gpbd", "local-global", "newton"] as const)("make models of %s or are refused by name", (solver) => {
    const tetrahedra = boxTetrahedra({ size: [1, 1, 1], cells: [1, 1, 1] });
    vary(clothModel, { ...GRID, fabric: "cotton", solver });
    const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1e3 };
    vary(solidModel, { ...tetrahedra, solver, material });
    vary(ropeModel, { ...ROPE, solver });
  });

  it("make bodies of a world or are refused by name", async () => {
    const world = await World.create({ backend: "cpu" });
    const a = world.addRigidBody({ shape: SHAPE });
    const b = world.addRigidBody({ shape: SHAPE, position: [3, 0, 0] });
    const cloth = world.addBody(clothModel({ ...GRID, fabric: "cotton" }));
    vary((options) => world.addRigidBody(options), { shape: SHAPE, mass: 1, position: [0, 0, 0], friction: 0.5 });
    vary((shape) => world.addCollider(shape), SHAPE);
    vary((options) => world.addJoint(options), { type: "ball", bodyA: a, bodyB: b, pivotA: [0, 0, 0] });
    vary((options) => world.addBody(cloth.model, options), { substeps: 4, thickness: 0.01, friction: 0.5, pins: [0] });
    vary((options) => addAttachment(world, options), { body: cloth, vertices: [0], to: { rigid: a }, compliance: 0 });
    for (const value of WRONG as readonly never[]) {
      acceptsOrRefuses(() => world.addBody(value));
      acceptsOrRefuses(() => world.addMechanism(value));
      acceptsOrRefuses(() => world.restore(value));
      acceptsOrRefuses(() => world.step(value));
      acceptsOrRefuses(() => (world.gravity = value));
      acceptsOrRefuses(() => cloth.pin(value));
      acceptsOrRefuses(() => (a.linearVelocity = value));
      acceptsOrRefuses(() => {
        a.applyImpulse(value, [0, 0, 0]);
      });
    }
    world.dispose();
  });
});
