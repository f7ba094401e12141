import { contactSweepsModule, type ContactSweeps as Exports } from "../../../generated/assembly";
import { instantiateWasm, roomIn } from "../../../math/wasm";
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
      const buffer = roomIn(memory, bytes, bytes / 2);
      if (this.numbers.buffer === buffer) return;
      this.numbers = new Float64Array(buffer);
      this.places = new Uint32Array(buffer);
    },
  };
}
