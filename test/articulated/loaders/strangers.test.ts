import { describe, expect, it } from "vitest";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf/mjcf";
import { filesFrom, filesIn } from "../../../src/articulated/loaders/sources";
import { loadUrdf } from "../../../src/articulated/loaders/urdf/urdf";
import { RandomGeometry } from "../../collision/random";
import { expectRejected } from "../../refusal";
import { collada } from "./every-collada-tag";
import { block, everyTag, included } from "./every-tag";
import { everyUrdfTag, stl } from "./every-urdf-tag";
import { loadAll, mutated, spentTime } from "./mutations";

/** Number of mutated files of each format; 20,000 for a thorough check. */
const count = Number(process.env.PLIANT_MUTATIONS ?? 150);
/** Slowest file, processor time [ms]. Other threads of the process count, too; what grows with the square takes far longer. */
const SLOWEST = process.env.PLIANT_MUTATIONS === undefined ? 5000 : 1000;

const file = filesIn({ "classes.xml": included, "parts/block.obj": block, "arm/hand.stl": stl });

/** A link with the mesh of a COLLADA file. */
const loadHull = (text: string) =>
  loadUrdf(
    `<robot><link name="a"><collision><geometry><mesh filename="t.dae"/></geometry></collision></link></robot>`,
    {
      file: filesIn({ "t.dae": text }),
    },
  );

function* mutations(text: string, seed: number): Generator<string> {
  const random = new RandomGeometry(seed);
  for (let i = 0; i < count; i++) yield mutated(text, random);
}

describe("files of strangers", () => {
  it.each([
    ["MJCF", everyTag, (text: string) => loadMjcf(text, { file })],
    ["URDF", everyUrdfTag, (text: string) => loadUrdf(text, { file })],
    ["COLLADA", collada, loadHull],
  ])(
    "%s gives a model or a PliantError within a second, whatever is changed in it",
    { timeout: 3e6 },
    async (_, text, load) => {
      const outcome = await loadAll(mutations(text, 5), load);
      expect(outcome.models).toBeGreaterThan(count / 20);
      expect(outcome.refused).toBeGreaterThan(count / 20);
      expect(outcome.slowest).toBeLessThan(SLOWEST);
    },
  );

  const body = (content: string): string =>
    `<mujoco><worldbody><body><joint/><geom size="1"/>${content}</body></worldbody></mujoco>`;
  const nested = (tag: string, depth: number): string => `<${tag}>`.repeat(depth) + `</${tag}>`.repeat(depth);
  it.each([
    ["entities", '<!DOCTYPE mujoco [<!ENTITY a "1"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>', /well-formed/],
    ["a hundred bodies within each other", body(nested("body", 200)), /within each other/],
    ["a hundred thousand elements within each other", body(nested("body", 100_000)), /well-formed|within each other/],
    ["copies without end", body('<replicate count="1e9"><geom size="1"/></replicate>'), /at most/],
    [
      "copies of copies",
      body(`${'<replicate count="100">'.repeat(9)}<geom size="1"/>${"</replicate>".repeat(9)}`),
      /at most/,
    ],
    ["more elements than a file may have", body('<geom size="1"/>'.repeat(300_000)), /at most/],
    [
      "a default of many attributes",
      body("").replace(
        "<worldbody>",
        `<default><geom ${Array.from({ length: 200 }, (_, i) => `a${i}="1"`).join(" ")}/></default>$&`,
      ),
      /at most/,
    ],
    ["a file that includes itself", '<mujoco><include file="self.xml"/></mujoco>', /twice/],
  ])("refuses %s within a second", async (_, text, message) => {
    const start = spentTime();
    const files = filesIn({ "self.xml": '<mujocoinclude><include file="self.xml"/></mujocoinclude>' });
    await expectRejected(loadMjcf(text, { file: files }), "invalid-argument", message);
    expect(spentTime() - start).toBeLessThan(SLOWEST);
  });

  it("refuses meshes that nodes repeat without end, within a second", async () => {
    const node = '<node><instance_geometry url="#g"/></node>';
    const start = spentTime();
    const text = collada.replace(
      /<float_array.*<\/float_array>/,
      `<float_array>${"0 0 1 ".repeat(30_000)}</float_array>`,
    );
    await expectRejected(loadHull(text.replace("<node>", `${node.repeat(30_000)}$&`)), "invalid-argument", /at most/);
    expect(spentTime() - start).toBeLessThan(SLOWEST);
  });

  it("takes a chain of a thousand links, and refuses one of more than four thousand, within a second", async () => {
    const chain = (links: number): string => {
      const names = Array.from({ length: links }, (_, i) => `l${i}`);
      const joints = names
        .slice(1)
        .map((n, i) => `<joint name="j${n}" type="continuous"><parent link="l${i}"/><child link="${n}"/></joint>`);
      const bodies = names.map((n) => `<link name="${n}"><inertial><mass value="1"/></inertial></link>`);
      return `<robot name="chain">${bodies.join("")}${joints.join("")}</robot>`;
    };
    const { models, slowest } = await loadAll([chain(1000)], loadUrdf);
    expect(models).toBe(1);
    expect(slowest).toBeLessThan(SLOWEST);
    const start = spentTime();
    await expectRejected(loadUrdf(chain(4200)), "invalid-argument", /coordinates/);
    expect(spentTime() - start).toBeLessThan(SLOWEST);
  });

  it.each([
    "../secret",
    "a/../../secret",
    "/etc/passwd",
    "\\\\server\\share",
    "file:///etc/passwd",
    "https://example.org/a.stl",
    "C:\\secret",
    "package://../secret",
    "package://arm/../../secret",
    "a\0b",
    "",
  ])("reads no file outside of the folder: %j", async (name) => {
    const files = filesIn({ secret: "text", "arm/hand.stl": "text" }, { packages: { arm: "." } });
    expect(() => files(name)).toThrow(/below the folder/);
    await expect(Promise.resolve().then(() => filesFrom("https://example.org/robots")(name))).rejects.toThrow(
      /below the folder/,
    );
  });

  it("finds files of the folder and of packages", () => {
    const files = filesIn({ "meshes/a.stl": "A", "arm/b.stl": "B" }, { packages: { tool: "meshes" } });
    const names = ["meshes/a.stl", "./x/../meshes//a.stl", "package://tool/a.stl", "package://arm/b.stl", "toString"];
    expect(names.map(files)).toEqual(["A", "A", "A", "B", undefined]);
  });
});
