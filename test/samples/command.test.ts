import { describe, expect, it } from "vitest";
import { exitCodes, sceneCommand } from "../../samples/cli/command";
import { Progress } from "../../samples/cli/progress";
import { commonParameters } from "../../samples/parameters";
import type { SceneDefinition, SceneInstance } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";
import type { World } from "../../src/index";
import { chainModel } from "../../samples/chain";

async function run(
  args: readonly string[],
  among: readonly SceneDefinition[] = scenes,
): Promise<{ code: number; printed: string[]; logged: string }> {
  const printed: string[] = [];
  let logged = "";
  const code = await sceneCommand(args, among, {
    print: (line) => printed.push(...line.split("\n")),
    log: { write: (text: string) => (logged += text) },
  });
  return { code, printed, logged };
}

function sceneWith(build: (world: World) => SceneInstance): SceneDefinition {
  return {
    name: "made-up",
    title: "Made up",
    description: "for this test",
    frames: 3,
    groundHeight: 0,
    view: { target: [0, 0, 0], alpha: 0, beta: 0, radius: 1 },
    parameters: commonParameters({ substeps: 2, iterations: 1 }),
    metrics: [{ name: "height", unit: "m", description: "" }],
    build,
  };
}

describe("listing", () => {
  it("is one line of JSON with parameters and metrics of every scene", async () => {
    const { code, printed, logged } = await run(["--list", "--json"]);
    expect(code).toBe(0);
    expect(logged).toBe("");
    expect(printed).toHaveLength(1);
    const listed = JSON.parse(printed[0]) as { scenes: Record<string, unknown>[] };
    expect(listed.scenes.map((scene) => scene.name)).toEqual(scenes.map((scene) => scene.name));
    const sphere = listed.scenes[0] as { parameters: Record<string, unknown>[]; metrics: Record<string, unknown>[] };
    expect(sphere.parameters).toContainEqual(
      expect.objectContaining({ name: "resolution", default: 32, unit: "", range: [8, 512], integer: true }),
    );
    expect(sphere.metrics).toContainEqual(expect.objectContaining({ name: "maxPenetration", unit: "m", bound: 1e-3 }));
  });

  it("is readable without --json", async () => {
    const { printed } = await run(["--list"]);
    for (const scene of scenes) expect(printed.join("\n")).toContain(`${scene.name}: ${scene.description}`);
  });
});

describe("arguments", () => {
  it.each([
    [["no-such-scene"], /scene: must be one of cloth-on-sphere, flag, .*"no-such-scene"/],
    [[], /scene: a name is needed/],
    [["flag", "curtain"], /only one scene/],
    [["flag", "--set", "sails=3"], /parameter of scene "flag": must be one of frameTime, .*"sails"/],
    [["flag", "--set", "wind=900"], /"wind" of scene "flag": must be a number from 0 to 25 m\/s, got "900"/],
    [["flag", "--set", "wind"], /--set: must have the form key=value/],
    [["flag", "--set"], /--set: needs a value/],
    [["flag", "--frames", "0"], /--frames: must be a whole number from 1/],
    [["flag", "--frames", "1.5"], /--frames: must be a whole number from 1/],
    [["flag", "--frames", "many"], /--frames: must be a whole number from 1/],
    [["flag", "--frames"], /--frames: needs a value/],
    [["flag", "--backend", "cuda"], /--backend: must be one of cpu, reference, webgpu, auto/],
    [["flag", "--png", "--json"], /--png: needs a value/],
    [["flag", "--verbose"], /option: must be one of --set, --frames/],
  ])("%j are refused with exit code 2 and one line", async (args, message) => {
    const { code, printed, logged } = await run(args);
    expect(code).toBe(exitCodes.usage);
    expect(printed).toEqual([]);
    expect(logged).toMatch(message);
    expect(logged.trimEnd().split("\n")).toHaveLength(1);
  });

  it("show the usage with --help", async () => {
    expect((await run(["--help"])).printed[0]).toMatch(/^usage: npm run --silent scene -- NAME/);
  });
});

