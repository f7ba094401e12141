import { PliantError } from "../../src/errors";
import { parseSettings, resolveParameters } from "../parameters";
import type { ParameterValues, SceneDefinition } from "../scene";
import { sceneNamed, scenes as allScenes } from "../scenes/index";

export const usage =
  "usage: npm run --silent scene -- NAME [--set key=value ...] [--frames N] [--backend cpu|reference|webgpu|auto] " +
  "[--png FILE] [--json] | --list [--json]";

export type Backend = "cpu" | "reference" | "webgpu" | "auto";

/** Longest run, frames: a larger number is a typing error. */
const MOST_FRAMES = 1_000_000;

/** The request of the command line. */
export type Request =
  | { readonly kind: "help" }
  | { readonly kind: "list"; readonly json: boolean }
  | {
      readonly kind: "run";
      readonly scene: SceneDefinition;
      /** settings as given, by name */
      readonly settings: Readonly<Record<string, string>>;
      /** all parameters, checked */
      readonly parameters: ParameterValues;
      readonly frames: number | undefined;
      readonly backend: Backend;
      readonly png: string | undefined;
      readonly json: boolean;
    };

/**
 * Reads and checks the arguments of the `scene` command before anything runs.
 *
 * @param scenes that can be named
 * @throws PliantError that lists the valid values
 */
export function parseArguments(args: readonly string[], scenes: readonly SceneDefinition[] = allScenes): Request {
  const settings: string[] = [];
  let name: string | undefined;
  let frames: number | undefined;
  let backend: Backend = "auto";
  let png: string | undefined;
  let [json, list, help] = [false, false, false];
  const rest = [...args];
  const valueOf = (option: string): string => {
    const value = rest.shift();
    if (value === undefined || value === "" || value.startsWith("--"))
      throw new PliantError("invalid-argument", option, value, "needs a value");
    return value;
  };
  while (rest.length > 0) {
    const [option, attached] = splitOption(rest.shift()!);
    if (attached !== undefined) rest.unshift(attached);
    switch (option) {
      case "--set":
        settings.push(valueOf(option));
        break;
      case "--frames":
        frames = parseFrames(valueOf(option));
        break;
      case "--backend":
        backend = parseBackend(valueOf(option));
        break;
      case "--png":
        png = valueOf(option);
        break;
      case "--json":
        json = true;
        break;
      case "--list":
        list = true;
        break;
      case "--help":
        help = true;
        break;
      default:
        if (option.startsWith("-"))
          throw new PliantError(
            "invalid-argument",
            "option",
            option,
            "must be one of --set, --frames, --backend, --png, --json, --list, --help",
          );
        if (name !== undefined)
          throw new PliantError(
            "invalid-argument",
            "scene",
            option,
            `only one scene runs at a time, "${name}" was given`,
          );
        name = option;
    }
  }
  if (help) return { kind: "help" };
  if (list) return { kind: "list", json };
  if (name === undefined) throw new PliantError("invalid-argument", "scene", name, `a name is needed; ${usage}`);
  const scene = sceneNamed(name, scenes);
  const overrides = parseSettings(settings);
  const parameters = resolveParameters(scene, overrides);
  return { kind: "run", scene, settings: overrides, parameters, frames, backend, png, json };
}

/** `--frames=10` is `--frames 10`; switches take no value. */
function splitOption(argument: string): [string, string | undefined] {
  const match = /^(--(?:set|frames|backend|png))=(.*)$/s.exec(argument);
  return match === null ? [argument, undefined] : [match[1], match[2]];
}

function parseFrames(text: string): number {
  const frames = Number(text);
  if (!Number.isInteger(frames) || frames < 1 || frames > MOST_FRAMES)
    throw new PliantError("invalid-argument", "--frames", text, `must be a whole number from 1 to ${MOST_FRAMES}`);
  return frames;
}

function parseBackend(text: string): Backend {
  if (text === "cpu" || text === "reference" || text === "webgpu" || text === "auto") return text;
  throw new PliantError("invalid-argument", "--backend", text, "must be one of cpu, reference, webgpu, auto");
}
