import { type BodyState, boxTetrahedra } from "../../src/index";
import type { GroupBody } from "../../src/solvers/local-global/body/group-body";
import type { LocalGlobalModel } from "../../src/solvers/local-global/model";
import { addSolid, localGlobalParameters } from "../local-global";
import { flagOf, numberOf, textOf } from "../parameters";
import { energyError, startStep, type StepProblem } from "../reference-step";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const LENGTH = 1;
const GROUND = -0.5;
const WIDTH = 0.25;
/** Duration of the run [s]. */
const DURATION = 2;
/** Frames after which the error is measured; the first is measured too. */
const SAMPLED = 15;

/** A bar whose ends are twisted against each other (figure 9 of paper 2). */
export const twistingBar: SceneDefinition = {
  name: "twisting-bar",
  title: "Twisting bar",
  description:
    "Five local-global iterations a step leave a thousandth of the energy that there is to be won, however stiff.",
  frames: 60 * DURATION,
  groundHeight: GROUND,
  view: { target: [0, 0, 0], alpha: -1.3, beta: 1.2, radius: 2 },
  parameters: [
    ...localGlobalParameters({ youngsModulus: 1e7, poissonRatio: 0.45, model: "arap" }),
    {
      name: "cells",
      default: 12,
      unit: "",
      range: [4, 120],
      integer: true,
      description: "cells along the bar, a quarter as many across: 80 make 35.7k vertices, 64 make 18.8k",
    },
    {
      name: "twist",
      default: 90,
      unit: "°",
      range: [0, 1080],
      description: "of one end against the other, when the run ends",
    },
    {
      name: "accelerate",
      default: true,
      unit: "",
      description: "whether iterations learn from those before (on the CPU; the first step then has twice as many)",
    },
  ],
  metrics: [
    {
      name: "relativeEnergyError",
      unit: "",
      bound: 1e-3,
      description:
        "what a step leaves of the energy between its start and Newton's solution, at worst in the second half (ARAP only)",
    },
    { name: "startError", unit: "", description: "the same in the first half, in which the ends are set in motion" },
    { name: "vertices", unit: "", description: "of the bar" },
    { name: "inverseMegabytes", unit: "MB", description: "of the sparse inverse in single precision" },
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const cells = numberOf(values, "cells");
    const across = Math.max(1, Math.round(cells / 4));
    const mesh = boxTetrahedra({ size: [LENGTH, WIDTH, WIDTH], cells: [cells, across, across] });
    const body = addSolid(world, values, "bar", mesh);
    body.setOptions({ accelerate: flagOf(values, "accelerate") });
    const x = mesh.positions;
    const ends = [...body.model.masses.keys()].filter((i) => Math.abs(x[3 * i]) > LENGTH / 2 - 1e-9);
    body.pin(ends);
    // a step is a frame, and the reference has no energy but this one
    const isMeasured = textOf(values, "model") === "arap" && numberOf(values, "substeps") === 1;
    const speed = (numberOf(values, "twist") * Math.PI) / 180 / DURATION;
    const targets = Float64Array.from(x);
    const pinned = Uint8Array.from(body.model.masses, (_, i) => (ends.includes(i) ? 1 : 0));
    let state: BodyState = { positions: Float64Array.from(x), velocities: new Float64Array(x.length) };
    const model = body.model as LocalGlobalModel;
    let problem: StepProblem | undefined;
    /** solves the measured steps once more */
    let reference: GroupBody | undefined;
    const errors: { relativeEnergyError?: number; startError?: number } = {};
    return {
      props: [-1, 1].flatMap((side) => [
        {
          shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0.08 * side, 0, 0], radius: 0.8 * WIDTH },
          material: "steel" as const,
          position: [(side * LENGTH) / 2, 0, 0],
        },
        ...posts(GROUND, 0.03, [side * (LENGTH / 2 + 0.04), 0, 0]),
      ]),
      softs: [{ body, material: "clay" }],
      beforeStep(time, dt) {
        for (const p of ends) {
          const angle = (Math.sign(x[3 * p]) * speed * (time + dt)) / 2;
          const [y, z] = [x[3 * p + 1], x[3 * p + 2]];
          targets[3 * p + 1] = Math.cos(angle) * y - Math.sin(angle) * z;
          targets[3 * p + 2] = Math.sin(angle) * y + Math.cos(angle) * z;
          body.setPinTarget(p, targets[3 * p], targets[3 * p + 1], targets[3 * p + 2]);
        }
        problem = { model, ...state, pinned, targets: targets.slice(), h: dt };
      },
      async afterStep(frame) {
        state = await body.readState();
        if (!isMeasured || (frame > 1 && frame % SAMPLED !== 0)) return;
        reference ??= startStep(problem!);
        const part = world.time > DURATION / 2 ? "relativeEnergyError" : "startError";
        errors[part] = Math.max(errors[part] ?? 0, energyError(problem!, state.positions, reference));
      },
      measure() {
        const { unknowns, inverseEntries } = (reference ?? startStep(problem!)).system.inverse.statistics;
        return Promise.resolve({
          ...errors,
          vertices: unknowns,
          inverseMegabytes: (4 * inverseEntries) / 2 ** 20,
        });
      },
    };
  },
};
