// While anything is awaited, Dawn's binding for Node hands a callback to setImmediate over and over, which checks whether a device is done.
// That takes the whole core of the main thread, which a software adapter could use: half of the machine's time on two cores with two
// processes and one thread of SwiftShader for each.

/** Delay of the next check, as a part of the time waited so far, and its maximum [ms]. */
const SHARE = 1 / 16;
const LONGEST = 0.5;

/** Dawn's callbacks are the native ones; a native callback of other code would be delayed alike, and by no more. */
const isNative = (callback: unknown): boolean => Function.prototype.toString.call(callback).includes("[native code]");

/** Makes the main thread sleep between checks. Call it before Dawn is loaded. */
export function pollGently(): void {
  const plain = globalThis.setImmediate;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  let begin = 0;
  let isLooking = false;
  const gentle = (callback: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    if (!isNative(callback)) return plain(callback, ...args);
    // A callback that is scheduled from outside of a check is the first of its wait.
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
  // For util.promisify and the like.
  Object.defineProperties(gentle, Object.getOwnPropertyDescriptors(plain));
  globalThis.setImmediate = gentle as typeof setImmediate;
}
