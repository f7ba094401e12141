import { describe, expect, it } from "vitest";
import { benchCommand } from "../../bench/command";
import { castOf } from "../../bench/rigid/cast";
import type { RigidEngine } from "../../bench/rigid/engine";
import { Judge } from "../../bench/rigid/judge";
import type { RigidResult } from "../../bench/rigid/suite";

async function bench(...args: string[]): Promise<{ code: number; lines: string[]; log: string }> {
  const lines: string[] = [];
  let log = "";
  const output = { print: (line: string) => lines.push(line), log: { write: (text: string) => (log += text) } };
  return { code: await benchCommand(args, output), lines, log };
}

describe("the suite of rigid bodies", () => {
  it("runs the same bodies in Pliant, Havok, Rapier and Jolt and judges them alike", async () => {
    const { code, lines, log } = await bench("--suite", "rigid", "--sizes", "20,40", "--frames", "20", "--json");
    expect(code).toBe(0);
    expect(log).toContain("deepest [mm]");
    const { suite, rows, growths, versions } = JSON.parse(lines.at(-1)) as RigidResult;
    expect(suite).toBe("rigid");
    expect(versions["@babylonjs/havok"]).toMatch(/^\d+\./);
    expect([...new Set(rows.map((row) => `${row.scene} ${row.size}`))]).toEqual([
      ...["tower 10", "heavy-stack 5", "pile 20", "pile 40", "pyramid 3"],
    ]);
    for (const scene of ["tower", "pile"]) {
      const names = rows.filter((row) => row.scene === scene).map((row) => ("peer" in row ? row.peer : row.settings));
      expect(new Set(names)).toEqual(
        new Set(["balanced", "fast", ...(scene === "tower" ? ["precise"] : []), "havok", "rapier", "jolt-physics"]),
      );
    }
    for (const row of rows) {
      expect(row.msPerFrame).toBeGreaterThanOrEqual(0);
      expect(row.maxPenetration).toBeGreaterThanOrEqual(0);
    }
    const own = rows.filter((row) => "backend" in row && row.scene === "tower");
    expect(own.every((row) => row.maxPenetration < 1e-8 && row.maxDrift! < 1e-8)).toBe(true);
    expect(growths.map(({ contestant }) => contestant)).toContain("havok");
  }, 60_000);

  it("refuses piles that are too large", async () => {
    const { code, log } = await bench("--suite", "rigid", "--sizes", "6000");
    expect(code).toBe(2);
    expect(log).toMatch(/from 8 to 5000/);
  });
});

describe("the judge", () => {
  it("sees how deep bodies are in each other, and how far they went", async () => {
    const cast = await castOf("tower");
    const engine: RigidEngine = {
      name: "nobody",
      settings: "",
      step: () => undefined,
      readPose(index, out) {
        const { position, rotation } = cast.bodies[index];
        // Relative to the one below, every box is 2 mm lower than built.
        out.set([position[0], position[1] - 0.002 * index, position[2], ...rotation]);
      },
      dispose: () => undefined,
    };
    const judge = new Judge(cast);
    judge.look(engine);
    expect(judge.verdict.contacts).toBe(40);
    expect(judge.verdict.maxPenetration).toBeCloseTo(0.002, 9);
    expect(judge.verdict.maxDrift).toBeCloseTo(0.02, 9);
    engine.readPose = (_, out) => out.fill(NaN);
    expect(() => judge.look(engine)).toThrow(/nobody.*not finite/);
  });
});
