import v8 from "node:v8";
import { describe, expect, it } from "vitest";
import { castOf } from "../../bench/rigid/cast";
import { FRAME } from "../../bench/rigid/judge";
import { pliantEngine } from "../../bench/rigid/pliant";
import { quantile } from "../../samples/run-scene";

/** Code allocates until it is compiled, which takes a step of few bodies many frames. */
const FRAMES = 2500;
const WINDOW = 20;
/** A number in an object of its own takes as much on the heap [bytes]. */
const BOXED = 16;

const heap = (): number => v8.getHeapStatistics().used_heap_size;
/** What the question itself allocates [bytes]. */
function costOfAsking(): number {
  const costs = Array.from({ length: WINDOW }, () => {
    const before = heap();
    return heap() - before;
  });
  return quantile(costs, 0.5);
}

/** The least that most steps of a few have allocated [bytes], once it is little enough. */
function leastAllocated(step: () => void, most: number, frames: number): number {
  let least = Infinity;
  let window: number[] = [];
  for (let frame = 0; frame < frames && least > most; frame++) {
    const before = heap();
    step();
    const more = heap() - before;
    // Garbage that is collected within a step hides what it allocates.
    if (more >= 0) window.push(more);
    if (window.length < WINDOW) continue;
    least = Math.min(least, quantile(window, 0.75) - costOfAsking());
    window = [];
  }
  return least;
}

describe("a step of rigid bodies", () => {
  it.each([
    ["tower", {}, 20 * BOXED],
    ["heavy-stack", {}, 40 * BOXED],
  ] as const)("allocates next to nothing when its code is compiled: %s", async (name, parameters, most) => {
    const engine = pliantEngine(await castOf(name, parameters), "balanced");
    expect(leastAllocated(() => engine.step(FRAME), most, FRAMES)).toBeLessThan(most);
  });

  it("allocates less than a number for each body of a heap that may not sleep", async () => {
    const cast = await castOf("pile", { count: 100 });
    const most = BOXED * cast.size;
    const engine = pliantEngine(cast, "balanced");
    expect(leastAllocated(() => engine.step(FRAME), most, FRAMES)).toBeLessThan(most);
    // The same steps with a number for each body are told apart.
    const numbers: Float64Array[] = [];
    const more = leastAllocated(
      () => {
        engine.step(FRAME);
        for (let body = 0; body < cast.size; body++) numbers[body] = new Float64Array(1);
      },
      0,
      2 * WINDOW,
    );
    expect(more).toBeGreaterThan(most);
  }, 60_000);
});
