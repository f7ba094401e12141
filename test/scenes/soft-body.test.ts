import { expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import { armadilloLike } from "../../samples/scenes/armadillo-like";

it("armadillo-like: a coarse cage of the scan finds its way through the pegs and keeps its volume", async () => {
  const parameters = { resolution: 4, substeps: 8, damping: 4 };
  const { metrics } = await runScene(armadilloLike, { parameters, frames: 200, backend: "cpu" });
  for (const { name, bound } of armadilloLike.metrics)
    if (bound !== undefined) expect(metrics[name], name).toBeLessThanOrEqual(bound);
  // It came to rest below the lowest peg, in one piece.
  expect(metrics.height).toBeLessThan(0.35);
  expect(metrics.maxVolumeChangePercent).toBeLessThan(10);
});
