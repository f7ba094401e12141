import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Runs the command like `npm run --silent scene --`. */
async function scene(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const script = ["scripts/run-ts.mjs", "samples/cli/scene.ts", ...args];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, { cwd: root });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe("the scene command as a process", () => {
  it("leaves standard output to the result, on the GPU as well", async () => {
    const { code, stdout, stderr } = await scene("hanging-chain", "--frames", "2", "--backend", "webgpu", "--json");
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ scene: "hanging-chain", backend: "webgpu", frames: 2 });
    expect(stderr).toContain("frame 2 of 2");
  });

  it("exits with 2 and one line for an unknown scene", async () => {
    const { code, stdout, stderr } = await scene("sphere-on-cloth");
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain("must be one of cloth-on-sphere");
  });
});
