// Dawn's binding for Node looks whether a device is done in a callback that it hands to setImmediate over and over while anything
// is awaited. That takes the whole core of the main thread, which a software adapter could use: on two cores with a thread of
// SwiftShader for each of two processes, half of the machine's time.

/** Part of the time waited so far that the next look is put off by, and at most [ms]. */
const SHARE = 1 / 16;
const LONGEST = 0.5;

/** Dawn's callbacks are the native ones; one of someone else would be put off alike, by no more. */
const isNative = (callback: unknown): boolean => Function.prototype.toString.call(callback).includes("[native code]");

/** Makes the main thread sleep between looks. To be called before Dawn is loaded. */
export function pollGently(): void {
  const plain = globalThis.setImmediate;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  let begin = 0;
  let isLooking = false;
  const gentle = (callback: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    if (!isNative(callback)) return plain(callback, ...args);
    // What is scheduled from outside of a look is the first of its wait.
    if (!isLooking) begin = performance.now();
    return plain(() => {
      Atomics.wait(nobody, 0, 0, Math.min(LONGEST, SHARE * (performance.now() - begin)));
      isLooking = true;
      try {
        callback(...args);
      } finally {
        isLooking = false;
      }
    });
  };
  // util.promisify and the like
  Object.defineProperties(gentle, Object.getOwnPropertyDescriptors(plain));
  globalThis.setImmediate = gentle as typeof setImmediate;
}
