import { describe, expect, it } from "vitest";
import { random } from "../../../samples/rigid";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { World } from "../../../src/world/world";
import { expectRefused, expectRejected } from "../../refusal";

/** Deepest contact while 80 boxes dropped into a narrow pit come to rest [m]. */
function pile(quality: "fast" | "precise"): number {
  const world = new RigidWorld({ quality, sleeping: false });
  world.addBody({ motion: "static", shape: { type: "box", halfExtents: [5, 1, 5] }, position: [0, -1, 0] });
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ])
    world.addBody({
      motion: "static",
      shape: { type: "box", halfExtents: [x === 0 ? 2 : 0.5, 9, x === 0 ? 0.5 : 2] },
      position: [1.1 * x, 9, 1.1 * z],
    });
  const next = random(11);
  for (let k = 0; k < 80; k++)
    world.addBody({
      shape: { type: "box", halfExtents: [0.15, 0.12, 0.1] },
      position: [0.3 * ((k % 3) - 1), 0.2 + 0.3 * Math.floor(k / 9), 0.3 * ((Math.floor(k / 3) % 3) - 1)],
      rotation: [next() - 0.5, next() - 0.5, next() - 0.5, 1],
    });
  let deepest = 0;
  for (let frame = 0; frame < 120; frame++) {
    world.step(1 / 60);
    for (let c = 0; frame > 80 && c < world.contacts.count; c++)
      deepest = Math.max(deepest, -world.contacts.separation[c]);
  }
  return deepest;
}

describe("quality", () => {
  it("trades time against penetration", () => {
    const [fast, precise] = [pile("fast"), pile("precise")];
    expect(precise).toBeLessThan(0.6 * fast);
    // The deepest hits are a matter of chance: 1 to 7 mm over seeds.
    expect(fast).toBeLessThan(8e-3);
  });

  it("sets options of the solver, which may be given besides", () => {
    const world = new RigidWorld({ quality: "fast" });
    expect(world.quality).toBe("fast");
    const { smallSteps } = world.dynamics.options;
    world.quality = "precise";
    expect(world.dynamics.options.smallSteps).toBeGreaterThan(smallSteps);
    expect(new RigidWorld({ quality: "fast", solver: { smallSteps: 13 } }).dynamics.options.smallSteps).toBe(13);
  });

  it("that there is not is refused, and nothing is changed", async () => {
    const world = new RigidWorld();
    const before = { ...world.dynamics.options };
    expectRefused(() => (world.quality = "best" as "fast"), "invalid-argument", /RigidWorld\.quality.*fast.*best/);
    expect(world.dynamics.options).toEqual(before);
    expect(world.quality).toBe("balanced");
    await expectRejected(World.create({ rigidQuality: "" as "fast" }), "invalid-argument", /World\.rigidQuality/);
  });
});
