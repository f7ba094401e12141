import { expect, it } from "vitest";
import { castOf } from "../../../bench/rigid/cast";
import { shapeOf } from "../../../bench/rigid/judge";
import { RigidWorld } from "../../../src/index";

it.each([30, 50])("%s bodies in a heap give up what neither Newton nor sweeps lower", async (count) => {
  const { bodies } = await castOf("pile", { count });
  const world = new RigidWorld({ sleeping: false });
  for (const { shape, isDynamic, mass, friction, position, rotation } of bodies)
    world.addBody({
      shape: shapeOf(shape),
      motion: isDynamic ? "dynamic" : "static",
      ...(isDynamic ? { mass } : {}),
      friction,
      position,
      rotation,
    });
  let wasted = 0;
  for (let frame = 0; frame < 180; frame++) {
    world.dynamics.reports = [];
    world.step(1 / 60);
    for (const { residuals } of world.dynamics.reports) {
      let least = Infinity;
      let lowered = 0;
      residuals.forEach((residual, k) => {
        if (residual > 0.9 * least) return;
        least = residual;
        lowered = k;
      });
      wasted = Math.max(wasted, residuals.length - 1 - lowered);
    }
  }
  // 64 in hundreds of steps, as long as only joints could stall.
  expect(wasted).toBeLessThan(16);
});
