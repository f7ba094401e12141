/** Size of a page of WebAssembly memory in bytes. */
const PAGE = 65536;

/**
 * The buffer of a memory with room for some bytes. When the memory grows, its earlier buffers are gone.
 *
 * @param spare bytes more when it grows, so that growing contents do not need more every frame
 */
export function roomIn(memory: WebAssembly.Memory, bytes: number, spare = 0): ArrayBuffer {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil((missing + spare) / PAGE));
  return memory.buffer;
}

/**
 * Exports of a module that imports a memory at most. The module is compiled synchronously, without a promise, which browsers
 * allow on a page's main thread for less than 4 KB.
 *
 * @param base64 the module in the encoding of scripts/build-assembly.mjs
 * @returns undefined in engines without WebAssembly or its SIMD, and on pages whose content security policy forbids it
 */
export function instantiateWasm<Exports>(base64: string, memory?: WebAssembly.Memory): Exports | undefined {
  try {
    const imports = memory && { env: { memory } };
    return new WebAssembly.Instance(new WebAssembly.Module(bytesOf(base64)), imports).exports as unknown as Exports;
  } catch {
    return undefined;
  }
}

/**
 * Exports of a module that needs no imports, of any size.
 *
 * @param base64 the module, deflated, in the encoding of scripts/build-assembly.mjs
 * @returns undefined as `instantiateWasm`
 */
export async function inflatedModule<Exports>(base64: string): Promise<Exports | undefined> {
  try {
    const deflated = new Blob([bytesOf(base64)]).stream();
    const module = await new Response(deflated.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
    return (await WebAssembly.instantiate(module)).instance.exports as unknown as Exports;
  } catch {
    return undefined;
  }
}

/** Decodes the text of `btoa`. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
