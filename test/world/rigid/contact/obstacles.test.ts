import { describe, expect, it } from "vitest";
import { gridCloth, verticesWhere } from "../../cloths";
import { backends, frameTime, inWorld } from "../../worlds";

describe.each(backends)("rigid bodies and cloth of one world on %s", (backend) => {
  it("push each other: a box bounces in a trampoline, and a joint holds it meanwhile", () =>
    inWorld(backend, {}, async (world) => {
      const model = gridCloth({ width: 1, height: 1, columns: 11, rows: 11 }, { fabric: "rubber-sheet" });
      const edge = verticesWhere(model.positions, (x, _y, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.49);
      const cloth = world.addBody(model, { pins: edge, substeps: 10, airDensity: 0 });
      const shape = { type: "box", halfExtents: [0.1, 0.05, 0.1] } as const;
      const box = world.addRigidBody({ shape, position: [0, 0.25, 0], mass: 1 });
      const rail = world.addRigidBody({ motion: "static" });
      // it may only go up and down
      world.addJoint({ type: "prismatic", bodyA: rail, bodyB: box, axisA: [0, 1, 0], axisB: [0, 1, 0] });
      let [lowest, highest, fastest] = [1, 0, 0];
      for (let frame = 0; frame < 50; frame++) {
        world.step(frameTime);
        await world.settled();
        lowest = Math.min(lowest, box.position[1]);
        fastest = Math.max(fastest, box.linearVelocity[1]);
        if (fastest > 0) highest = Math.max(highest, box.position[1]);
      }
      expect(lowest).toBeLessThan(0.03);
      expect(lowest).toBeGreaterThan(-0.4);
      expect(fastest).toBeGreaterThan(0.5);
      expect(highest).toBeLessThan(0.25);
      expect(Math.hypot(box.position[0], box.position[2])).toBeLessThan(1e-3);
      expect(world.colliders).toHaveLength(1);
      const { positions } = await cloth.readState();
      expect(positions.every(Number.isFinite)).toBe(true);
      box.dispose();
      world.step(frameTime);
      expect(world.colliders).toHaveLength(0);
    }));
});