describe("a run", () => {
  it("prints the result as the last line", async () => {
    const { code, printed, logged } = await run([
      "hanging-chain",
      ...["--set", "links=5", "--set=length=0.5", "--frames=2", "--backend", "cpu"],
    ]);
    expect(code).toBe(0);
    const result = JSON.parse(printed.at(-1)) as Record<string, unknown>;
    expect(Object.keys(result)).toEqual(["scene", "backend", "adapter", "frames", "parameters", "metrics", "timing"]);
    expect(result).toMatchObject({ scene: "hanging-chain", backend: "cpu", adapter: "cpu", frames: 2 });
    expect(result.parameters).toMatchObject({ links: 5, length: 0.5, method: "hybrid" });
    const { elongationError } = result.metrics as Record<string, number>;
    expect(elongationError).toBeGreaterThan(0);
    const timing = result.timing as Record<string, number>;
    expect(timing.medianMsPerFrame).toBeGreaterThan(0);
    expect(timing.p95MsPerFrame).toBeGreaterThanOrEqual(timing.medianMsPerFrame);
    expect(printed.length).toBeGreaterThan(1);
    expect(logged).toContain("hanging-chain: frame 2 of 2");
  });

  it("prints nothing but the result with --json", async () => {
    const { printed } = await run(["hanging-chain", "--frames", "1", "--backend", "cpu", "--json"]);
    expect(printed).toHaveLength(1);
  });

  it("ends with exit code 3 when a body is no longer finite, naming body and frame", async () => {
    const broken = sceneWith((world) => {
      const body = world.addBody(chainModel({ positions: [0, 0, 0, 1, 0, 0], masses: [1, 1], compliance: 1 }), {
        name: "rope",
      });
      return {
        props: [],
        beforeStep: () => {
          world.gravity = [0, -1e308, 0];
        },
        measure: async () => ({ height: (await body.readPositions())[1] }),
      };
    });
    const { code, printed, logged } = await run(["made-up", "--backend", "cpu", "--frames", "300"], [broken]);
    expect(code).toBe(exitCodes.nonFinite);
    expect(printed).toEqual([]);
    expect(logged).toMatch(/body "rope" is not finite at frame \d+/);
  });

  it("ends with exit code 3 when a metric is not finite", async () => {
    const broken = sceneWith(() => ({ props: [], measure: () => Promise.resolve({ height: Number.NaN }) }));
    const { code, logged } = await run(["made-up", "--backend", "cpu"], [broken]);
    expect(code).toBe(exitCodes.nonFinite);
    expect(logged).toContain('metric "height" is not finite at frame 3');
  });

  it("ends with exit code 1 and one line for anything else that fails", async () => {
    const broken = sceneWith(() => {
      throw new Error("no such\nluck");
    });
    const { code, logged } = await run(["made-up", "--backend", "cpu"], [broken]);
    expect(code).toBe(exitCodes.failed);
    expect(logged).toBe("no such luck\n");
  });
});

describe("progress", () => {
  const shown = (isTTY: boolean): string[] => {
    const texts: string[] = [];
    const progress = new Progress("flag", { isTTY, write: (text: string) => texts.push(text) });
    for (let frame = 1; frame <= 400; frame++) progress.update(frame, 400);
    return texts;
  };

  it("is a line every tenth of the way", () => {
    const lines = shown(false);
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe("flag: frame 400 of 400\n");
  });

  it("is a bar on a terminal", () => {
    const bars = shown(true);
    expect(bars).toHaveLength(200);
    expect(bars[99]).toBe(`\rflag ${"█".repeat(15)}${"░".repeat(15)} 200/400`);
    expect(bars.at(-1)).toMatch(/400\/400\n$/);
  });
});
