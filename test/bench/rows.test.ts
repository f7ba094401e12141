import { describe, expect, it } from "vitest";
import { comparablePeer, withSpeedups, type Row } from "../../bench/rows";

function row(label: { backend: "cpu" | "webgpu" } | { peer: string }, figures: Record<string, number>): Row {
  const timing = { timedFrames: 1, msPerFrame: figures.msPerFrame, p95MsPerFrame: figures.msPerFrame };
  return {
    scene: "s",
    size: 32,
    settings: `${figures.msPerFrame} ms`,
    triangles: 2,
    frames: 2,
    ...label,
    ...timing,
    ...figures,
  };
}

const fast = row({ peer: "jolt" }, { msPerFrame: 1, maxStretchPercent: 9, maxPenetration: 0 });
const good = row({ peer: "jolt" }, { msPerFrame: 4, maxStretchPercent: 4, maxPenetration: 0 });
const best = row({ peer: "jolt" }, { msPerFrame: 8, maxStretchPercent: 2, maxPenetration: 0 });
const leaky = row({ peer: "jolt" }, { msPerFrame: 0.5, maxStretchPercent: 1, maxPenetration: 0.01 });
const peers = [leaky, fast, best, good];

describe("speedups", () => {
  it("are over the fastest peer that stretches and penetrates no more", () => {
    const gpu = row({ backend: "webgpu" }, { msPerFrame: 2, maxStretchPercent: 5, maxPenetration: 0 });
    expect(comparablePeer(gpu, peers)).toBe(good);
    const [found] = withSpeedups([gpu, ...peers]);
    expect(found).toMatchObject({ speedup: 2, speedupAgainst: "jolt, 4 ms" });
  });

  it("are over the stiffest peer where none is as good", () => {
    const gpu = row({ backend: "webgpu" }, { msPerFrame: 2, maxStretchPercent: 0.5, maxPenetration: 0 });
    expect(comparablePeer(gpu, peers)).toBe(best);
  });

  it("count what touches nothing as not penetrating", () => {
    const [gpu, jolt] = [
      { msPerFrame: 2, maxStretchPercent: 5 },
      { msPerFrame: 4, maxStretchPercent: 4 },
    ];
    expect(comparablePeer(row({ backend: "webgpu" }, gpu), [row({ peer: "jolt" }, jolt)])?.msPerFrame).toBe(4);
  });

  it("are over the cpu backend where there is no peer, and of no row over itself", () => {
    const cpu = row({ backend: "cpu" }, { msPerFrame: 6 });
    const gpu = row({ backend: "webgpu" }, { msPerFrame: 2 });
    const [first, second] = withSpeedups([cpu, gpu]);
    expect(first.speedup).toBeUndefined();
    expect(second).toMatchObject({ speedup: 3, speedupAgainst: "cpu" });
    expect(withSpeedups(peers)).toEqual(peers);
  });
});
