import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";

/** A run that is asserted, at a size and length for two cores. */
interface Run {
  readonly scene: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly frames?: number;
}

const runs: readonly Run[] = [
  { scene: "heavy-stack" },
  { scene: "tower" },
  { scene: "stick-slip" },
  { scene: "stick-slip", parameters: { angle: 35, friction: 0.7003076, yaw: 37, turn: 20 } },
  { scene: "beam" },
  { scene: "arch", frames: 180 },
  { scene: "gripper" },
  { scene: "gripper", parameters: { prey: "capsule", force: 60, massRatio: 2 } },
  { scene: "gripper", parameters: { prey: "local-global" }, frames: 100 },
  { scene: "insertion", parameters: { count: 10, substeps: 2 }, frames: 66 },
  { scene: "hand", parameters: { object: "hammer" }, frames: 160 },
  { scene: "drawer", frames: 104 },
  { scene: "joints" },
  { scene: "newtons-cradle" },
  { scene: "newtons-cradle", parameters: { count: 2 } },
  { scene: "dominoes" },
  { scene: "card-house", frames: 180 },
  { scene: "ragdoll", frames: 120 },
  { scene: "vehicle" },
  { scene: "pyramid", parameters: { rows: 10 }, frames: 120 },
  { scene: "table-pile", parameters: { count: 12 }, frames: 400 },
  { scene: "pile", parameters: { count: 60 }, frames: 400 },
];

async function metricsOf({ scene: name, parameters, frames }: Run): Promise<Readonly<Record<string, number>>> {
  const scene = scenes.find((candidate) => candidate.name === name)!;
  return (await runScene(scene, { parameters, frames, backend: "cpu" })).metrics;
}

describe("scenes of rigid bodies keep within their bounds", () => {
  for (const run of runs)
    it(`${run.scene} ${JSON.stringify(run.parameters ?? {})}`, { timeout: 300_000 }, async () => {
      const metrics = await metricsOf(run);
      const scene = scenes.find((candidate) => candidate.name === run.scene)!;
      const bounded = scene.metrics.filter((metric) => metric.bound !== undefined);
      expect(bounded.length).toBeGreaterThan(0);
      for (const { name, bound } of bounded) expect(metrics[name], name).toBeLessThanOrEqual(bound!);
      if ("standing" in metrics && !bounded.some(({ name }) => name === "standing")) expect(metrics.standing).toBe(1);
    });
});

describe("a box on a slope", () => {
  /** Friction coefficient at which a box at this angle [°] is about to slide. */
  const critical = (angle: number): number => Math.tan((angle * Math.PI) / 180);

  for (const [angle, yaw, turn] of [
    [5, 0, 0],
    [10, 123, 0],
    [20, -60, 45],
    [35, 15, 70],
  ])
    it(`sticks a ten-thousandth above tan ${angle}° and slides one below, falling towards ${yaw}°`, async () => {
      const sticking = await metricsOf({
        scene: "stick-slip",
        parameters: { angle, yaw, turn, friction: critical(angle) + 1e-4 },
      });
      expect(Math.abs(sticking.slideDistance)).toBeLessThan(1e-3);
      const sliding = await metricsOf({
        scene: "stick-slip",
        parameters: { angle, yaw, turn, friction: critical(angle) - 1e-4 },
      });
      expect(sliding.slideDistance).toBeGreaterThan(1e-3);
      const fast = await metricsOf({
        scene: "stick-slip",
        parameters: { angle, yaw, turn, friction: 0.5 * critical(angle) },
      });
      expect(fast.slideDistance / fast.expectedDistance).toBeCloseTo(1, 2);
    });
});
