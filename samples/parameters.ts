import { PliantError } from "../src/errors";
import { defaultOptions, type GpbdOptions } from "../src/solvers/gpbd/options";
import type { Parameter, ParameterValue, ParameterValues, SceneDefinition } from "./scene";

type GpbdMethod = GpbdOptions["method"];

const methods: readonly GpbdMethod[] = ["hybrid", "gauss-seidel", "jacobi"];

/** Simulated time of a frame [s]. */
export function frameTimeParameter(shortest = 1 / 1000, longest = 1 / 15): Parameter {
  return {
    name: "frameTime",
    default: 1 / 60,
    unit: "s",
    range: [shortest, longest],
    description: "simulated time of a frame",
  };
}

/** Parameters of every scene, with the scene's own defaults. */
export function commonParameters(defaults: {
  substeps: number;
  iterations: number;
  /** default substeps */
  followSubsteps?: Parameter["follow"];
}): Parameter[] {
  return [
    frameTimeParameter(),
    {
      name: "substeps",
      default: defaults.substeps,
      unit: "",
      range: [1, 256],
      integer: true,
      description: "time steps in a frame",
      follow: defaults.followSubsteps,
    },
    {
      name: "iterations",
      default: defaults.iterations,
      unit: "",
      range: [1, 500],
      integer: true,
      description: "solver iterations in a substep",
    },
    {
      name: "method",
      default: defaultOptions.method,
      unit: "",
      choices: methods,
      description: "how the elements are swept: color after color, all at once and averaged, or that for bending only",
    },
  ];
}

/** The options of a body that every scene takes from its common parameters. */
export function solverOptions(values: ParameterValues): {
  substeps: number;
  iterations: number;
  method: GpbdMethod;
} {
  return {
    substeps: numberOf(values, "substeps"),
    iterations: numberOf(values, "iterations"),
    method: choiceOf(values, "method", methods),
  };
}

/** Default values of a scene. */
export function defaultValues(scene: Pick<SceneDefinition, "parameters">): ParameterValues {
  return Object.fromEntries(scene.parameters.map((parameter) => [parameter.name, parameter.default]));
}

/**
 * Defaults, replaced by the given values.
 *
 * @param overrides by name; texts are parsed as on the command line
 * @throws PliantError `invalid-argument` for an unknown name or a value out of range; it lists the valid ones
 */
export function resolveParameters(
  scene: Pick<SceneDefinition, "name" | "parameters">,
  overrides: Readonly<Record<string, ParameterValue>> = {},
): ParameterValues {
  const values: Record<string, ParameterValue> = { ...defaultValues(scene) };
  for (const [name, value] of Object.entries(overrides)) {
    const parameter = scene.parameters.find((candidate) => candidate.name === name);
    if (parameter === undefined) {
      const valid = scene.parameters.map((candidate) => candidate.name).join(", ");
      throw new PliantError("invalid-argument", `parameter of scene "${scene.name}"`, name, `must be one of ${valid}`);
    }
    values[name] = checkedValue(scene, parameter, value);
  }
  for (const { name, follow } of scene.parameters)
    if (follow !== undefined && !Object.hasOwn(overrides, name)) values[name] = follow(values);
  return values;
}

/**
 * Reads `key=value` settings; a later one overrides an earlier one.
 *
 * @throws PliantError `invalid-argument` for a setting without a name or a value
 */
export function parseSettings(settings: readonly string[]): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const setting of settings) {
    const split = setting.indexOf("=");
    if (split < 1 || split === setting.length - 1)
      throw new PliantError("invalid-argument", "--set", setting, "must have the form key=value");
    overrides[setting.slice(0, split).trim()] = setting.slice(split + 1).trim();
  }
  return overrides;
}

function checkedValue(
  scene: Pick<SceneDefinition, "name">,
  parameter: Parameter,
  value: ParameterValue,
): ParameterValue {
  const parsed = typeof value === "string" ? parse(parameter, value) : value;
  if (parsed === undefined || typeof parsed !== typeof parameter.default || !isValid(parameter, parsed)) {
    const object = `parameter "${parameter.name}" of scene "${scene.name}"`;
    throw new PliantError("invalid-argument", object, value, `must be ${describeValid(parameter)}`);
  }
  return parsed;
}

function parse(parameter: Parameter, text: string): ParameterValue | undefined {
  switch (typeof parameter.default) {
    case "number":
      return text.trim() === "" ? undefined : Number(text);
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    default:
      return text;
  }
}

function isValid(parameter: Parameter, value: ParameterValue): boolean {
  if (parameter.choices !== undefined) return parameter.choices.includes(String(value));
  if (typeof value !== "number") return true;
  if (!Number.isFinite(value) || (parameter.integer === true && !Number.isInteger(value))) return false;
  const [lowest, highest] = parameter.range ?? [-Infinity, Infinity];
  return value >= lowest && value <= highest;
}

/** The valid values of this parameter, for messages: `a whole number from 8 to 512`. */
export function describeValid(parameter: Parameter): string {
  if (parameter.choices !== undefined) return `one of ${parameter.choices.join(", ")}`;
  if (typeof parameter.default === "boolean") return "true or false";
  if (typeof parameter.default === "string") return "a text";
  const kind = parameter.integer === true ? "a whole number" : "a number";
  const unit = parameter.unit === "" ? "" : ` ${parameter.unit}`;
  if (parameter.range === undefined) return `${kind}${unit}`;
  const [lowest, highest] = parameter.range.map((limit) => String(Number(limit.toPrecision(6))));
  return `${kind} from ${lowest} to ${highest}${unit}`;
}

/** Frames of a default run: the simulated time stays the same when `frameTime` is changed. */
export function frameCount(scene: Pick<SceneDefinition, "frames" | "parameters">, values: ParameterValues): number {
  const usual = numberOf(defaultValues(scene), "frameTime");
  return Math.max(1, Math.round((scene.frames * usual) / numberOf(values, "frameTime")));
}

/** @throws PliantError `invalid-argument` if the scene has no such number */
export function numberOf(values: ParameterValues, name: string): number {
  const value = values[name];
  if (typeof value !== "number") throw wrongKind(name, value, "must be a number");
  return value;
}

/** @throws PliantError `invalid-argument` if the scene has no such text */
export function textOf(values: ParameterValues, name: string): string {
  const value = values[name];
  if (typeof value !== "string") throw wrongKind(name, value, "must be a text");
  return value;
}

/** @throws PliantError `invalid-argument` if the scene has no such switch */
export function flagOf(values: ParameterValues, name: string): boolean {
  const value = values[name];
  if (typeof value !== "boolean") throw wrongKind(name, value, "must be true or false");
  return value;
}

/** One of the choices of a text parameter, narrowed to its type. */
export function choiceOf<T extends string>(values: ParameterValues, name: string, choices: readonly T[]): T {
  const value = textOf(values, name);
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw wrongKind(name, value, `must be one of ${choices.join(", ")}`);
  return choice;
}

function wrongKind(name: string, value: unknown, rule: string): PliantError {
  return new PliantError("invalid-argument", `parameter "${name}"`, value, rule);
}
