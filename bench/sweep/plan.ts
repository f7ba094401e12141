import { createHash } from "node:crypto";
import { PliantError } from "../../src/errors";
import { resolveParameters } from "../../samples/parameters";
import type { Parameter, ParameterValue, SceneDefinition } from "../../samples/scene";
import type { Job } from "./job";

/** More jobs than this are a typing error. */
const MOST_JOBS = 1_000_000;

/** A study of a scene. */
export interface Study {
  readonly scene: SceneDefinition;
  /** `key=value` */
  readonly set: readonly string[];
  /** `key=v1,v2`: every combination is run */
  readonly grid: readonly string[];
  /** `key=low:high`, `key=low:high:log` or `key=v1,v2`: each seed draws a value */
  readonly vary: readonly string[];
  readonly firstSeed: number;
  readonly seeds: number;
  readonly frames: number | undefined;
  readonly backend: Job["backend"];
}

type Settings = Record<string, ParameterValue>;

/**
 * The jobs of a study: all combinations of the grid, and for each of them all seeds. A seed draws the same values in all
 * combinations, so that these can be compared in pairs. If the scene has a parameter `seed`, it gets the seed.
 *
 * @throws PliantError for a name or value that the scene refuses, and for seeds that would all be the same run
 */
export function jobsOf(study: Study): readonly Job[] {
  const { scene, firstSeed, seeds, frames, backend } = study;
  const fixed = study.set.map((text) => split("--set", text));
  const grid = study.grid.map((text) => split("--grid", text)).map(([name, text]) => [name, valuesOf(text)] as const);
  const draws = study.vary.map((text) => split("--vary", text)).map(([name, text]) => drawOf(scene, name, text));
  const hasSeed = scene.parameters.some(({ name }) => name === "seed");
  const names = [...fixed, ...grid].map(([name]) => name).concat(draws.map(({ name }) => name));
  refuseTwice(hasSeed && seeds > 1 ? [...names, "seed"] : names);
  if (seeds > 1 && draws.length === 0 && !hasSeed) {
    const rule = `must be 1 for scene "${scene.name}", which has no parameter seed, or come with --vary key=low:high`;
    throw new PliantError("invalid-argument", "--seeds", seeds, rule);
  }
  const count = grid.reduce((product, [, values]) => product * values.length, seeds);
  if (count > MOST_JOBS) throw new PliantError("invalid-argument", "sweep", count, `must be at most ${MOST_JOBS} jobs`);

  const jobs: Job[] = [];
  for (const combination of combinationsOf(grid))
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const settings: Settings = Object.fromEntries([...fixed, ...combination]);
      for (const { name, draw } of draws) settings[name] = draw(seed);
      if (hasSeed && !names.includes("seed")) settings.seed = seed;
      jobs.push({ scene: scene.name, settings: checked(scene, settings), seed, frames, backend });
    }
  return jobs;
}

/** The settings as the scene understands them: texts become numbers and switches. */
function checked(scene: SceneDefinition, settings: Settings): Settings {
  const values = resolveParameters(scene, settings);
  return Object.fromEntries(Object.keys(settings).map((name) => [name, values[name]]));
}

function split(option: string, text: string): readonly [string, string] {
  const place = text.indexOf("=");
  if (place < 1 || place === text.length - 1)
    throw new PliantError("invalid-argument", option, text, "must have the form key=value");
  return [text.slice(0, place).trim(), text.slice(place + 1).trim()];
}

function valuesOf(text: string): readonly string[] {
  const values = text.split(",").map((value) => value.trim());
  if (values.includes("") || new Set(values).size < values.length)
    throw new PliantError("invalid-argument", "--grid", text, "must be different values with commas between them");
  return values;
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new PliantError("invalid-argument", "parameter", twice, "must be in one of --set, --grid, --vary, once");
}

function* combinationsOf(
  grid: readonly (readonly [string, readonly string[]])[],
): Generator<readonly (readonly [string, string])[]> {
  if (grid.length === 0) return yield [];
  const [[name, values], ...others] = grid;
  for (const value of values) for (const rest of combinationsOf(others)) yield [[name, value] as const, ...rest];
}

interface Draw {
  readonly name: string;
  draw(seed: number): ParameterValue;
}

/** A value depends on the seed and the name alone, whatever else is drawn. */
function drawOf(scene: SceneDefinition, name: string, text: string): Draw {
  // It names the valid ones.
  if (!scene.parameters.some((one) => one.name === name)) resolveParameters(scene, { [name]: "" });
  const parameter = scene.parameters.find((one) => one.name === name)!;
  if (!text.includes(":")) {
    const choices = valuesOf(text);
    return { name, draw: (seed) => choices[Math.floor(fractionOf(name, seed) * choices.length)] };
  }
  const valueAt = rangeOf(parameter, text);
  return { name, draw: (seed) => valueAt(fractionOf(name, seed)) };
}

/** The value at a fraction of the range `low:high` or `low:high:log`. */
function rangeOf(parameter: Parameter, text: string): (fraction: number) => number {
  const [low, high] = text.split(":").map(Number);
  const isWhole = parameter.integer === true;
  const isLogarithmic = text.endsWith(":log");
  const form = isLogarithmic ? /^[^:]+:[^:]+:log$/ : /^[^:]+:[^:]+$/;
  if (
    !form.test(text) ||
    !(low < high) ||
    !Number.isFinite(high - low) ||
    (isLogarithmic && !(low > 0)) ||
    (isWhole && !(Number.isInteger(low) && Number.isInteger(high)))
  ) {
    const rule = `must be low:high, or low:high:log with low > 0${isWhole ? ", in whole numbers" : ""}`;
    throw new PliantError("invalid-argument", `--vary ${parameter.name}`, text, rule);
  }
  if (typeof parameter.default !== "number")
    throw new PliantError(
      "invalid-argument",
      `--vary ${parameter.name}`,
      text,
      "must be values with commas between them",
    );
  if (isWhole)
    return isLogarithmic
      ? (t) => Math.floor(low * ((high + 1) / low) ** t)
      : (t) => Math.floor(low + t * (high + 1 - low));
  return isLogarithmic ? (t) => low * (high / low) ** t : (t) => low + t * (high - low);
}

/** A fraction in [0, 1) for a seed, independent of those of other seeds and names. */
const fractionOf = (name: string, seed: number): number =>
  createHash("sha256").update(`${name} ${seed}`).digest().readUIntBE(0, 6) / 2 ** 48;
