import { contactSweepsModule } from "../../../generated/assembly";
import { instantiateWasm, WASM_PAGE } from "../../../math/wasm";
import type { ContactSweeps } from "../contact/contact-blocks";

/** Exports of assembly/contact-sweeps.ts. */
interface SweepExports extends Omit<ContactSweeps, "numbers" | "places" | "reserve"> {
  readonly memory: WebAssembly.Memory;
}

/** Sweeps implemented by assembly/contact-sweeps.ts. */
class WasmSweeps implements ContactSweeps {
  numbers = new Float64Array(0);
  places = new Uint32Array(0);

  constructor(private readonly code: SweepExports) {}

  reserve(bytes: number): void {
    const { memory } = this.code;
    const missing = bytes - memory.buffer.byteLength;
    // Allocate half as much again, so that a growing heap does not need more memory every frame.
    if (missing > 0) memory.grow(Math.ceil((missing + bytes / 2) / WASM_PAGE));
    if (this.numbers.buffer === memory.buffer) return;
    this.numbers = new Float64Array(memory.buffer);
    this.places = new Uint32Array(memory.buffer);
  }

  prepare(first: number, end: number): void {
    this.code.prepare(first, end);
  }

  goOn(first: number, end: number, delta: number): void {
    this.code.goOn(first, end, delta);
  }

  advance(first: number, end: number, delta: number): void {
    this.code.advance(first, end, delta);
  }

  start(first: number, end: number): void {
    this.code.start(first, end);
  }

  sweep(first: number, end: number, stride: number): void {
    this.code.sweep(first, end, stride);
  }

  separate(first: number, end: number, delta: number, share: number, allowed: number, most: number): void {
    this.code.separate(first, end, delta, share, allowed, most);
  }
}

/**
 * Sweeps in WebAssembly, with their own memory. They are made synchronously, because `RigidWorld` is created without a
 * promise.
 *
 * @returns undefined if `instantiateWasm` returns undefined
 */
export function wasmSweeps(): ContactSweeps | undefined {
  const code = instantiateWasm<SweepExports>(contactSweepsModule);
  return code && new WasmSweeps(code);
}
