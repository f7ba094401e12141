import { expect, test } from "vitest";
import { gridCloth, verticesWhere } from "./cloths";
import { expectWithin } from "../figures";
import { inWorld, run } from "./worlds";

// Boxes on a table that may move do not draw out the cloth between them and the table. Taken for loads on it, they fell through both.
test.each([
  { tableMass: 40, boxMass: 1, size: 1 },
  { tableMass: 8, boxMass: 1, size: 1 },
])("boxes on a pinned cloth stay on a dynamic table of $tableMass kg", ({ tableMass, boxMass, size }) =>
  inWorld("cpu", {}, async (world) => {
    const ground = { type: "box", halfExtents: [20, 1, 20] } as const;
    world.addRigidBody({ motion: "static", shape: ground, position: [0, -1, 0] });
    const half = 0.5 * size;
    const table = { type: "box", halfExtents: [half, 0.7 * half, half] } as const;
    world.addRigidBody({ shape: table, mass: tableMass, position: [0, 0.7 * half, 0] });
    const center = [0, 0.7 * size + 0.005, 0] as const;
    const model = gridCloth({ width: 0.9 * size, height: 0.9 * size, columns: 10, rows: 10, plane: "xz", center });
    const pins = verticesWhere(model.positions, (x, _, z) => Math.min(Math.abs(x), Math.abs(z)) > 0.449 * size);
    world.addBody(model, { pins });
    const shape = { type: "box", halfExtents: [0.06 * size, 0.05 * size, 0.06 * size] } as const;
    const boxes = [0, 1, 2].map((k) =>
      world.addRigidBody({ shape, mass: boxMass, position: [0.2 * size * (k - 1), 0.78 * size, 0.1 * size * k] }),
    );
    await world.settled();
    for (let frame = 0; frame < 30; frame++) {
      run(world, 1);
      await world.settled();
    }
    for (const { position } of boxes) {
      expect(position[1], "on the table").toBeGreaterThan(0.74 * size);
      expectWithin(
        "height over the table beside that of cloth and box [m]",
        Math.abs(position[1] - 0.75 * size),
        0.012,
      );
    }
  }),
);
