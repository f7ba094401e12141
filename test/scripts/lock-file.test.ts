import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = path.join(import.meta.dirname, "../../package-lock.json");
const { packages } = JSON.parse(fs.readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([name]) => name !== "");

// If the registry does not have the packages of other platforms (yet), npm writes a lock file without them, and then
// `npm ci` refuses that file on every machine.
it("holds every optional dependency", () => {
  const missing = locked.flatMap(([name, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((wanted) => !(`node_modules/${wanted}` in packages) && !(`${name}/node_modules/${wanted}` in packages))
      .map((wanted) => `${name} -> ${wanted}`),
  );
  expect(missing).toEqual([]);
});

it("holds packages with permissive licences only", () => {
  // CC-BY-4.0, which asks for attribution alone, is the licence of tables of browsers that Jest's transformer reads.
  const permissive =
    /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense|CC0-1\.0|CC-BY-4\.0|\(MIT OR CC0-1\.0\)|Public Domain)$/;
  const others = locked.filter(([, { license }]) => license !== undefined && !permissive.test(license));
  expect(others.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
  expect(locked.filter(([, { license }]) => license === undefined).map(([name]) => name)).toEqual([]);
});
