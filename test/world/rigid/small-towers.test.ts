import { describe, expect, it } from "vitest";
import { floorWorld, run } from "./worlds";

describe("towers of small boxes", () => {
  it.each([0.01, 0.003, 0.001, 0.0002])("ten of %s m stand at 60 Hz", (size) => {
    const world = floorWorld();
    const half = 0.5 * size;
    const boxes = Array.from({ length: 10 }, (_, i) =>
      world.addBody({ shape: { type: "box", halfExtents: [half, half, half] }, position: [0, half + i * size, 0] }),
    );
    let fastest = 0;
    run(world, 2, 1 / 60, () => {
      for (const box of boxes) fastest = Math.max(fastest, Math.hypot(...box.linearVelocity));
    });
    expect(fastest / size).toBeLessThan(0.1);
    boxes.forEach((box, i) => expect(Math.abs(box.position[1] / size - 0.5 - i)).toBeLessThan(1e-3));
    expect(boxes.every((box) => box.isAsleep)).toBe(true);
  });
});
