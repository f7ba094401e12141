import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";

/** What the figures were measured on, in words. */
export function describeMachine(): string {
  const cpus = os.cpus();
  const model = cpus[0]?.model.trim() || "unknown processor";
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${model}, ${cpus.length} cores, ${memory} GiB, ${os.type()} ${os.arch()}`;
}

/** Versions of everything that takes part. */
export function versions(): Record<string, string> {
  const { resolve } = createRequire(import.meta.url);
  const versionIn = (file: string): string => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  return {
    "babylon-pliant": versionIn(resolve("../package.json")),
    "jolt-physics": versionIn(resolve("jolt-physics/package.json")),
    webgpu: versionIn(resolve("webgpu/package.json")),
    node: process.versions.node,
  };
}
