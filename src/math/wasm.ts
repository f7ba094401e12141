/** Size of a page of WebAssembly memory in bytes. */
export const WASM_PAGE = 65536;

/**
 * What a module that needs no imports exports. It is compiled at once, without a promise, which browsers allow on a page's own thread
 * for less than 4 KB.
 *
 * @param base64 the module, as scripts/build-assembly.mjs writes it
 * @returns undefined in engines without WebAssembly or its SIMD, and on pages whose content security policy forbids it
 */
export function instantiateWasm<Exports>(base64: string): Exports | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports;
  } catch {
    return undefined;
  }
}
