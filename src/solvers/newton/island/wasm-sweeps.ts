import { contactSweepsModule, type ContactSweeps as Exports } from "../../../generated/assembly";
import { instantiateWasm, WASM_PAGE } from "../../../math/wasm";
import type { ContactSweeps } from "../contact/contact-blocks";

/**
 * Sweeps by assembly/contact-sweeps.ts, with their own memory. They are made synchronously, because `RigidWorld` is created without a
 * promise.
 *
 * @returns undefined if `instantiateWasm` returns undefined
 */
export function wasmSweeps(): ContactSweeps | undefined {
  const code = instantiateWasm<Exports>(contactSweepsModule);
  if (!code) return undefined;
  const { memory, ...sweeps } = code;
  return {
    ...sweeps,
    numbers: new Float64Array(0),
    places: new Uint32Array(0),
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength;
      // Allocate half as much again, so that a growing heap does not need more memory every frame.
      if (missing > 0) memory.grow(Math.ceil((missing + bytes / 2) / WASM_PAGE));
      if (this.numbers.buffer === memory.buffer) return;
      this.numbers = new Float64Array(memory.buffer);
      this.places = new Uint32Array(memory.buffer);
    },
  };
}
