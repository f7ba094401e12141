import type { SceneResult } from "../run-scene";
import type { SceneDefinition } from "../scene";

/** The result of a run as readable text. */
export function reportText(scene: SceneDefinition, result: SceneResult): string {
  const { medianMsPerFrame, p95MsPerFrame } = result.timing;
  const lines = [
    `${scene.title}: ${result.frames} frames on ${result.backend} (${result.adapter})`,
    `  ${medianMsPerFrame.toFixed(2)} ms a frame (median), ${p95MsPerFrame.toFixed(2)} ms (95th percentile)`,
  ];
  for (const metric of scene.metrics) {
    const figure = result.metrics[metric.name];
    // A scene leaves out metrics that have no meaning with its parameters.
    if (figure === undefined) continue;
    const value = Number(figure.toPrecision(4));
    const bound = metric.bound === undefined ? "" : ` (at most ${metric.bound})`;
    lines.push(`  ${metric.name} = ${value} ${metric.unit}${bound}`.trimEnd());
  }
  return lines.join("\n");
}
