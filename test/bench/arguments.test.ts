import { describe, expect, it } from "vitest";
import { parseArguments } from "../../bench/arguments";
import { expectRefused } from "../refusal";

describe("arguments of the bench command", () => {
  it("leaves to the suite what is not said", () => {
    expect(parseArguments([])).toEqual({
      suite: "cloth",
      sizes: undefined,
      frames: undefined,
      backends: undefined,
      out: undefined,
      json: false,
      help: false,
    });
  });

  it("reads lists with commas, each value once, after a space or an equals sign", () => {
    const request = parseArguments(["--suite=scaling", "--sizes", "32,64,32", "--backend=cpu", "--out", "a.json"]);
    expect(request).toMatchObject({ suite: "scaling", sizes: [32, 64], backends: ["cpu"], out: "a.json" });
    expect(parseArguments(["--frames", "20", "--json"])).toMatchObject({ frames: 20, json: true });
  });

  it.each([
    [["--suite", "soup"], /--suite.*must be one of cloth, hanging, scenes, scaling, gpbd, articulated.*"soup"/],
    [["--sizes", "4"], /--sizes.*from 8 to 512.*"4"/],
    [["--sizes", "32,,64"], /--sizes.*from 8 to 512.*""/],
    [["--sizes", "32.5"], /--sizes.*whole number/],
    [["--sizes"], /--sizes.*needs a value/],
    [["--frames", "1"], /--frames.*from 2/],
    [["--frames", "2,3"], /--frames.*whole number/],
    [["--backend", "cpu,cuda"], /--backend.*one of cpu, reference, webgpu.*"cuda"/],
    [["--json=yes"], /--json.*without a value/],
    [["--size", "32"], /option.*--sizes.*"--size"/],
    [["cloth"], /option.*--suite.*"cloth"/],
  ])("refuses %j", (args, message) => {
    expectRefused(() => parseArguments(args), "invalid-argument", message);
  });
});
