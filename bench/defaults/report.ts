import { aligned, digits } from "../columns";
import type { DefaultsResult } from "./suite";

/** The result as a readable table. */
export function defaultsText({ machine, rows }: DefaultsResult): string {
  const head = ["aggregates", "busiest [ms]", "last [ms]", "longest [ms]", "allocated [kB a frame]"];
  const table = rows.map(({ scene, busiestMs, lastMs, longestMs, bytes }) => [
    scene,
    ...[busiestMs, lastMs, longestMs, bytes / 1000].map(digits),
  ]);
  return [
    `default options on the CPU, ${machine}`,
    ...aligned([head, ...table]),
    "Processor time of all threads: median of the 20 busiest frames in a row, and of the last 20, and the longest frame after the first 20.",
  ].join("\n");
}
