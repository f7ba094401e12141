import os from "node:os";
import { PliantError } from "../../src/errors";

export const usage =
  "usage: npm run sweep -- SCENE [--grid key=v1,v2 ...] [--vary key=low:high[:log] | --vary key=v1,v2 ...] [--seeds N] [--seed FIRST]\n" +
  "           [--set key=value ...] [--frames N] [--backend cpu|reference] [--timeout SECONDS] [--retry] [--out DIR]\n" +
  "           [--workers N] [--redis URL]\n" +
  "       npm run sweep -- worker --redis URL [--workers N] [--lease SECONDS]";

/** The threads that run jobs, and the server that hands them out. */
export interface Crew {
  /** threads */
  readonly workers: number;
  readonly redis: string | undefined;
  /** time after which the jobs of a silent worker go to others, s */
  readonly lease: number;
}

/** Options of whatever runs jobs, for `parseArgs`. */
export const crewOptions = {
  workers: { type: "string" },
  redis: { type: "string" },
  lease: { type: "string" },
} as const;

/**
 * @param fewest threads
 * @throws PliantError for a value out of range
 */
export function crewOf(
  values: { readonly workers?: string; readonly redis?: string; readonly lease?: string },
  fewest: number,
): Crew {
  return {
    workers: wholeNumber("--workers", values.workers ?? String(os.availableParallelism()), fewest, 1024),
    redis: values.redis === undefined ? undefined : redisAddress(values.redis),
    lease: wholeNumber("--lease", values.lease ?? "15", 1, 3600),
  };
}

/** @throws PliantError for what `parseArgs` refuses */
export function parseOrRefuse<T>(parse: () => T, command = "sweep"): T {
  try {
    return parse();
  } catch (error) {
    throw new PliantError("invalid-argument", command, (error as Error).message, "must be as the usage says");
  }
}

/** @throws PliantError for anything but a whole number of the range */
export function wholeNumber(option: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= low && value <= high) return value;
  throw new PliantError("invalid-argument", option, text, `must be a whole number from ${low} to ${high}`);
}

function redisAddress(text: string): string {
  if (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)) return text;
  throw new PliantError("invalid-argument", "--redis", text, "must be like redis://localhost:6379");
}
