/** Size of a page of WebAssembly memory in bytes. */
export const WASM_PAGE = 65536;

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
