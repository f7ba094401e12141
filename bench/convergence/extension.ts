import { resolveParameters } from "../../samples/parameters";
import { materialExtension } from "../../samples/scenes/material-extension";
import { World } from "../../src/index";
import type { NewtonReport } from "../../src/solvers/newton/island/newton-solver";
import type { GeometricStiffness } from "../../src/solvers/newton/deformable/elements";
import type { NewtonOptions } from "../../src/solvers/newton/options";

/** The two bars of `material-extension`, in the order in which they are built. */
export const bars = ["corotational", "stable neo-Hookean"] as const;

/** Frames of the pull before the examined step, and the length of that step [s]. */
const FRAMES = 60;
const STEP = 1 / 60;
const ITERATIONS = 25;

/** Iterates like the paper: from zero (67), with whole steps, whether they help or not. */
const options: Partial<NewtonOptions> = {
  safeguard: false,
  warmStart: false,
  newtonIterations: ITERATIONS,
  iterativeTolerance: 0,
};

/**
 * Convergence of the iterations in one step of stretched bars, for each treatment of geometric stiffness; reports in the order of `bars`.
 */
export async function extensionReports(
  choices: readonly GeometricStiffness[],
): Promise<readonly (readonly NewtonReport[])[]> {
  const world = await World.create({ backend: "cpu" });
  try {
    const scene = await materialExtension.build(world, resolveParameters(materialExtension));
    for (let k = 0; k < FRAMES; k++) {
      scene.beforeStep?.(world.time, STEP);
      world.step(STEP);
    }
    scene.beforeStep?.(world.time, STEP);
    const snapshot = await world.snapshot();
    const targets = world.bodies.map((body) =>
      Array.from({ length: body.particleCount }, (_, p) => [p, ...body.pinTarget(p)] as const),
    );
    const { dynamics } = world.rigid;
    return choices.map((geometricStiffness) => {
      world.restore(snapshot);
      // Writing a state moves the pins too.
      world.bodies.forEach((body, k) => {
        for (const [p, x, y, z] of targets[k]) if (body.isPinned(p)) body.setPinTarget(p, x, y, z);
      });
      world.rigid.configure({ ...options, geometricStiffness });
      const reports: NewtonReport[] = (dynamics.reports = []);
      world.step(STEP);
      dynamics.reports = undefined;
      return reports;
    });
  } finally {
    world.dispose();
  }
}
