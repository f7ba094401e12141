import { tableToIPC, Bool, Float64, Table, Utf8, vectorFromArray, type Vector } from "apache-arrow";
import type { ParameterValue } from "../../samples/scene";
import type { StoredResult } from "./store";

/** Values of a column, a row each; null where a job has none. */
export type Column = readonly (ParameterValue | null)[];

/** The results as columns: settings, metrics, and what ran them. */
export interface ResultTable {
  readonly columns: ReadonlyMap<string, Column>;
  /** names of the settings that differ between jobs, the seed among them */
  readonly varied: readonly string[];
  readonly metrics: readonly string[];
  readonly rows: number;
}

export function tableOf(results: readonly StoredResult[]): ResultTable {
  const columns = new Map<string, Column>();
  /** @returns the name that the column got: a metric may be called like a setting */
  const add = (name: string, valueOf: (result: StoredResult) => ParameterValue | null | undefined): string => {
    const free = columns.has(name) ? `${name} (metric)` : name;
    columns.set(
      free,
      results.map((result) => valueOf(result) ?? null),
    );
    return free;
  };
  const namesOf = (part: (result: StoredResult) => object | undefined): string[] => [
    ...new Set(results.flatMap((result) => Object.keys(part(result) ?? {}))),
  ];
  add("scene", ({ job }) => job.scene);
  add("seed", ({ job }) => job.seed);
  const settings = namesOf(({ job }) => job.settings).filter((name) => name !== "seed");
  for (const name of settings) add(name, ({ job }) => job.settings[name]);
  const metrics = namesOf(({ outcome }) => outcome.metrics).map((name) =>
    add(name, ({ outcome }) => outcome.metrics?.[name]),
  );
  add("error", ({ outcome }) => outcome.error);
  add("frames", ({ outcome }) => outcome.frames);
  add("ms", ({ outcome }) => outcome.ms);
  add("backend", ({ job }) => job.backend);
  add("version", ({ version }) => version);
  add("node", ({ node }) => node);
  add("host", ({ host }) => host);
  add("key", ({ key }) => key);
  const varied = [...settings, "seed"].filter((name) => new Set(columns.get(name)).size > 1);
  return { columns, varied, metrics, rows: results.length };
}

/** Comma-separated values by RFC 4180; numbers have all their digits. */
export function csvOf({ columns, rows }: ResultTable): string {
  const lines = [[...columns.keys()].map(quoted).join(",")];
  for (let row = 0; row < rows; row++)
    lines.push([...columns.values()].map((column) => quoted(String(column[row] ?? ""))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A file of Apache Arrow (Feather 2): pandas, Polars, DuckDB and R read it, types included. */
export function arrowOf({ columns }: ResultTable): Uint8Array {
  const vectors: Record<string, Vector> = {};
  for (const [name, column] of columns) vectors[name] = vectorOf(column);
  return tableToIPC(new Table(vectors), "file");
}

function vectorOf(column: Column): Vector {
  const kinds = new Set(column.filter((value) => value !== null).map((value) => typeof value));
  if (kinds.size === 1 && kinds.has("number")) return vectorFromArray(column, new Float64());
  if (kinds.size === 1 && kinds.has("boolean")) return vectorFromArray(column, new Bool());
  return vectorFromArray(
    column.map((value) => (value === null ? null : String(value))),
    new Utf8(),
  );
}
