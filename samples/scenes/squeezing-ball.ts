import { ballTetrahedra, type Quat } from "../../src/index";
import { addSolid, ContactMeter, contactMetrics, localGlobalParameters, shapeDeviation } from "../local-global";
import { numberOf } from "../parameters";
import { aboutZ } from "../rigid";
import type { Prop, SceneDefinition } from "../scene";
import { gantry } from "../stands";

const FRAMES = 65;
const RADIUS = 0.1;
/** Radius of the rollers, large enough to bite: they touch the ball at an angle whose tangent is less than µ. */
const ROLLER = 0.3;
/** Half the length of their straight part [m]. */
const LENGTH = 0.15;
const GROUND = -0.75;
/** Speed of the arriving ball, so that it touches [m/s]: a hundredth of the energy of the squeeze. */
const APPROACH = 0.1;

/** A soft ball between turning rollers (figure 5 of paper 2). */
export const squeezingBall: SceneDefinition = {
  name: "squeezing-ball",
  title: "Squeezing ball",
  description:
    "Without gravity, rollers pull a ball through a gap of six tenths of its diameter by friction alone; it gets its shape back.",
  frames: FRAMES,
  groundHeight: GROUND,
  view: { target: [0, -0.15, 0], alpha: -1.35, beta: 1.3, radius: 1.9 },
  parameters: [
    ...localGlobalParameters({ youngsModulus: 1e4, poissonRatio: 0.4, model: "neo-hookean" }),
    {
      name: "gap",
      default: 0.12,
      unit: "m",
      range: [0.05, 0.2],
      description: "between the rollers; the ball is 0.2 m wide",
    },
    { name: "speed", default: 0.8, unit: "m/s", range: [0, 5], live: true, description: "of the rollers' surfaces" },
    {
      name: "resolution",
      default: 4,
      unit: "",
      range: [2, 24],
      description: "lattice cubes along the diameter: 18 make 7k vertices",
    },
  ],
  metrics: [
    {
      name: "height",
      unit: "m",
      bound: -0.25,
      description: "of the ball's highest vertex at the end: it is through below −0.25",
    },
    { name: "shapeError", unit: "", bound: 0.01, description: "of its shape at the end, over its diameter" },
    { name: "squeeze", unit: "", description: "largest deviation of its shape on the way, over its diameter" },
    { name: "vertices", unit: "", description: "of the mesh" },
    ...contactMetrics,
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const friction = numberOf(values, "friction");
    const half = numberOf(values, "gap") / 2 + ROLLER;
    let angle = 0;
    const rollers = [-1, 1].map((side) => {
      const shape = { type: "capsule", pointA: [0, 0, -LENGTH], pointB: [0, 0, LENGTH], radius: ROLLER } as const;
      const collider = world.addCollider(shape, { friction, position: [side * half, 0, 0] });
      const prop: Prop = {
        shape,
        material: "steel",
        position: [side * half, 0, 0],
        get rotation(): Quat {
          return aboutZ(side * angle);
        },
      };
      return { side, collider, prop };
    });
    const start = Math.sqrt((ROLLER + RADIUS) ** 2 - half ** 2) + 0.002;
    const mesh = ballTetrahedra({ radius: RADIUS, resolution: numberOf(values, "resolution"), center: [0, start, 0] });
    const body = addSolid(world, values, "ball", mesh);
    const velocities = mesh.positions.map((_, i) => (i % 3 === 1 ? -APPROACH : 0));
    body.writeState({ positions: mesh.positions, velocities });
    const meter = new ContactMeter(world);
    let squeeze = 0;
    return {
      props: [
        ...rollers.map(({ prop }) => prop),
        ...rollers.flatMap(({ side }) =>
          gantry(GROUND, 0.03, [side * half, 0, -LENGTH - 0.4], [side * half, 0, LENGTH + 0.4]),
        ),
      ],
      softs: [{ body, material: "rubber" }],
      beforeStep(_time, dt) {
        angle += (numberOf(values, "speed") / ROLLER) * dt;
        // the sides that face the gap move down
        for (const { side, collider } of rollers) collider.setPose([side * half, 0, 0], aboutZ(side * angle));
      },
      async afterStep(frame) {
        meter.update();
        if (frame % 5 === 0) squeeze = Math.max(squeeze, shapeDeviation(mesh.positions, await body.readPositions()));
      },
      async measure() {
        const now = await body.readPositions();
        let height = -Infinity;
        for (let i = 1; i < now.length; i += 3) height = Math.max(height, now[i]);
        return {
          height,
          shapeError: shapeDeviation(mesh.positions, now) / (2 * RADIUS),
          squeeze: squeeze / (2 * RADIUS),
          vertices: body.particleCount,
          ...meter.measure(),
        };
      },
    };
  },
};
