import { describe, expect, it } from "vitest";
import { ballTetrahedra, solidModel, type Vec3, World } from "../../../src/index";

const material = { youngsModulus: 2e4, poissonRatio: 0.4, density: 500, friction: 0.5 };

const ballAt = (center: Vec3) =>
  solidModel({ solver: "newton", ...ballTetrahedra({ radius: 0.1, resolution: 2, center }), name: "ball", material });

describe("bodies of the Newton solver in a world", () => {
  it("need no obstacles in place of the rigid bodies, which they meet in one system", async () => {
    const world = await World.create({ backend: "cpu" });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.1, 1] }, position: [0, -0.1, 0] });
    const body = world.addBody(ballAt([0, 0.11, 0]));
    for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
    expect(world.colliders).toHaveLength(0);
    const heights = (await body.readPositions()).filter((_, i) => i % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(-1e-4);
    expect(Math.max(...heights)).toBeLessThan(0.21);
    world.dispose();
  });
});
