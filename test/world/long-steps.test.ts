/** A step of half a second, as after a page was hidden, leaves no energy behind that throws a body in the next frames. */
import { it } from "vitest";
import { clothModel, gridMesh } from "../../src/index";
import { expectWithin } from "../figures";
import { inWorld } from "./worlds";

const GRAVITY = 9.81;

it.each([
  [0.1, 0.5],
  [1, 0.5],
])("cloth of %f m that hangs at an edge swings on after a step of %f s", (size, long) =>
  inWorld("cpu", { gravity: [0, -GRAVITY, 0] }, async (world) => {
    const mesh = gridMesh({ width: size, height: size, columns: 6, rows: 6, plane: "xz" });
    const model = clothModel({ solver: "local-global", ...mesh, fabric: "cotton" });
    const end = [...model.masses.keys()].filter((v) => model.positions[3 * v] < -0.49 * size);
    const body = world.addBody(model, { pins: end });
    await world.whenReadyAsync();
    for (let i = 0; i < 5; i++) world.step(1 / 60);
    world.step(long);
    let most = 0;
    for (let i = 0; i < 8; i++) {
      world.step(1 / 60);
      const { velocities: v } = await body.readState();
      for (let k = 0; k < v.length; k += 3) most = Math.max(most, Math.hypot(v[k], v[k + 1], v[k + 2]));
    }
    // the end of a rod that falls from the horizontal has √(3 g L)
    expectWithin("speed / that of a rod's end", most / Math.sqrt(3 * GRAVITY * size), 1);
  }),
);
