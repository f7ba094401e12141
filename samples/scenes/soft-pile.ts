import { ballTetrahedra, boxTetrahedra, type DeformableBody, type Vec3 } from "../../src/index";
import {
  addSolid,
  contactForces,
  ContactMeter,
  contactMetrics,
  fastest,
  localGlobalParameters,
  massOf,
  meanOf,
} from "../local-global";
import { numberOf } from "../parameters";
import { random } from "../rigid";
import type { SceneDefinition } from "../scene";

const GRAVITY = 9.81;
const SIZE = 0.2;
const FRAMES = 240;

/** Soft cubes and balls fall into a heap. */
export const softPile: SceneDefinition = {
  name: "soft-pile",
  title: "Soft pile",
  description: "Soft cubes and balls fall between four walls and come to rest on one another, all in one system.",
  frames: FRAMES,
  groundHeight: 0,
  view: { target: [0, 0.25, 0], alpha: -1.2, beta: 1.1, radius: 2 },
  parameters: [
    ...localGlobalParameters({ youngsModulus: 1e5, poissonRatio: 0.35, iterations: 5 }),
    { name: "count", default: 20, unit: "", range: [1, 60], integer: true, description: "bodies" },
    { name: "cells", default: 2, unit: "", range: [1, 10], integer: true, description: "cells along a cube" },
  ],
  metrics: [
    {
      name: "groundForceError",
      unit: "",
      bound: 0.01,
      description: "of what ground and walls carry at rest, against the weight",
    },
    {
      name: "bodyForceError",
      unit: "",
      bound: 0.01,
      description: "of what carries a body, against its weight: of the worst",
    },
    { name: "speed", unit: "m/s", bound: 0.02, description: "of the fastest vertex at the end" },
    ...contactMetrics,
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const friction = numberOf(values, "friction");
    const wall = 0.31;
    world.addCollider({ type: "box", halfExtents: [10, 1, 10], center: [0, -1, 0] }, { friction });
    for (const side of [-1, 1]) {
      world.addCollider({ type: "box", halfExtents: [0.5, 5, 5], center: [side * (wall + 0.5), 5, 0] }, { friction });
      world.addCollider({ type: "box", halfExtents: [5, 5, 0.5], center: [0, 5, side * (wall + 0.5)] }, { friction });
    }
    const cells = numberOf(values, "cells");
    const next = random(7);
    const bodies: DeformableBody[] = [];
    for (let k = 0; k < numberOf(values, "count"); k++) {
      const place = (quarter: number): number => (quarter === 0 ? -0.15 : 0.15) + 0.06 * (next() - 0.5);
      const center: Vec3 = [place(k & 1), 0.11 + 0.22 * Math.floor(k / 4), place((k >> 1) & 1)];
      const mesh =
        k % 2 === 0
          ? boxTetrahedra({ size: [SIZE, SIZE, SIZE], cells: [cells, cells, cells], center })
          : ballTetrahedra({ radius: SIZE / 2, resolution: cells + 1, center });
      bodies.push(addSolid(world, values, `body ${k}`, mesh, { damping: 1 }));
    }
    const meter = new ContactMeter(world);
    return {
      props: [],
      softs: bodies.map((body, k) => ({ body, material: k % 2 === 0 ? "clay" : "rubber" })),
      afterStep: () => meter.update(),
      async measure() {
        let [carried, weight, worst, speed] = [0, 0, 0, 0];
        for (const body of bodies) {
          const own = massOf(body) * GRAVITY;
          const force = contactForces(world, body).reduce((sum, [, y]) => sum + y, 0);
          carried += force;
          weight += own;
          worst = Math.max(worst, Math.abs(force / own - 1));
          const { positions, velocities } = await body.readState();
          speed = Math.max(speed, fastest(velocities));
          if (meanOf(body, positions)[1] < 0) worst = Math.max(worst, 1);
        }
        // forces between bodies cancel
        return { groundForceError: Math.abs(carried / weight - 1), bodyForceError: worst, speed, ...meter.measure() };
      },
    };
  },
};
