import { boxTetrahedra } from "../../src/index";
import { addSolid, ContactMeter, contactMetrics, localGlobalParameters, meanOf } from "../local-global";
import { choiceOf, flagOf, numberOf } from "../parameters";
import type { ParameterValues, SceneDefinition } from "../scene";

const GRAVITY = 9.81;
const SIDE = 0.2;
const FRAMES = 120;

/**
 * A stiff block on a slope at the very edge of sliding (figure 7 of paper 2). Gravity is tilted instead of the slope.
 */
export const softStickSlip: SceneDefinition = {
  name: "soft-stick-slip",
  title: "Soft stick or slip",
  description:
    "A block of 1e8 Pa on a slope, seen along it. It sticks where friction exceeds tan(angle) by a thousandth.",
  frames: FRAMES,
  groundHeight: 0,
  view: { target: [0.2, 0.1, 0], alpha: -1.3, beta: 1.3, radius: 0.85 },
  parameters: [
    ...localGlobalParameters({ youngsModulus: 1e8, poissonRatio: 0.4, iterations: 10, friction: 0.177327 }),
    { name: "angle", default: 10, unit: "°", range: [0, 45], description: "angle of the slope to the horizontal" },
    { name: "cells", default: 3, unit: "", range: [1, 16], integer: true, description: "along a side of the block" },
    {
      name: "scale",
      default: "system-inverse",
      unit: "",
      choices: ["system-inverse", "mass-inverse"],
      description: "preconditioner of complementarity: (28), or that of paper 3",
    },
    {
      name: "guarded",
      default: true,
      unit: "",
      description:
        "whether friction is solved for with more than the paper's rows; they alone show what a preconditioner does",
    },
  ],
  metrics: [
    { name: "slideDistance", unit: "m", bound: 1e-3, description: "way of the block down the slope" },
    { name: "expectedDistance", unit: "m", description: "closed form: g (sin − µ cos) h² n (n + 1) / 2, or 0" },
    { name: "slideError", unit: "m", bound: 1e-3, description: "difference of the two" },
    ...contactMetrics,
  ],
  build(world, values) {
    const angle = (numberOf(values, "angle") * Math.PI) / 180;
    const friction = numberOf(values, "friction");
    world.gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
    world.addCollider({ type: "box", halfExtents: [50, 1, 50], center: [0, -1, 0] }, { friction });
    const cells = numberOf(values, "cells");
    const thickness = 0.001;
    const mesh = boxTetrahedra({
      size: [SIDE, SIDE, SIDE],
      cells: [cells, cells, cells],
      center: [0, SIDE / 2 + thickness, 0],
    });
    const body = addSolid(world, values, "block", mesh);
    const guarded = flagOf(values, "guarded");
    body.setOptions({
      thickness,
      guarded,
      complementarityScale: choiceOf(values, "scale", ["system-inverse", "mass-inverse"] as const),
      newtonIterations: guarded ? 10 : 1,
    });
    const meter = new ContactMeter(world);
    const start = world.time;
    return {
      props: [],
      softs: [{ body, material: "clay" }],
      afterStep: () => meter.update(),
      async measure() {
        const slideDistance = meanOf(body, (await body.readState()).positions)[0];
        const expectedDistance = slide(angle, friction, world.time - start, values);
        return {
          slideDistance,
          expectedDistance,
          slideError: Math.abs(slideDistance - expectedDistance),
          ...meter.measure(),
        };
      },
    };
  },
};

/** Travel of a sliding block after n steps of symplectic Euler: a h² n (n + 1) / 2. */
function slide(angle: number, friction: number, time: number, values: ParameterValues): number {
  const h = numberOf(values, "frameTime") / numberOf(values, "substeps");
  const acceleration = Math.max(0, GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)));
  const steps = Math.round(time / h);
  return (acceleration * h * h * steps * (steps + 1)) / 2;
}
