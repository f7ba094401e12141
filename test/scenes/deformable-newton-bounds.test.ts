import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";

/** A run that is asserted, at a size for two cores; `npm run scene` reaches the others. */
interface Run {
  readonly scene: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly frames?: number;
}

const runs: readonly Run[] = [
  { scene: "material-extension" },
  { scene: "tomato" },
  { scene: "fetch-tomato", parameters: { resolution: 2.5 } },
  { scene: "hand", parameters: { object: "ball" }, frames: 130 },
  { scene: "pneunet", parameters: { arches: 3, across: 1, substeps: 1 } },
];

describe("scenes of rigid and deformable bodies in one system keep within their bounds", () => {
  for (const { scene: name, parameters, frames } of runs)
    it(`${name} ${JSON.stringify(parameters ?? {})}`, async () => {
      const scene = scenes.find((candidate) => candidate.name === name)!;
      const { metrics } = await runScene(scene, { parameters, frames, backend: "cpu" });
      const bounded = scene.metrics.filter((metric) => metric.bound !== undefined);
      expect(bounded.length).toBeGreaterThan(0);
      for (const { name: metric, bound } of bounded) expect(metrics[metric], metric).toBeLessThanOrEqual(bound!);
      // It was picked up, which explains why nothing slipped.
      if ("lift" in metrics) expect(metrics.lift).toBeGreaterThan(0.1);
    });
});
