import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { sceneNamed } from "../../samples/scenes/index";
import { sharedDevice } from "../world/worlds";

/** A run that is asserted, at a size and length for two cores. */
interface Run {
  readonly scene: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly frames?: number;
  /** a metric whose bound needs a longer run */
  readonly except?: string;
  /** bounds of metrics without a bound for all sizes and backends */
  readonly also?: Readonly<Record<string, number>>;
  /** default "cpu" */
  readonly backend?: "cpu" | "webgpu";
}

const runs: readonly Run[] = [
  { scene: "soft-on-rigid", parameters: { cells: 2 } },
  { scene: "rigid-on-soft", parameters: { cells: 2 } },
  { scene: "soft-stick-slip", parameters: { cells: 2, angle: 20, friction: 0.364971 }, frames: 60 },
  { scene: "soft-pile", parameters: { count: 3 } },
  { scene: "twisting-bar", parameters: { cells: 8, youngsModulus: 1e5 }, frames: 75, backend: "webgpu" },
  { scene: "twisting-bar", parameters: { cells: 8, youngsModulus: 1e7 }, also: { startError: 1e-3 } },
  { scene: "twisting-bar", parameters: { cells: 8, youngsModulus: 1e9 }, also: { startError: 1e-3 } },
  {
    scene: "soft-stick-slip",
    parameters: { cells: 1, angle: 20, friction: 0.364971 },
    frames: 12,
    backend: "webgpu",
  },
  { scene: "cloth-extension", parameters: { cells: 12 } },
  { scene: "sharp-corner", frames: 25, except: "speed" },
  { scene: "cloth-on-knives", frames: 25, except: "speed" },
  { scene: "pulling-wooper", parameters: { cell: 0.07 }, frames: 130 },
  { scene: "gingerbread-man", frames: 100 },
  { scene: "squeezing-ball", parameters: { resolution: 3 } },
  { scene: "soft-beam" },
  { scene: "grabbing-raptor", frames: 80 },
];

describe("scenes of the local-global solver keep within their bounds", () => {
  for (const { scene: name, parameters, frames, except, also = {}, backend = "cpu" } of runs)
    it(`${name} ${JSON.stringify(parameters ?? {})} on ${backend}`, { timeout: 300_000 }, async () => {
      const scene = sceneNamed(name);
      const device = backend === "webgpu" ? await sharedDevice() : undefined;
      const { metrics } = await runScene(scene, { parameters, frames, backend, device });
      console.info(name, JSON.stringify(metrics));
      const bounded = scene.metrics.filter((metric) => metric.bound !== undefined && metric.name !== except);
      expect(bounded.length).toBeGreaterThan(0);
      for (const { name: metric, bound } of bounded) expect(metrics[metric], metric).toBeLessThanOrEqual(bound!);
      for (const [metric, bound] of Object.entries(also)) expect(metrics[metric], metric).toBeLessThanOrEqual(bound);
    });
});

it.each(["friction", "speed"])("the ball is not pulled through with %s 0", async (name) => {
  const scene = sceneNamed("squeezing-ball");
  const { metrics } = await runScene(scene, { parameters: { resolution: 3, [name]: 0 }, frames: 30, backend: "cpu" });
  expect(metrics.contacts).toBeGreaterThan(0);
  expect(metrics.height).toBeGreaterThan(0.1);
});
