import { parseArgs } from "node:util";
import { PliantError } from "../../src/errors";
import { families } from "./families/index";

export const usage =
  "usage: npm run stress -- [--seeds N] [--family NAME] [--minutes M] [--seed S] [--backend cpu|webgpu|all]\n" +
  "       [--jobs J] [--json FILE]\n" +
  `families: ${families.map(({ name }) => name).join(", ")}`;

export interface StressRequest {
  /** names; all of them by default */
  readonly families: readonly string[];
  /** the first seed of each family */
  readonly first: number;
  /** number of seeds of each family */
  readonly seeds: number;
  /** time in which new scenes are started */
  readonly minutes: number;
  /** by default also a GPU, if the machine has a real one */
  readonly backend: "cpu" | "webgpu" | "all" | undefined;
  /** scenes at a time */
  readonly jobs: number;
  /** file for all results */
  readonly json: string | undefined;
  readonly help: boolean;
}

/** @throws PliantError that lists the valid values */
export function parseStress(args: readonly string[]): StressRequest {
  const options = { type: "string" } as const;
  const { values } = parseOrRefuse(() =>
    parseArgs({
      args: [...args],
      options: {
        family: options,
        seeds: options,
        seed: options,
        minutes: options,
        backend: options,
        jobs: options,
        json: options,
        help: { type: "boolean", default: false },
      },
    }),
  );
  const names = families.map(({ name }) => name);
  const chosen = values.family?.split(",") ?? names;
  for (const name of chosen) oneOf("--family", name, names);
  const backends = ["cpu", "webgpu", "all"] as const;
  if (values.backend !== undefined) oneOf("--backend", values.backend, backends);
  const seconds = values.minutes === undefined ? Infinity : number("--minutes", values.minutes, 1e-3, 1e5, false);
  return {
    families: chosen,
    first: values.seed === undefined ? 1 : number("--seed", values.seed, 0, 1e9, true),
    seeds: number("--seeds", values.seeds ?? defaultSeeds(values.seed, seconds), 1, 1e9, true),
    minutes: seconds,
    backend: values.backend as StressRequest["backend"],
    jobs: number("--jobs", values.jobs ?? "1", 1, 256, true),
    json: values.json,
    help: values.help,
  };
}

/** One seed that is named, or else as many as fit into a time limit. */
function defaultSeeds(first: string | undefined, seconds: number): string {
  if (first !== undefined) return "1";
  return seconds < Infinity ? "1e9" : "10";
}

function parseOrRefuse<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new PliantError("invalid-argument", "stress", (error as Error).message, "must be as the usage says");
  }
}

function number(option: string, text: string, low: number, high: number, isWhole: boolean): number {
  const value = Number(text);
  if (text !== "" && value >= low && value <= high && (!isWhole || Number.isInteger(value))) return value;
  const rule = `must be a ${isWhole ? "whole " : ""}number from ${low} to ${high}`;
  throw new PliantError("invalid-argument", option, text, rule);
}

function oneOf(option: string, value: string, valid: readonly string[]): void {
  if (!valid.includes(value))
    throw new PliantError("invalid-argument", option, value, `must be one of ${valid.join(", ")}`);
}
