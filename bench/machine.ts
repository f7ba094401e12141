import { readFileSync } from "node:fs";
import os from "node:os";

/** The machine of the measurement, in words. */
export function describeMachine(): string {
  const cpus = os.cpus();
  const model = cpus[0]?.model.trim() || "unknown processor";
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${model}, ${cpus.length} cores, ${memory} GiB, ${os.type()} ${os.arch()}`;
}

/** Versions of all packages that take part. */
export function versions(): Record<string, string> {
  return {
    "babylon-pliant": versionIn("../package.json"),
    "jolt-physics": packageVersion("jolt-physics"),
    "@dimforge/rapier3d-compat": packageVersion("@dimforge/rapier3d-compat"),
    "@mujoco/mujoco": packageVersion("@mujoco/mujoco"),
    webgpu: packageVersion("webgpu"),
    node: process.versions.node,
  };
}

/** Version of an installed package, read from its file, because not all packages export it. */
export function packageVersion(name: string): string {
  return versionIn(`../node_modules/${name}/package.json`);
}

/** @param path of a package.json, relative to this file */
function versionIn(path: string): string {
  return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }).version;
}
