import { distance } from "../../src/math/vectors";
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
  momentumOf,
} from "../local-global";
import { numberOf } from "../parameters";
import { random } from "../rigid";
import type { Prop, SceneDefinition } from "../scene";

const GRAVITY = 9.81;
const SIZE = 0.2;
const FRAMES = 240;
/** Half the thickness, and the height, of the drawn walls [m]; for contact they are thicker, and endless. */
const PANE = 0.005;
const PANE_HEIGHT = 1.15;
/** [1/s] */
const DAMPING = 2;

const LOOKS = ["amber", "rubber", "porcelain"] as const;

/** Soft cubes and balls fall into a heap. */
export const softPile: SceneDefinition = {
  name: "soft-pile",
  title: "Soft pile",
  description: "Soft cubes and balls fall between four walls and come to rest on one another, all in one system.",
  frames: FRAMES,
  groundHeight: 0,
  view: { target: [0, 0.4, 0], alpha: -1.05, beta: 1.2, radius: 1.9 },
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
    {
      name: "drift",
      unit: "m",
      bound: 1e-3,
      description: "way of a body's middle in the last second: of the worst",
    },
    {
      name: "momentumError",
      unit: "",
      bound: 0.01,
      description:
        "of what a frame changes the momentum of all by, against weight, ground, walls and damping: part of the weight",
    },
    { name: "speed", unit: "m/s", bound: 0.02, description: "of the fastest vertex at the end" },
    ...contactMetrics,
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const friction = numberOf(values, "friction");
    const wall = 0.31;
    world.addCollider({ type: "box", halfExtents: [10, 1, 10], center: [0, -1, 0] }, { friction });
    const props: Prop[] = [];
    for (const side of [-1, 1]) {
      const [at, height] = [side * (wall + PANE), PANE_HEIGHT / 2];
      const panes = [
        { type: "box", halfExtents: [PANE, height, wall], center: [at, height, 0] },
        { type: "box", halfExtents: [wall, height, PANE], center: [0, height, at] },
      ] as const;
      props.push(...panes.map((shape): Prop => ({ shape, material: "pane" })));
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
        (k + (k >> 2)) % 2 === 0
          ? boxTetrahedra({ size: [SIZE, SIZE, SIZE], cells: [cells, cells, cells], center })
          : ballTetrahedra({ radius: SIZE / 2, resolution: cells + 1, center });
      bodies.push(addSolid(world, values, `body ${k}`, mesh, { damping: DAMPING }));
    }
    const meter = new ContactMeter(world);
    const weight = bodies.reduce((sum, body) => sum + massOf(body), 0) * GRAVITY;
    const h = numberOf(values, "frameTime");
    let momentum: Vec3 = [0, 0, 0];
    let momentumError = 0;
    let middles: Vec3[] = [];
    let drift = 0;
    return {
      props,
      softs: bodies.map((body, k) => ({ body, material: LOOKS[k % LOOKS.length] })),
      async afterStep(frame) {
        meter.update();
        const states = await Promise.all(bodies.map((body) => body.readState()));
        const now = momentumOf(
          bodies.map((body, k) => [body, states[k]] as const),
          [],
        );
        const force: [number, number, number] = [0, -weight, 0];
        for (const body of bodies)
          for (const own of contactForces(world, body)) own.forEach((value, c) => (force[c] += value));
        const expected = momentum.map((value, c) => value / (1 + h * DAMPING) + h * force[c]) as unknown as Vec3;
        momentumError = Math.max(momentumError, distance(now, expected) / (h * weight));
        momentum = now;
        if (frame < FRAMES - 60) return;
        const places = bodies.map((body, k) => meanOf(body, states[k].positions));
        if (middles.length === 0) middles = places;
        drift = Math.max(drift, ...places.map((place, k) => distance(place, middles[k])));
      },
      async measure() {
        let [carried, worst, speed] = [0, 0, 0];
        for (const body of bodies) {
          const own = massOf(body) * GRAVITY;
          const force = contactForces(world, body).reduce((sum, [, y]) => sum + y, 0);
          carried += force;
          worst = Math.max(worst, Math.abs(force / own - 1));
          const { positions, velocities } = await body.readState();
          speed = Math.max(speed, fastest(velocities));
          if (meanOf(body, positions)[1] < 0) worst = Math.max(worst, 1);
        }
        // forces between bodies cancel
        return {
          groundForceError: Math.abs(carried / weight - 1),
          bodyForceError: worst,
          // only steps as long as a frame have the forces of the frame
          ...(numberOf(values, "substeps") === 1 ? { momentumError } : {}),
          drift,
          speed,
          ...meter.measure(),
        };
      },
    };
  },
};
