import path from "node:path";
import { parseArgs } from "node:util";
import { PliantError } from "../../src/errors";
import { sceneNamed, scenes } from "../../samples/scenes/index";
import { crewOf, crewOptions, parseOrRefuse, wholeNumber, type Crew } from "./crew";
import type { Study } from "./plan";

export interface SweepRequest extends Crew {
  readonly study: Study;
  /** longest time of a job, s */
  readonly timeout: number;
  /** whether failed jobs are run again */
  readonly retry: boolean;
  /** folder */
  readonly out: string;
}

/**
 * @returns undefined if help is wanted
 * @throws PliantError that lists the valid values
 */
export function parseSweep(args: readonly string[]): SweepRequest | undefined {
  const one = { type: "string" } as const;
  const many = { type: "string", multiple: true } as const;
  const { values, positionals } = parseOrRefuse(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        grid: many,
        vary: many,
        set: many,
        seeds: one,
        seed: one,
        frames: one,
        backend: one,
        timeout: one,
        retry: { type: "boolean", default: false },
        out: one,
        help: { type: "boolean", default: false },
        ...crewOptions,
      },
    }),
  );
  if (values.help) return undefined;
  if (positionals.length !== 1)
    throw new PliantError("invalid-argument", "scene", positionals.join(" "), "must be one name of a scene, or worker");
  const scene = sceneNamed(positionals[0], scenes);
  const { backend = "cpu" } = values;
  if (backend !== "cpu" && backend !== "reference")
    throw new PliantError("invalid-argument", "--backend", backend, "must be one of cpu, reference");
  return {
    study: {
      scene,
      set: values.set ?? [],
      grid: values.grid ?? [],
      vary: values.vary ?? [],
      firstSeed: wholeNumber("--seed", values.seed ?? "1", 0, 1e9),
      seeds: wholeNumber("--seeds", values.seeds ?? "1", 1, 1e6),
      frames: values.frames === undefined ? undefined : wholeNumber("--frames", values.frames, 1, 1e6),
      backend,
    },
    timeout: wholeNumber("--timeout", values.timeout ?? "3600", 1, 1e6),
    retry: values.retry,
    out: values.out ?? path.join("sweeps", scene.name),
    // Others may do the work if there is a Redis.
    ...crewOf(values, values.redis === undefined ? 1 : 0),
  };
}
