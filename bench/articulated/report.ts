import { aligned, digits } from "../columns";
import type { ArticulatedResult, ArticulatedRow } from "./suite";

/** The result as a table for people. */
export function articulatedText({ machine, adapter, rows, growths }: ArticulatedResult): string {
  const head = ["scene", "dofs", "contacts", "who", "what", "µs at best", "median", "p95", "notes"];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    String(row.contacts),
    "peer" in row ? row.peer : row.backend,
    row.settings,
    digits(1e3 * row.fastestMsPerFrame),
    digits(1e3 * row.msPerFrame),
    digits(1e3 * row.p95MsPerFrame),
    notes(row),
  ]);
  return [
    `articulated on ${machine}; WebGPU: ${adapter}`,
    ...aligned([head, ...table]),
    ...growths.map(
      ({ scene, settings, sizes, exponent }) =>
        `${scene}, ${settings}: time grows as links^${exponent.toFixed(2)} from ${sizes[0]} to ${sizes.at(-1)}`,
    ),
  ].join("\n");
}

function notes(row: ArticulatedRow): string {
  const parts: string[] = [];
  if (row.timesMujocoStep !== undefined) parts.push(`${digits(row.timesMujocoStep)}× the time of mj_step`);
  if (row.speedup !== undefined) parts.push(`${digits(row.speedup)}× as fast as ${row.speedupAgainst}`);
  if (row.speedupOverRidders !== undefined) parts.push(`${digits(row.speedupOverRidders)}× Ridders`);
  if (row.speedupOverMujoco !== undefined) parts.push(`${digits(row.speedupOverMujoco)}× MuJoCo's forward differences`);
  if (row.worldStepsPerSecond !== undefined) parts.push(`${digits(row.worldStepsPerSecond)} steps of a world a second`);
  if (row.jacobianError !== undefined) parts.push(`error ${row.jacobianError.toExponential(1)}`);
  return parts.join(", ");
}
