import { createHash } from "node:crypto";
import type { ParameterValue } from "../../samples/scene";

/** One run of a scene. */
export interface Job {
  /** its name */
  readonly scene: string;
  /** the parameters that are set */
  readonly settings: Readonly<Record<string, ParameterValue>>;
  /** number of the draw */
  readonly seed: number;
  /** length of the run; by default the scene's own */
  readonly frames?: number;
  readonly backend: "cpu" | "reference";
}

/** The end of a job: its metrics, or why there are none. */
export interface Outcome {
  readonly metrics?: Readonly<Record<string, number>>;
  readonly error?: string;
  /** frames that were simulated */
  readonly frames: number;
  /** processing time, ms */
  readonly ms: number;
}

/** An outcome, and what ran it. */
export interface Finished {
  readonly outcome: Outcome;
  /** version of Node */
  readonly node: string;
  /** name of the machine */
  readonly host: string;
}

/** Names the result of a job on a version of the code: equal jobs have equal keys, in any order of the settings. */
export function keyOf(job: Job, version: string): string {
  const settings = Object.entries(job.settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([version, job.scene, settings, job.seed, job.frames ?? null, job.backend]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The command that runs a job by itself. */
export function replayOf({ scene, settings, frames, backend }: Job): string {
  const set = Object.entries(settings).map(([name, value]) => ` --set ${quoted(`${name}=${value}`)}`);
  const length = frames === undefined ? "" : ` --frames ${frames}`;
  return `npm run --silent scene -- ${scene}${set.join("")}${length} --backend ${backend}`;
}

/** A word of a shell's command line. */
const quoted = (word: string): string => (/^[\w.,:=/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
