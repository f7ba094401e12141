import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PliantError } from "../src/errors";

/** A call with options of an interface: `typed` is placed among the required ones. */
export interface OptionCase {
  /** the interface */
  readonly of: string;
  /** one of its names */
  readonly name: string;
  readonly call: (typed: Record<string, unknown>) => unknown;
}

/** A call with one wrong letter in a name must be refused, with the right name in the message. */
export function refusesTypingErrors(cases: readonly OptionCase[]): void {
  it.each(cases)("$of: a typing error in $name", async ({ name, call }) => {
    // the second and the third letter in the wrong order
    const wrong = name[0] + name[2] + name[1] + name.slice(3);
    const error: unknown = await Promise.resolve()
      .then(() => call({ [wrong]: 1 }))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PliantError);
    expect(error).toMatchObject({ code: "invalid-argument", value: 1, rule: `is no option; "${name}" is` });
    expect((error as PliantError).object.endsWith(`.${wrong}`)).toBe(true);
  });
}

/** Interfaces whose names the engine checks in some function. */
export function checkedInterfaces(): string[] {
  const root = new URL("../src/", import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, root), "utf8").matchAll(/optionNames<(\w+)/g)].map(([, name]) => name),
  );
}

/** Interfaces of options that the files export, by name. A `PhysicsProblem` is an output to the user. */
export function exportedOptions(...files: readonly string[]): string[] {
  const pattern =
    /\b(?!Body\w+Settings|PhysicsProblem)[A-Z]\w*(?:Options|Description|Definition|Curves|Material|Attachment|Path|Settings|Problem|Control)\b/g;
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, import.meta.url), "utf8").matchAll(pattern)].map(([name]) => name),
  );
}
