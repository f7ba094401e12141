import { PliantError } from "../../../src/errors";
import { ArticulatedModel } from "../../../src/articulated/model";
import type { LoadedMechanism } from "../../../src/articulated/loaders/loaded";
import type { RandomGeometry } from "../../collision/random";

/** Numbers and words that files of strangers may hold. */
const words =
  "0 -1 1e308 -1e308 1e-320 NaN Infinity 4294967296 1e9 999999999999 true false auto free ball mesh hull".split(" ");

/** A file with a few random changes: letters, numbers, elements and parts that are dropped, doubled or swapped. */
export function mutated(text: string, random: RandomGeometry): string {
  const at = (length: number): number => Math.floor(random.between(0, length));
  let result = text;
  for (let change = 1 + at(4); change > 0; change--) {
    const [from, length] = [at(result.length), at(60)];
    const word = words[at(words.length)];
    switch (at(7)) {
      case 0:
        result = result.slice(0, from) + result.slice(from + length);
        break;
      case 1:
        result = result.slice(0, from) + result.slice(from, from + length).repeat(2) + result.slice(from + length);
        break;
      case 2: {
        const numbers = [...result.matchAll(/-?\d+\.?\d*/g)];
        const { 0: found, index } = numbers[at(numbers.length)] ?? { 0: "", index: 0 };
        result = result.slice(0, index) + word + result.slice(index + found.length);
        break;
      }
      case 3: {
        const values = [...result.matchAll(/"[^"]*"/g)];
        const [a, b] = [values[at(values.length)], values[at(values.length)]];
        if (a !== undefined && b !== undefined)
          result = result.slice(0, a.index) + b[0] + result.slice(a.index + a[0].length);
        break;
      }
      case 4: {
        const tags = [...result.matchAll(/<[^<>]*\/>/g)];
        const [a, b] = [tags[at(tags.length)], tags[at(tags.length)]];
        if (a !== undefined && b !== undefined)
          result = result.slice(0, a.index) + b[0] + result.slice(a.index + a[0].length);
        break;
      }
      case 5: {
        const tags = [...result.matchAll(/<\/?[a-z_]+/g)];
        const [a, b] = [tags[at(tags.length)], tags[at(tags.length)]];
        if (a !== undefined && b !== undefined)
          result = result.slice(0, a.index) + b[0] + result.slice(a.index + a[0].length);
        break;
      }
      default:
        result = result.slice(0, from) + String.fromCharCode(at(0x3000)) + result.slice(from + 1);
    }
  }
  return result;
}

/** Outcome for mutated files. */
export interface Outcome {
  models: number;
  refused: number;
  /** [ms] */
  slowest: number;
}

/** Processor time of the process so far [ms]: others may keep the machine busy. */
export function spentTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Loads files, each of which must give a model without NaN or a `PliantError`.
 *
 * @throws any other error, with the file in its message
 */
export async function loadAll(
  files: Iterable<string>,
  load: (text: string) => Promise<LoadedMechanism>,
): Promise<Outcome> {
  const outcome: Outcome = { models: 0, refused: 0, slowest: 0 };
  for (const file of files) {
    const start = spentTime();
    try {
      const { mechanism } = await load(file);
      requireNumbers(new ArticulatedModel(mechanism));
      outcome.models++;
    } catch (error) {
      if (!(error instanceof PliantError)) throw new Error(`${String(error)} of\n${file}`, { cause: error });
      outcome.refused++;
    }
    outcome.slowest = Math.max(outcome.slowest, spentTime() - start);
  }
  return outcome;
}

function requireNumbers(model: ArticulatedModel): void {
  for (const [name, values] of Object.entries(model))
    if (values instanceof Float64Array && values.some(Number.isNaN)) throw new Error(`NaN in ${name}`);
}
