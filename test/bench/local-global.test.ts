import { describe, expect, it } from "vitest";
import { paperMegabytes } from "../../bench/local-global/paper";
import { stageRow, stands } from "../../bench/local-global/stages";
import { chart, fillRow, kinds, storageRow } from "../../bench/local-global/suite";

describe("curves of figure 9", () => {
  it.each([1e5, 1e9])(
    "with the sparse inverse a step converges faster than with Jacobi's iterations: %s Pa",
    (youngsModulus) => {
      const [{ curves }, inTime] = chart(youngsModulus, 12);
      const at = (name: string): number => curves.find((curve) => curve.name === name)!.values[12];
      expect(at("sparse inverse")).toBeLessThan(at("A-Jacobi") / 5);
      expect(at("A-Jacobi")).toBeLessThan(at("Jacobi"));
      expect(at("Jacobi")).toBeLessThan(1);
      for (const { at: times, values } of inTime.curves) {
        expect(Array.from(times!)).toEqual(Array.from(times!).sort((a, b) => a - b));
        expect(times).toHaveLength(values.length);
      }
    },
  );
});

describe("rows of Table 3", () => {
  it.each(Object.keys(stands))("say what the stages take: %s", async (scene) => {
    const { stages, contacts, msPerFrame, size, elements } = await stageRow(scene, 60);
    const { detection, schur, local, global, assembly, constraints, correction } = stages;
    expect([size, elements].every((count) => count > 20)).toBe(true);
    expect(contacts > 0).toBe(scene !== "twisting bar");
    for (const time of [detection, schur, local, global]) expect(time).toBeGreaterThan(0);
    for (const time of [assembly, constraints, correction]) expect(time > 0).toBe(contacts > 0);
    expect(schur + local + global + assembly + constraints + correction).toBeLessThan(msPerFrame);
  });
});

describe("rows of Tables 1 and 2", () => {
  it("are compared with the paper's between its sizes", () => {
    expect(paperMegabytes("bar", 5300)).toBeCloseTo(125.02, 8);
    expect(paperMegabytes("bar", 20800)).toBeCloseTo(1310.19, 8);
    expect(paperMegabytes("ball", 10000)).toBeGreaterThan(paperMegabytes("ball", 9000));
  });

  // balls need the most time
  it.each(Object.keys(kinds).map((scene) => [scene, scene === "ball" ? 13_600 : 5000] as const))(
    "%s, %s vertices or more: S takes a third of the paper's memory at most, with all tables of it",
    (scene, size) => {
      const row = storageRow(scene, kinds[scene](size));
      expect(row.size).toBeGreaterThan(0.9 * size);
      expect(row.paperShare).toBeLessThan(1 / 3);
      expect(row.tableMegabytes).toBeGreaterThan(0);
      expect(row.tableMegabytes / row.megabytes).toBeLessThan(0.15);
      if (size < 10_000) return;
      expect(row.size).toBeGreaterThan(19_000);
      expect(row.megabytes).toBeLessThan(512);
    },
  );

  it("say what the sparse inverse takes", () => {
    for (const [scene, make] of Object.entries(kinds)) {
      const row = fillRow(scene, make(300));
      expect(row.size, scene).toBeGreaterThan(100);
      expect(row.fill, scene).toBeGreaterThan(1);
      // more than the diagonal, less than a full triangle and its tables
      const values = (row.megabytes - row.tableMegabytes) * 2 ** 18;
      expect(values, scene).toBeGreaterThan(row.size);
      expect(values, scene).toBeLessThan((row.size * (row.size + 1)) / 2 + 64 * row.size);
      expect(row.contactMegabytes, scene).toBeLessThan(row.megabytes);
    }
  });
});
