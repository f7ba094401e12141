import { describe, expect, it } from "vitest";
import { boxTetrahedra, type ColliderShape, solidModel, type Quat } from "../../../src/index";
import { backends, inWorld } from "../worlds";

const RADIUS = 0.04;
const bar: ColliderShape = { type: "capsule", pointA: [0, 0, -0.5], pointB: [0, 0, 0.5], radius: RADIUS };
const rail: ColliderShape = { type: "box", halfExtents: [RADIUS, RADIUS, 0.5] };
const upright: Quat = [0, 0, 0, 1];
const askew: Quat = [0, 0, 0.38, 0.92];

/** Obstacles as thin as the cells of a cube, which fit between its vertices: shape, rotation, cells along an edge, Young's modulus, speed. */
const pushed: [string, ColliderShape, Quat, number, number, number][] = [
  ["a slow bar", bar, upright, 5, 5e4, 2],
  ["a bar", bar, upright, 5, 5e4, 5],
  ["a bar, at other vertices", bar, askew, 4, 5e4, 5],
  ["a fast bar and stiff rubber", bar, askew, 5, 1e6, 20],
  ["a rail", rail, upright, 5, 2e5, 8],
];

describe.each(backends)("thin obstacles that move by themselves, on %s", (backend) => {
  it.each(backend === "cpu" ? pushed : pushed.slice(1, 3))(
    "push a solid of gpbd along: %s",
    async (_name, shape, rotation, cells, youngsModulus, speed) => {
      await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const cube = boxTetrahedra({ size: [0.4, 0.4, 0.4], cells: [cells, cells, cells] });
        const body = world.addBody(
          solidModel({ ...cube, material: { youngsModulus, poissonRatio: 0.35, density: 1000 } }),
        );
        let x = -0.25 - RADIUS;
        const obstacle = world.addRigidBody({ motion: "kinematic", shape, rotation, position: [x, 0, 0] });
        while (x < 0.6) {
          x += speed / 60;
          obstacle.moveTo([x, 0, 0]);
          world.step(1 / 60);
        }
        const { positions } = await body.readState();
        let foremost = -Infinity;
        for (let i = 0; i < positions.length; i += 3) foremost = Math.max(foremost, positions[i]);
        // Something of it is still before the obstacle.
        expect(foremost).toBeGreaterThan(x + RADIUS);
      });
    },
  );
});
