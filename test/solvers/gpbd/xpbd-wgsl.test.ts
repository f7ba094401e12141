import { beforeAll, describe, expect, it } from "vitest";
import { shaders, structs } from "../../../src/generated/shaders";
import type { GpuContext } from "../../../src/gpu/device";
import { StructWriter } from "../../../src/gpu/struct";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { displacementBy, xpbdUpdate, type XpbdConstraint } from "./xpbd";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 1234;
const dt = Math.fround(1 / 600);

interface Pair {
  readonly constraint: XpbdConstraint;
  readonly restLength: number;
  /** start and displacement of both ends [m] */
  readonly start: Float64Array;
  readonly moved: Float64Array;
}

/** Independent distance constraints in f32 numbers; reference and kernel get the same ones. */
function randomPairs(seed: number): Pair[] {
  const random = new RandomGeometry(seed);
  return Array.from({ length: count }, () => {
    const restLength = Math.fround(random.between(0.05, 0.5));
    // elongated or compressed by 2 % to 60 %, in any direction
    const strain = (random.between(0, 1) < 0.5 ? 1 : -1) * random.between(0.02, 0.6);
    const along = random.direction();
    const middle = random.vector(1);
    const start = Float64Array.from({ length: 6 }, (_, c) =>
      Math.fround(middle[c % 3] + (c < 3 ? -0.5 : 0.5) * restLength * along[c % 3]),
    );
    const moved = Float64Array.from({ length: 6 }, (_, c) =>
      Math.fround((c < 3 ? -0.5 : 0.5) * strain * restLength * along[c % 3] + random.between(-1, 1) * 1e-3),
    );
    const edge = [0, 1, 2].map((c) => start[3 + c] - start[c] + (moved[3 + c] - moved[c]));
    const length = Math.hypot(...edge);
    const gradient = Float64Array.from({ length: 6 }, (_, c) => ((c < 3 ? -1 : 1) * edge[c % 3]) / length);
    const inverseMasses = [0, 1].map(() => (random.between(0, 1) < 0.2 ? 0 : Math.fround(10 ** random.between(0, 5))));
    const compliance = random.between(0, 1) < 0.2 ? 0 : Math.fround(10 ** random.between(-10, 2));
    const soft = inverseMasses[0] + inverseMasses[1] + compliance / dt ** 2;
    // a history about as large as the update: of either sign, as after some iterations
    const multiplier = soft === 0 ? 0 : (random.between(-1, 1) * restLength) / soft;
    const value = length - restLength;
    return { constraint: { value, gradient, compliance, inverseMasses, multiplier, dt }, restLength, start, moved };
  });
}

function kernelData(pairs: Pair[], entryPoint: "gaussSeidel" | "jacobi") {
  const vectors = (stride: number): Float32Array<ArrayBuffer> => new Float32Array(4 * stride * count);
  const [start, displacement, tracked] = [vectors(2), vectors(2), vectors(2)];
  const elements = new StructWriter(structs.DistanceElement, count);
  pairs.forEach(({ constraint, restLength, start: x, moved }, e) => {
    const d = displacementBy(constraint.multiplier, constraint);
    for (const end of [0, 1]) {
      const at = 4 * (2 * e + end);
      start.set(x.subarray(3 * end, 3 * end + 3), at);
      displacement.set([...moved.subarray(3 * end, 3 * end + 3), constraint.inverseMasses[end]], at);
      tracked.set(d.subarray(3 * end, 3 * end + 3), at);
    }
    elements.set(e, "vertices", [2 * e, 2 * e + 1]);
    elements.set(e, "restLength", restLength);
    elements.set(e, "compliance", constraint.compliance);
  });
  const step = new StructWriter(structs.StepParameters, 1);
  step.set(0, "h", dt);
  step.set(0, "relaxation", 1);
  const range = new StructWriter(structs.ElementRange, 1);
  range.set(0, "first", 0);
  range.set(0, "count", count);
  range.set(0, "loadTracked", 1);
  range.set(0, "storeTracked", 1);
  range.set(0, "interval", 1);
  const shared = {
    start,
    displacement,
    tracked,
    elements: new Uint8Array(elements.bytes),
    step: new Uint8Array(step.bytes),
    range: new Uint8Array(range.bytes),
  };
  if (entryPoint === "gaussSeidel") return shared;
  return { ...shared, deltas: 32 * count, incidenceOffsets: Uint32Array.from({ length: 2 * count + 1 }, (_, i) => i) };
}

describe.each(["gaussSeidel", "jacobi"] as const)("GPBD's distance kernel, %s", (entryPoint) => {
  it("makes XPBD's update and tracks it, to 1e-5", async () => {
    const pairs = randomPairs(entryPoint === "jacobi" ? 72 : 71);
    const data = kernelData(pairs, entryPoint);
    const result = entryPoint === "gaussSeidel" ? "displacement" : "deltas";
    const read = await runKernel(
      context,
      "gpbd/elements/distance",
      shaders["gpbd/elements/distance"],
      entryPoint,
      data,
      count,
      [result, "tracked"],
    );
    const [moved, tracked] = [new Float32Array(read[result]), new Float32Array(read.tracked)];
    const worst = { update: 0, tracked: 0 };
    let [hard, pinned, soft] = [0, 0, 0];
    pairs.forEach(({ constraint, moved: before }, e) => {
      const { compliance, inverseMasses } = constraint;
      if (compliance === 0) hard++;
      if (compliance > 1e-2) soft++;
      if (inverseMasses[0] === 0 || inverseMasses[1] === 0) pinned++;
      const expected = xpbdUpdate(constraint);
      const history = displacementBy(constraint.multiplier, constraint);
      // the separate results of value and history: they may cancel
      const parts = [{ multiplier: 0 }, { value: 0 }].map((part) =>
        Math.max(...xpbdUpdate({ ...constraint, ...part }).map(Math.abs)),
      );
      for (let c = 0; c < 6; c++) {
        const at = 4 * (2 * e + Math.floor(c / 3)) + (c % 3);
        const update = result === "deltas" ? moved[at] : moved[at] - before[c];
        const size = Math.max(...parts, result === "deltas" ? 0 : Math.abs(before[c]));
        if (size > 0) worst.update = Math.max(worst.update, Math.abs(update - expected[c]) / size);
        else expect(update).toBe(0);
        const total = Math.max(...parts, ...history.map(Math.abs));
        const trackedError = Math.abs(tracked[at] - history[c] - expected[c]);
        if (total > 0) worst.tracked = Math.max(worst.tracked, trackedError / total);
      }
    });
    expect(Math.min(hard, pinned, soft)).toBeGreaterThan(100);
    expectWithin(`distance kernel ${entryPoint}, update against XPBD, relative`, worst.update, 1e-5);
    expectWithin(`distance kernel ${entryPoint}, tracked displacement, relative`, worst.tracked, 1e-5);
  });
});
