import { describe, expect, it } from "vitest";
import { stressCommand } from "../../../bench/stress/command";

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  return { code: await stressCommand(args, (line) => lines.push(line)), lines };
}

describe("npm run stress", () => {
  it("plays one seed of one family", async () => {
    const { code, lines } = await run("--family", "hulls", "--seed", "1", "--backend", "cpu");
    expect(code).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/^hulls: 0 of 1 broken; /), "1 scenes, 0 broken"]);
  });

  it("plays the seeds of some families, until time is up", async () => {
    const { lines } = await run("--family", "ropes,hulls", "--seeds", "2", "--backend", "cpu");
    expect(lines.at(-1)).toMatch(/^4 scenes, /);
    expect((await run("--family", "heaps", "--minutes", "0.001", "--backend", "cpu")).lines.at(-1)).toMatch(
      /^\d scenes, /,
    );
  });

  it("plays some seeds from a named one on", async () => {
    const { lines } = await run("--family", "hulls", "--seed", "3", "--seeds", "2", "--backend", "cpu");
    expect(lines.at(-1)).toBe("2 scenes, 0 broken");
  });

  it.each([
    [["--family", "heap"], /--family: must be one of heaps, chains/],
    [["--seeds", "0"], /whole number from 1/],
    [["--minutes", "soon"], /number from/],
    [["--backend", "gpu"], /one of cpu, webgpu, all/],
    [["--sed", "1"], /--sed/],
  ])("refuses %s", async (args, words) => {
    const { code, lines } = await run(...args);
    expect(code).toBe(2);
    expect(lines.join()).toMatch(words);
    expect(lines.join()).toMatch(/usage: npm run stress/);
  });

  it("says how it is used", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, lines: [expect.stringContaining("families: heaps, chains")] });
  });
});
