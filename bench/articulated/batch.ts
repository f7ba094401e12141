import { cartpole } from "../../samples/mechanisms/cartpole";
import { halfCheetah, halfCheetahGround } from "../../samples/mechanisms/half-cheetah";
import { humanoid, humanoidGround } from "../../samples/mechanisms/humanoid";
import { quantile } from "../../samples/run-scene";
import type { BatchOptions } from "../../src/articulated/batch/batch-options";
import { BatchSimulation } from "../../src/articulated/batch/batch-simulation";
import type { LinkShape, MechanismDescription } from "../../src/articulated/description";
import { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { requestContext } from "../../src/gpu/device";
import type { ArticulatedRow } from "./suite";
import { timeTasks } from "./timing";

const timeStep = 1e-3;
/** Steps in a dispatch, if they are fast: a policy acts once in that many steps. */
const stepsAtOnce = 10;
/** Approximate time for a number of worlds [ms]; if that many steps take longer, one is taken at a time. */
const slowMs = 1500;

interface Case {
  readonly mechanism: MechanismDescription;
  readonly what: string;
  readonly options: Pick<BatchOptions, "limits" | "ground">;
  readonly ground: readonly LinkShape[];
}

const free = { what: "copies", options: {}, ground: [] };
const held = { what: "copies on the ground", options: { limits: true, ground: [{}] } };
const cases: readonly Case[] = [
  { mechanism: cartpole(), ...free },
  { mechanism: halfCheetah(), ...free },
  { mechanism: halfCheetah(), ...held, ground: halfCheetahGround() },
  { mechanism: humanoid(), ...free },
  { mechanism: humanoid(), ...held, ground: humanoidGround() },
];

/**
 * Copies of a mechanism on the GPU, free and on the ground, and for comparison one after the other on one core.
 *
 * @param most largest number of worlds; a software adapter takes its time
 */
export async function batchRows(gpu: GPU, rounds: number, most: number): Promise<ArticulatedRow[]> {
  const context = await requestContext(gpu);
  const rows: ArticulatedRow[] = [];
  const worldCounts = [1, 16, 256, 1024, 4096, 16384].filter((worlds) => worlds <= most);
  try {
    for (const { mechanism, what, options, ground } of cases) {
      const model = new ArticulatedModel(mechanism);
      const one = new ArticulatedSimulation(model, { timeStep, limits: options.limits ?? false, ground });
      const [timing] = timeTasks([{ name: "step", run: () => one.step() }], rounds);
      const common = { scene: `${mechanism.name} ${what}`, size: model.nv, contacts: one.contacts.count };
      rows.push({
        ...common,
        ...timing,
        settings: "one after the other",
        backend: "cpu",
        worlds: 1,
        worldStepsPerSecond: 1e3 / timing.fastestMsPerFrame,
      });
      for (const worlds of worldCounts) {
        const batch = await BatchSimulation.create(model, { worlds, timeStep, device: context.device, ...options });
        const times = await timeBatch(batch, () => context.device.queue.onSubmittedWorkDone(), rounds);
        batch.dispose();
        const fastestMsPerFrame = Math.min(...times);
        rows.push({
          ...common,
          settings: `${worlds} worlds`,
          backend: "webgpu",
          timedFrames: times.length,
          msPerFrame: quantile(times, 0.5),
          fastestMsPerFrame,
          p95MsPerFrame: quantile(times, 0.95),
          worlds,
          worldStepsPerSecond: (1e3 * worlds) / fastestMsPerFrame,
        });
      }
    }
  } finally {
    context.device.destroy();
  }
  return rows;
}

/** Milliseconds of a step of all worlds: as many turns as fit the time, at least one. */
async function timeBatch(batch: BatchSimulation, done: () => Promise<unknown>, rounds: number): Promise<number[]> {
  const turn = async (steps: number): Promise<number> => {
    const start = performance.now();
    batch.step(steps);
    await done();
    return (performance.now() - start) / steps;
  };
  // the first turn waits for the pipeline and the memory
  await turn(1);
  const steps = (await turn(1)) * stepsAtOnce > slowMs ? 1 : stepsAtOnce;
  const times: number[] = [];
  const until = performance.now() + slowMs;
  do times.push(await turn(steps));
  while (times.length < Math.min(rounds, 5) && performance.now() < until);
  return times;
}
