import { addAttachment, gridMesh, ropeModel } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { numberOf } from "../parameters";
import { Cast } from "../rigid";
import type { SceneDefinition } from "../scene";
import { gantry } from "../stands";

const SIDE = 0.8;
const TOP = 2;
const ROPE = 0.5;
const SEGMENTS = 10;
const HALF = 0.06;
/** Distance between the upper corners that are held, as a part of the width of both capes. */
const SLACK = 0.8;

/** Two capes are sewn together, a rope is tied to a corner of one, and a box hangs on the rope. */
export const sewnCapes: SceneDefinition = {
  name: "sewn-capes",
  title: "Sewn capes",
  description:
    "Two pieces of cloth are sewn together along a side and hang by their outer corners. A rope is tied to the lower end of " +
    "the seam, and a box hangs on the rope: everything holds everything else.",
  frames: 300,
  groundHeight: 0,
  view: { target: [0, 1.05, 0], alpha: -1.2, beta: 1.4, radius: 3.4 },
  parameters: [
    ...clothStepping({ resolution: 12, substeps: 40, iterations: 1 }),
    ...clothParameters({ resolution: 12, highest: 64, fabric: "denim" }),
    { name: "mass", default: 0.3, unit: "kg", range: [0.003, 30], description: "mass of the box" },
  ],
  metrics: [
    { name: "seamGap", unit: "m", bound: 1e-5, description: "largest distance of two vertices that are sewn together" },
    { name: "ropeError", unit: "m", bound: 0.005, description: "elongation of the rope at the end" },
    {
      name: "weightError",
      unit: "",
      bound: 0.02,
      description: "force on the lower end of the seam against the weight of rope and box, at the end; on the CPU",
    },
    { name: "maxSpeed", unit: "m/s", bound: 0.1, description: "speed of the box at the end" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const cast = new Cast(world);
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const capes = [-1, 1].map((side) => {
      const center = [(side * SIDE) / 2, TOP - SIDE / 2, 0] as const;
      const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, plane: "xy", center });
      const held = [...mesh.positions.keys()].filter(
        (i) =>
          i % 3 === 0 &&
          Math.abs(side * mesh.positions[i] - SIDE) < 1e-9 &&
          Math.abs(mesh.positions[i + 1] - TOP) < 1e-9,
      );
      return addCloth(makeCloth, values, {
        name: side < 0 ? "left cape" : "right cape",
        mesh,
        size: [SIDE, SIDE],
        pins: held.map((i) => i / 3),
        options: { airDensity: 0, damping: 2 },
        ...(side < 0 && { material: "linen" as const }),
      });
    });
    const [left, right] = capes;
    const seam = [left, right].map(({ restPositions }) =>
      [...restPositions.keys()]
        .filter((i) => i % 3 === 0 && Math.abs(restPositions[i]) < 1e-9)
        .map((i) => i / 3)
        .sort((a, b) => restPositions[3 * b + 1] - restPositions[3 * a + 1]),
    );
    addAttachment(world, { body: left.body, vertices: seam[0], to: { body: right.body, vertices: seam[1] } });
    const end = TOP - SIDE;
    const model = ropeModel({
      positions: Float64Array.from({ length: 3 * (SEGMENTS + 1) }, (_, i) =>
        i % 3 === 1 ? end - (ROPE * Math.floor(i / 3)) / SEGMENTS : 0,
      ),
      radius: 0.006,
      youngsModulus: 1e7,
      density: 1000,
      name: "rope",
    });
    const rope = world.addBody(model, { airDensity: 0, damping: 2 });
    const knot = addAttachment(world, {
      body: rope,
      vertices: [0],
      to: { body: left.body, vertices: [seam[0].at(-1)!] },
      ...(world.backend === "cpu" && { breakingForce: 1e9 }),
    });
    const mass = numberOf(values, "mass");
    const box = cast.add("wood", {
      name: "box",
      shape: { type: "box", halfExtents: [HALF, HALF, HALF] },
      mass,
      position: [0, end - ROPE - HALF, 0],
      angularDamping: 1,
    });
    addAttachment(world, { body: rope, vertices: [SEGMENTS], to: { rigid: box } });
    // The outer corners come nearer, so that the capes fold.
    const goal = SLACK * SIDE;
    let seamGap = 0;
    return {
      strands: [{ body: rope, radius: 0.006, material: "amber" }],
      props: [...cast.props, ...gantry(0, 0.012, [-SIDE - 0.1, TOP, 0], [SIDE + 0.1, TOP, 0])],
      beforeStep(time) {
        const x = SIDE + (goal - SIDE) * Math.min(1, time);
        for (const { body } of capes)
          for (let p = 0; p < body.particleCount; p++)
            if (body.isPinned(p)) body.setPinTarget(p, Math.sign(body.pinTarget(p)[0]) * x, TOP, 0);
      },
      async measure() {
        const [x, y] = [await left.body.readPositions(), await right.body.readPositions()];
        seam[0].forEach((p, k) => {
          const way = [0, 1, 2].map((c) => x[3 * p + c] - y[3 * seam[1][k] + c]);
          seamGap = Math.max(seamGap, Math.hypot(...way));
        });
        const z = await rope.readPositions();
        let length = 0;
        for (let k = 0; k < SEGMENTS; k++)
          length += Math.hypot(...[0, 1, 2].map((c) => z[3 * k + 3 + c] - z[3 * k + c]));
        const ropeMass = rope.model.masses.reduce((sum, value) => sum + value, 0);
        const weight = 9.81 * (mass + ropeMass);
        return {
          seamGap,
          ropeError: Math.abs(length - ROPE),
          weightError: knot.force === undefined ? 0 : Math.abs(knot.force / weight - 1),
          maxSpeed: Math.hypot(...box.linearVelocity),
        };
      },
    };
  },
};
