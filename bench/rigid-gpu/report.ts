import { aligned, digits } from "../columns";
import type { RigidGpuResult } from "./suite";

/** The result as a readable table. */
export function rigidGpuText({ machine, adapter, rows }: RigidGpuResult): string {
  const head = [
    "scene",
    "bodies",
    "contacts",
    "ms/frame",
    "GPU ms/step",
    "in the paper",
    "residual [m/s]",
    "deepest [mm]",
  ];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    String(row.contacts),
    digits(row.msPerFrame),
    row.gpuMsPerStep === undefined ? "no timestamps" : digits(row.gpuMsPerStep),
    digits(row.paperMsPerStep),
    row.residual.toExponential(1),
    digits(1e3 * row.maxPenetration),
  ]);
  const stages = rows.flatMap(({ scene, stages }) =>
    stages
      ? [
          `${scene}: ${Object.entries(stages)
            .map(([stage, ms]) => `${stage} ${digits(ms)} ms`)
            .join(", ")}`,
        ]
      : [],
  );
  return [`rigid-gpu on ${adapter}, ${machine}`, ...aligned([head, ...table]), ...stages].join("\n");
}
