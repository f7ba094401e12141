import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";
import { sharedDevice } from "../world/worlds";

/** A run that is asserted. Its size suits a software GPU on two cores; `npm run scene` reaches the others. */
interface Run {
  readonly scene: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly frames?: number;
  readonly backends: readonly ("cpu" | "webgpu")[];
}

const both = ["cpu", "webgpu"] as const;

const runs: readonly Run[] = [
  { scene: "cloth-on-sphere", parameters: { resolution: 16 }, backends: ["cpu"] },
  { scene: "cloth-on-sphere", parameters: { resolution: 12 }, backends: ["webgpu"] },
  { scene: "hanging-chain", backends: ["cpu"] },
  { scene: "hanging-chain", frames: 120, backends: ["webgpu"] },
  { scene: "free-fall", backends: both },
  { scene: "free-fall", parameters: { gravity: 0 }, backends: both },
  { scene: "moving-sphere", parameters: { resolution: 24 }, frames: 30, backends: both },
  { scene: "falling-on-plate", parameters: { resolution: 10 }, frames: 60, backends: both },
  { scene: "flag", parameters: { resolution: 8 }, frames: 200, backends: ["cpu"] },
  { scene: "tablecloth", parameters: { resolution: 14 }, frames: 40, backends: ["webgpu"] },
  { scene: "curtain", parameters: { resolution: 23 }, frames: 60, backends: ["webgpu"] },
  { scene: "folded-cloth", parameters: { resolution: 8, folds: 1, substeps: 12 }, frames: 224, backends: ["cpu"] },
  { scene: "cloth-stack", parameters: { resolution: 8, sheets: 3 }, backends: ["cpu"] },
  { scene: "trampoline", parameters: { resolution: 8, mass: 0.05 }, backends: ["cpu"] },
  { scene: "trampoline", parameters: { resolution: 12, mass: 0.5 }, backends: ["cpu"] },
  { scene: "trampoline", parameters: { resolution: 8, mass: 5 }, backends: ["cpu"] },
  { scene: "trampoline", parameters: { resolution: 8, mass: 1 }, frames: 26, backends: ["webgpu"] },
  { scene: "sewn-capes", parameters: { resolution: 8, substeps: 30 }, backends: ["cpu"] },
  { scene: "balloon", parameters: { substeps: 100 }, backends: ["cpu"] },
  { scene: "tear", parameters: { resolution: 12, substeps: 8 }, backends: ["cpu"] },
  { scene: "vest", parameters: { resolution: 12, substeps: 30 }, frames: 36, backends: ["cpu"] },
  { scene: "vest", parameters: { resolution: 12, substeps: 30 }, frames: 3, backends: ["webgpu"] },
  { scene: "elastica", frames: 150, backends: ["cpu"] },
  { scene: "michell", parameters: { segments: 32, substeps: 26 }, frames: 270, backends: ["cpu"] },
  { scene: "rope-knot", parameters: { substeps: 40 }, frames: 80, backends: ["cpu"] },
];

describe("metrics of the scenes within their bounds", () => {
  for (const { scene: name, parameters, frames, backends } of runs)
    for (const backend of backends)
      it(`${name} ${JSON.stringify(parameters ?? {})} on ${backend}`, { timeout: 900_000 }, async () => {
        const scene = scenes.find((candidate) => candidate.name === name)!;
        const device = backend === "webgpu" ? await sharedDevice() : undefined;
        const { metrics } = await runScene(scene, { parameters, frames, backend, device });
        console.info(name, backend, JSON.stringify(metrics));
        const bounded = scene.metrics.filter((metric) => metric.bound !== undefined);
        expect(bounded.length).toBeGreaterThan(0);
        for (const { name: metric, bound } of bounded) expect(metrics[metric], metric).toBeLessThanOrEqual(bound!);
      });
});

describe("friction on an incline", () => {
  const scene = scenes.find((candidate) => candidate.name === "incline")!;
  /** Friction coefficient at which a cloth at this angle [°] is about to slide. */
  const critical = (angle: number): number => Math.tan((angle * Math.PI) / 180);

  for (const backend of both)
    for (const angle of backend === "cpu" ? [5, 15, 25, 35] : [25])
      it(`sticks a degree below and slides a degree above ${angle}° on ${backend}`, { timeout: 300_000 }, async () => {
        const device = backend === "webgpu" ? await sharedDevice() : undefined;
        const slide = async (friction: number): Promise<{ slideDistance: number; expectedDistance: number }> => {
          const parameters = { angle, friction, resolution: 12 };
          const { metrics } = await runScene(scene, { parameters, frames: 45, backend, device });
          return metrics as { slideDistance: number; expectedDistance: number };
        };
        const sticking = await slide(critical(angle + 1));
        expect(Math.abs(sticking.slideDistance)).toBeLessThan(1e-3);
        const sliding = await slide(critical(angle - 1));
        expect(sliding.expectedDistance).toBeGreaterThan(0.03);
        expect(sliding.slideDistance).toBeGreaterThan(0.5 * sliding.expectedDistance);
      });
});
