import { describe, expect, it } from "vitest";
import { parseSweep } from "../../../bench/sweep/arguments";
import { keyOf, replayOf, type Job } from "../../../bench/sweep/job";
import { jobsOf } from "../../../bench/sweep/plan";
import { parseArguments } from "../../../samples/cli/arguments";

const jobs = (...args: string[]): readonly Job[] => jobsOf(parseSweep(args)!.study);

describe("the jobs of a sweep", () => {
  it("are all combinations of the grid, with all seeds", () => {
    const all = jobs(
      "hanging-chain",
      "--grid",
      "links=5,10",
      "--grid",
      "mass=1,2,3",
      "--vary",
      "damping=1:9",
      "--seeds",
      "4",
    );
    expect(all).toHaveLength(24);
    expect(new Set(all.map((job) => keyOf(job, "1"))).size).toBe(24);
    expect(new Set(all.map(({ settings }) => `${settings.links} ${settings.mass}`)).size).toBe(6);
    // numbers, as the scene reads them
    expect(all[0].settings.links).toBe(5);
  });

  it("draw the same values of a seed in all combinations, whatever else is drawn", () => {
    const all = jobs("hanging-chain", "--grid", "links=5,10", "--vary", "damping=1:9", "--seeds", "3");
    const more = jobs("hanging-chain", "--vary", "mass=1:9", "--vary", "damping=1:9", "--seed", "2", "--seeds", "2");
    const damping = all.map(({ settings }) => settings.damping as number);
    expect(damping.slice(0, 3)).toEqual(damping.slice(3));
    expect(new Set(damping).size).toBe(3);
    expect(more.map(({ settings }) => settings.damping)).toEqual(damping.slice(1, 3));
    expect(more[0].settings.mass).not.toBe(more[0].settings.damping);
  });

  it("draw evenly from ranges, whole numbers, logarithmic ranges and lists", () => {
    const ranges = [
      "--vary",
      "damping=2:6",
      "--vary",
      "links=3:6",
      "--vary",
      "mass=0.01:100:log",
      "--vary",
      "method=jacobi,hybrid",
    ];
    const all = jobs("hanging-chain", ...ranges, "--seeds", "2000");
    const column = (name: string): number[] => all.map(({ settings }) => Number(settings[name]));
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    // within five standard errors
    expect(Math.abs(mean(column("damping")) - 4)).toBeLessThan((5 * 4) / Math.sqrt(12 * 2000));
    expect(Math.abs(mean(column("mass").map(Math.log10)))).toBeLessThan((5 * 4) / Math.sqrt(12 * 2000));
    for (const links of [3, 4, 5, 6])
      expect(Math.abs(column("links").filter((value) => value === links).length - 500)).toBeLessThan(5 * 19.4);
    expect(Math.abs(all.filter(({ settings }) => settings.method === "jacobi").length - 1000)).toBeLessThan(5 * 22.4);
    // neighboring seeds have nothing to do with each other
    const steps = column("damping").map((value, i, values) => (value - 4) * ((values[i + 1] ?? 4) - 4));
    expect(Math.abs(mean(steps))).toBeLessThan((5 * (16 / 12)) / Math.sqrt(2000));
  });

  it("give the seed to a scene that has one", () => {
    const all = jobs("identification", "--seeds", "3", "--seed", "7");
    expect(all.map(({ settings }) => settings.seed)).toEqual([7, 8, 9]);
    expect(jobs("identification", "--set", "seed=4")[0].settings.seed).toBe(4);
  });

  it("have keys by what they are, not by the order or spelling of the settings", () => {
    const [a] = jobs("hanging-chain", "--set", "mass=1.50", "--set", "links=8");
    const [b] = jobs("hanging-chain", "--grid", "links=8", "--set", "mass=1.5");
    expect(keyOf(a, "1")).toBe(keyOf(b, "1"));
    const others = [keyOf(a, "2"), ...["seed", "frames"].map((name) => keyOf({ ...a, [name]: 3 }, "1"))];
    expect(new Set([keyOf(a, "1"), ...others, keyOf({ ...a, backend: "reference" }, "1")]).size).toBe(5);
  });

  it("can be replayed by the command that they name", () => {
    for (const job of jobs(
      "hylc-drape",
      "--grid",
      "table=none,a b'c,$x",
      "--set",
      "axis=y",
      "--vary",
      "resolution=6:20",
    )) {
      const words = [...replayOf(job).matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
        word.replaceAll(/'([^']*)'|\\(')/g, "$1$2"),
      );
      const request = parseArguments(words.slice(words.indexOf("--") + 1));
      expect(request).toMatchObject({
        kind: "run",
        backend: "cpu",
        scene: { name: "hylc-drape" },
        parameters: job.settings,
      });
    }
  });

  it.each([
    [["hanging-chian"], /hanging-chain/],
    [["hanging-chain", "flag"], /one name/],
    [["hanging-chain", "--grid", "link=1,2"], /must be one of .*links/],
    [["hanging-chain", "--grid", "links=5,0"], /whole number from 1 to 200/],
    [["hanging-chain", "--grid", "links=5,5"], /different values/],
    [["hanging-chain", "--grid", "links"], /key=value/],
    [["hanging-chain", "--grid", "links=5,6", "--set", "links=7"], /once/],
    [["hanging-chain", "--seeds", "3"], /--vary/],
    [["identification", "--seeds", "3", "--set", "seed=1"], /once/],
    [["hanging-chain", "--vary", "mass=2:1", "--seeds", "2"], /low:high/],
    [["hanging-chain", "--vary", "mass=-1:2:log", "--seeds", "2"], /low > 0/],
    [["hanging-chain", "--vary", "links=1.5:3", "--seeds", "2"], /whole numbers/],
    [["hanging-chain", "--vary", "method=1:2", "--seeds", "2"], /commas/],
    [["hanging-chain", "--vary", "weight=1:2", "--seeds", "2"], /must be one of .*mass/],
    [["hanging-chain", "--vary", "mass=1:2", "--seeds", "1000000", "--grid", "links=1,2"], /at most 1000000 jobs/],
    [["hanging-chain", "--backend", "webgpu"], /cpu, reference/],
    [["hanging-chain", "--workers", "0"], /from 1 to/],
    [["hanging-chain", "--redis", "localhost"], /redis:\/\//],
    [["hanging-chain", "--sed", "1"], /--sed/],
  ])("are refused for %j", (args, words) => {
    expect(() => jobs(...args)).toThrow(words);
  });
});
