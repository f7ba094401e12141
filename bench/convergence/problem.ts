import { resolveParameters } from "../../samples/parameters";
import type { ParameterValue, SceneDefinition } from "../../samples/scene";
import type { NewtonReport } from "../../src/solvers/newton/island/newton-solver";
import type { NewtonOptions } from "../../src/solvers/newton/options";
import { World } from "../../src/index";

/** A moment of a scene, from which one time step can be solved in many ways. */
export interface Problem {
  readonly name: string;
  /**
   * Solves the time step with these options and reports the iterations of the largest island. The moment stays as it is.
   *
   * @param weight factor of gravity for this step, default 1
   */
  solve(options: Partial<NewtonOptions>, weight?: number): NewtonReport;
  /** Advances by one time step with the scene's own options. */
  advance(): void;
  dispose(): void;
}

/** Time step of the paper's examples [s] (table 2). */
export const timeStep = 1 / 120;

/**
 * The paper's method: zero start (67), (68), no safeguard, no factors, every iteration done. 40 linear iterations to a Newton
 * iteration (10.4).
 */
export const paperOptions: Partial<NewtonOptions> = {
  directLimit: 0,
  safeguard: false,
  warmStart: false,
  linearTolerance: 0,
  tolerance: 0,
  iterativeTolerance: 0,
  linearIterations: 40,
  newtonIterations: 60,
};

/** @param steps that the scene takes first, with its own options */
export async function problemOf(
  scene: SceneDefinition,
  steps: number,
  parameters: Readonly<Record<string, ParameterValue>> = {},
): Promise<Problem> {
  const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
  await scene.build(world, resolveParameters(scene, parameters));
  const { rigid } = world;
  rigid.substeps = 1;
  for (let k = 0; k < steps; k++) rigid.step(timeStep);
  for (const body of rigid.bodies) body.wake();
  const own: Readonly<NewtonOptions> = { ...rigid.dynamics.options };
  return {
    name: scene.name,
    solve(options, weight = 1) {
      const before = rigid.snapshot();
      const { gravity } = rigid;
      if (weight !== 1) rigid.gravity = [weight * gravity[0], weight * gravity[1], weight * gravity[2]];
      rigid.configure({ ...paperOptions, ...options });
      const reports: NewtonReport[] = (rigid.dynamics.reports = []);
      try {
        rigid.step(timeStep);
        return reports.reduce((largest, report) => (report.size > largest.size ? report : largest));
      } finally {
        rigid.dynamics.reports = undefined;
        rigid.configure(own);
        if (weight !== 1) rigid.gravity = gravity;
        rigid.restore(before);
      }
    },
    advance: () => rigid.step(timeStep),
    dispose: () => world.dispose(),
  };
}
