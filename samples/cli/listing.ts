import { describeValid } from "../parameters";
import type { SceneDefinition } from "../scene";

/** The output of `--list --json`: scenes with their parameters and metrics. */
export function listingJson(scenes: readonly SceneDefinition[]): unknown {
  return {
    scenes: scenes.map(({ name, title, description, frames, parameters, metrics }) => ({
      name,
      title,
      description,
      frames,
      parameters: parameters.map((p) => ({
        name: p.name,
        default: p.default,
        unit: p.unit,
        ...(p.range === undefined ? {} : { range: p.range }),
        ...(p.choices === undefined ? {} : { choices: p.choices }),
        ...(p.integer === true ? { integer: true } : {}),
        description: p.description,
      })),
      metrics: metrics.map((m) => ({
        name: m.name,
        unit: m.unit,
        ...(m.bound === undefined ? {} : { bound: m.bound }),
        description: m.description,
      })),
    })),
  };
}

/** The same list as readable text. */
export function listingText(scenes: readonly SceneDefinition[]): string {
  return scenes.map(sceneText).join("\n\n");
}

function sceneText(scene: SceneDefinition): string {
  const lines = [`${scene.name}: ${scene.description} (${scene.frames} frames)`];
  for (const p of scene.parameters) {
    const value = typeof p.default === "number" ? Number(p.default.toPrecision(6)) : p.default;
    lines.push(`  ${p.name} = ${value}  ${describeValid(p)}: ${p.description}`);
  }
  for (const m of scene.metrics) {
    const unit = m.unit === "" ? "" : ` [${m.unit}]`;
    const bound = m.bound === undefined ? "" : `, at most ${m.bound}`;
    lines.push(`  → ${m.name}${unit}${bound}: ${m.description}`);
  }
  return lines.join("\n");
}
