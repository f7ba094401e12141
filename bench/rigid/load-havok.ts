import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import HavokPhysics from "@babylonjs/havok";
import type { HavokModule } from "./havok";

let loading: Promise<HavokModule> | undefined;

/** Havok in Node. One module serves all scenes: its memory is shared. */
export function loadHavok(): Promise<HavokModule> {
  const wasm = createRequire(import.meta.url)
    .resolve("@babylonjs/havok")
    .replace(/lib\/.*$/, "lib/esm/HavokPhysics.wasm");
  loading ??= HavokPhysics({ wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer });
  return loading;
}
