import { describe, expect, it } from "vitest";
import type { Contestant } from "../../bench/contestant";
import { race, timedFrameCount } from "../../bench/race";

function recorded(name: string, log: string[]): Contestant {
  return {
    label: { peer: name },
    settings: "",
    triangles: 0,
    frame: async () => void log.push(name),
    measure: async () => ({}),
    dispose: () => undefined,
  };
}

describe("a race", () => {
  it("warms each contestant up, then lets them take turns", async () => {
    const log: string[] = [];
    let reported = 0;
    const timings = await race([recorded("a", log), recorded("b", log)], 5, (done) => (reported = done));
    expect(log.join("")).toBe("aaabbb" + "abab");
    expect(reported).toBe(10);
    for (const { timedFrames, msPerFrame, p95MsPerFrame } of timings) {
      expect(timedFrames).toBe(2);
      expect(p95MsPerFrame).toBeGreaterThanOrEqual(msPerFrame);
    }
  });

  it("times the last frames only, at most half of them", () => {
    expect([2, 3, 10, 120, 300].map(timedFrameCount)).toEqual([1, 1, 5, 60, 60]);
  });
});
