import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PliantError } from "../../src/errors";
import { sceneNamed, scenes } from "../../samples/scenes/index";
import type { Study } from "./plan";

export const usage =
  "usage: npm run sweep -- SCENE [--grid key=v1,v2 ...] [--vary key=low:high[:log] | --vary key=v1,v2 ...] [--seeds N] [--seed FIRST]\n" +
  "           [--set key=value ...] [--frames N] [--backend cpu|reference] [--timeout SECONDS] [--retry] [--out DIR]\n" +
  "           [--workers N] [--redis URL]\n" +
  "       npm run sweep -- worker --redis URL [--workers N] [--lease SECONDS]";

/** What runs jobs. */
export interface Crew {
  /** threads */
  readonly workers: number;
  readonly redis: string | undefined;
  /** time after which the jobs of a silent worker go to others, s */
  readonly lease: number;
}

export type Request =
  | { readonly kind: "help" }
  | ({ readonly kind: "worker"; readonly redis: string } & Crew)
  | ({
      readonly kind: "sweep";
      readonly study: Study;
      /** longest time of a job, s */
      readonly timeout: number;
      /** whether failed jobs are run again */
      readonly retry: boolean;
      /** folder */
      readonly out: string;
    } & Crew);

/** @throws PliantError that lists the valid values */
export function parseSweep(args: readonly string[]): Request {
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
        workers: one,
        redis: one,
        lease: one,
        help: { type: "boolean", default: false },
      },
    }),
  );
  if (values.help) return { kind: "help" };
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0)
    throw new PliantError("invalid-argument", "scene", positionals.join(" "), "must be one name of a scene, or worker");
  const redis = values.redis === undefined ? undefined : redisAddress(values.redis);
  const isWorker = name === "worker";
  const fewest = redis !== undefined && !isWorker ? 0 : 1;
  const crew: Crew = {
    workers: number("--workers", values.workers ?? String(os.availableParallelism()), fewest, 1024),
    redis,
    lease: number("--lease", values.lease ?? "15", 1, 3600),
  };
  if (isWorker) {
    if (redis === undefined) throw new PliantError("invalid-argument", "--redis", redis, "must be given for a worker");
    const foreign = (["grid", "vary", "set", "seeds", "seed", "frames", "backend", "timeout", "out"] as const).find(
      (option) => values[option] !== undefined,
    );
    if (foreign !== undefined || values.retry)
      throw new PliantError("invalid-argument", "worker", `--${foreign ?? "retry"}`, "belongs to the sweep itself");
    return { kind: "worker", ...crew, redis };
  }
  const scene = sceneNamed(name, scenes);
  const { backend = "cpu" } = values;
  if (backend !== "cpu" && backend !== "reference")
    throw new PliantError("invalid-argument", "--backend", backend, "must be one of cpu, reference");
  return {
    kind: "sweep",
    study: {
      scene,
      set: values.set ?? [],
      grid: values.grid ?? [],
      vary: values.vary ?? [],
      firstSeed: number("--seed", values.seed ?? "1", 0, 1e9),
      seeds: number("--seeds", values.seeds ?? "1", 1, 1e6),
      frames: values.frames === undefined ? undefined : number("--frames", values.frames, 1, 1e6),
      backend,
    },
    timeout: number("--timeout", values.timeout ?? "3600", 1, 1e6),
    retry: values.retry,
    out: values.out ?? path.join("sweeps", scene.name),
    ...crew,
  };
}

function parseOrRefuse<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new PliantError("invalid-argument", "sweep", (error as Error).message, "must be as the usage says");
  }
}

function number(option: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= low && value <= high) return value;
  throw new PliantError("invalid-argument", option, text, `must be a whole number from ${low} to ${high}`);
}

function redisAddress(text: string): string {
  if (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)) return text;
  throw new PliantError("invalid-argument", "--redis", text, "must be like redis://localhost:6379");
}
