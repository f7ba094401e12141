import { PliantError } from "../src/errors";
import { suiteNames } from "./suites";

/** Suites: some step scenes frame by frame, one times single functions, and one draws residuals. */
const allSuites = [
  ...suiteNames,
  "articulated",
  "goals",
  "convergence",
  "defaults",
  "gpu-cost",
  "rigid",
  "rigid-gpu",
  "local-global",
  "solids",
] as const;

export const usage =
  "usage: npm run --silent bench -- [--suite cloth|hanging|scenes|scaling|gpbd|articulated|goals|convergence|defaults|gpu-cost|rigid|rigid-gpu|local-global|solids] [--sizes 32,64,128] [--frames N] " +
  "[--backend cpu,reference,webgpu] [--out FILE] [--json]";

export type Backend = "cpu" | "reference" | "webgpu";

const backends: readonly Backend[] = ["cpu", "reference", "webgpu"];
const optionNames = ["--suite", "--sizes", "--frames", "--backend", "--out", "--json", "--help"] as const;

/** Segments along a cloth's side that a scene can be built with. */
const SIZES = { lowest: 8, highest: 512 };
/** Numbers of bodies, or tables, of a pile. */
const PILE_SIZES = { lowest: 8, highest: 5000 };
/** Vertices of a mesh. */
const MESH_SIZES = { lowest: 100, highest: 40_000 };
/** One frame to warm up and one to time. */
const FEWEST_FRAMES = 2;
const MOST_FRAMES = 100_000;

/** Options of the command line; the suite decides those that are not given. */
export interface BenchRequest {
  readonly suite: (typeof allSuites)[number];
  readonly sizes: readonly number[] | undefined;
  readonly frames: number | undefined;
  readonly backends: readonly Backend[] | undefined;
  /** file for the result as JSON */
  readonly out: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws PliantError that lists the valid values; nothing has run yet */
export function parseArguments(args: readonly string[]): BenchRequest {
  const given = new Map<string, string>();
  const rest = [...args];
  while (rest.length > 0) {
    const argument = rest.shift()!;
    const split = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const option = split < 0 ? argument : argument.slice(0, split);
    if (!optionNames.some((name) => name === option)) throw refusal("option", option, list(optionNames));
    if (option === "--json" || option === "--help") {
      if (split >= 0) throw refusal(option, argument.slice(split + 1), "without a value");
      given.set(option, "");
      continue;
    }
    const value = split < 0 ? rest.shift() : argument.slice(split + 1);
    if (value === undefined || value === "" || value.startsWith("--"))
      throw new PliantError("invalid-argument", option, value, "needs a value");
    given.set(option, value);
  }
  const suite = given.get("--suite") ?? "cloth";
  const known = allSuites.find((name) => name === suite);
  if (known === undefined) throw refusal("--suite", suite, list(allSuites));
  const range = known === "local-global" ? MESH_SIZES : known === "rigid" || known === "rigid-gpu" ? PILE_SIZES : SIZES;
  return {
    suite: known,
    sizes: each(given.get("--sizes"), (text) => wholeNumber("--sizes", text, range.lowest, range.highest)),
    frames: each(given.get("--frames"), (text) => wholeNumber("--frames", text, FEWEST_FRAMES, MOST_FRAMES), 1)?.[0],
    backends: each(given.get("--backend"), parseBackend),
    out: given.get("--out"),
    json: given.has("--json"),
    help: given.has("--help"),
  };
}

/** The parts of a comma-separated list, each once. */
function each<T>(text: string | undefined, parse: (part: string) => T, most = Infinity): T[] | undefined {
  if (text === undefined) return undefined;
  const parts = most === 1 ? [text] : text.split(",");
  return [...new Set(parts.map((part) => parse(part.trim())))];
}

function wholeNumber(option: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (text === "" || !Number.isInteger(value) || value < lowest || value > highest)
    throw refusal(option, text, `a whole number from ${lowest} to ${highest}`);
  return value;
}

function parseBackend(text: string): Backend {
  const backend = backends.find((name) => name === text);
  if (backend === undefined) throw refusal("--backend", text, list(backends));
  return backend;
}

function list(names: readonly string[]): string {
  return `one of ${names.join(", ")}`;
}

function refusal(object: string, value: string, valid: string): PliantError {
  return new PliantError("invalid-argument", object, value, `must be ${valid}`);
}
