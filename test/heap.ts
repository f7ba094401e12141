import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;

async function collectAll(): Promise<void> {
  for (let k = 0; k < 3; k++) {
    // Weak references are released between tasks.
    await new Promise((done) => setTimeout(done, 0));
    collect();
  }
}

/** The leftovers of cycles. */
export interface Left {
  /** number of objects of all cycles that are still referenced; those of the last few cycles may be in scratch variables */
  readonly objects: number;
  /** bytes per cycle, averaged over the second half; the engine itself keeps a kilobyte or two for compiled code */
  readonly bytes: number;
}

/** @param cycle returns the objects that it made and that should be collected */
export async function leftBehind(
  cycles: number,
  cycle: (k: number) => readonly object[] | Promise<readonly object[]>,
): Promise<Left> {
  const made: WeakRef<object>[] = [];
  let before = 0;
  for (let k = 0; k < cycles; k++) {
    if (k === Math.floor(cycles / 2)) {
      await collectAll();
      before = process.memoryUsage().heapUsed;
    }
    for (const one of await cycle(k)) made.push(new WeakRef(one));
  }
  await collectAll();
  const { heapUsed } = process.memoryUsage();
  const objects = made.filter((reference) => reference.deref() !== undefined).length;
  return { objects, bytes: (heapUsed - before) / Math.ceil(cycles / 2) };
}
