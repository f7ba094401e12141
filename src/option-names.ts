import { invalid } from "./errors";
import type { Words } from "./words";

/**
 * The names of all options of an interface, including those that only some members of a union have, each with whether
 * it is a flag: an option that is true or false.
 */
export type NamesOf<Options> = {
  readonly [Name in Options extends unknown ? keyof Options : never]: [ValueOf<Options, Name>] extends [
    boolean | undefined,
  ]
    ? true
    : false;
};

type ValueOf<Options, Name extends PropertyKey> = Options extends { readonly [_ in Name]?: infer Value }
  ? Value
  : never;

/** The table of an interface at run time. */
export type OptionNames = Readonly<Record<string, boolean>>;

/** The names of a table as words: a flag ends in a question mark. */
type WordsOf<Table> = Table extends unknown
  ? { [Name in keyof Table & string]: Table[Name] extends true ? `${Name}?` : Name }[keyof Table & string]
  : never;

/** The text itself if it has all words that are needed and no other; otherwise the words that are wrong. */
type Exactly<Needed, Given, Text> = [Needed, Given] extends [Given, Needed]
  ? Text
  : { readonly missing: Exclude<Needed, Given>; readonly superfluous: Exclude<Given, Needed> };

/**
 * The table of an interface, such as `optionNames<PinOptions>()("compliance")`. It does not compile if a name is missing
 * or superfluous, or if a flag has no question mark: `"canSleep?"`. Other tables may give a part of the names.
 */
/* @__NO_SIDE_EFFECTS__ */
export function optionNames<Options>() {
  return <Text extends string, Tables extends readonly object[]>(
    names: Exactly<WordsOf<NamesOf<Options>>, Words<Text> | WordsOf<Tables[number]>, Text>,
    ...tables: Tables
  ): NamesOf<Options> => {
    const words = (names as string).match(/\S+/g) ?? [];
    const own = words.map((word) => [word.replace("?", ""), word.endsWith("?")]);
    return Object.assign({}, ...tables, Object.fromEntries(own)) as NamesOf<Options>;
  };
}

type RequiredOf<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name> ? never : Name;
}[keyof Options];

/** The table of the options that have a default. One whose default is true or false is a flag. */
export function namesOf<Options extends object>(defaults: Options): NamesOf<Pick<Options, RequiredOf<Options>>> {
  const table = Object.entries(defaults).map(([name, value]) => [name, typeof value === "boolean"]);
  return Object.fromEntries(table) as NamesOf<Pick<Options, RequiredOf<Options>>>;
}

/**
 * Rejects names that are none of the options, for callers without a type checker: a misspelled option would be ignored
 * silently. A flag must be true or false: "false" would count as true.
 *
 * @param object name of the options' owner in messages
 * @throws PliantError `invalid-argument` with the nearest valid name, or with all names if none is near; also if
 * `given` is not an object, or a flag neither true nor false
 */
export function checkNames(object: string, given: object, names: OptionNames): void {
  for (const name of keysOf(object, given))
    if (!Object.hasOwn(names, name)) refuse(object, given, name, Object.keys(names));
    else if (names[name]) checkFlag(`${object}.${name}`, (given as Record<string, unknown>)[name]);
}

/**
 * As `checkNames`, for descriptions, which may be part of a larger record (`{ ...gridMesh(…), fabric: "silk" }`): names
 * that resemble no option are accepted.
 */
export function checkLikelyNames(object: string, given: object, names: OptionNames): void {
  const all = Object.keys(names);
  for (const name of keysOf(object, given))
    if (!Object.hasOwn(names, name) && all.some((right) => typingErrors(name, right) < right.length / 4))
      refuse(object, given, name, all);
}

/** @throws PliantError `invalid-argument` unless the value is true, false or undefined */
export function checkFlag(object: string, value: unknown): void {
  if (value !== undefined && typeof value !== "boolean") throw invalid(object, value, "must be true or false");
}

const NO_OPTIONS = "must be given its options as an object";

function keysOf(object: string, given: unknown): readonly string[] {
  if (typeof given !== "object" || given === null) throw invalid(object, given, NO_OPTIONS);
  return Object.keys(given);
}

function refuse(object: string, given: object, name: string, all: readonly string[]): never {
  const kind = (given as { constructor?: unknown }).constructor;
  // a scene or a mesh in the place of options
  if (typeof kind === "function" && kind.name !== "Object") throw invalid(object, kind.name, NO_OPTIONS);
  const like = nearest(name, all);
  const rule = like === undefined ? `is no option; there are ${all.join(", ")}` : `is no option; "${like}" is`;
  throw invalid(`${object}.${name}`, (given as Record<string, unknown>)[name], rule);
}

/** The option that a misspelled name may mean: a third of the letters may be wrong, or the name is a prefix of it. */
function nearest(typed: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const length = Math.max(typed.length, name.length);
    const isBeginning = typed.length > 3 && name.toLowerCase().startsWith(typed.toLowerCase());
    const errors = isBeginning ? 1 : typingErrors(typed, name);
    if (errors < least && errors <= length / 3) [best, least] = [name, errors];
  }
  return best;
}

/** Letters that are missing, superfluous, wrong, or swapped (optimal string alignment), whatever their case. */
function typingErrors(typed: string, name: string): number {
  const [a, b] = [typed.toLowerCase(), name.toLowerCase()];
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let errors = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, rows[i - 2][j - 2] + 1);
      row.push(errors);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
