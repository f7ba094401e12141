import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { registerGltfPhysics } from "../../../plugin/gltf/index";
import type { TestScene } from "../fixtures";
import { boxMesh, deformable, file, loaded, rigid, sheetMesh, toFile, type Json } from "./files";

let t: TestScene;
beforeAll(() => registerGltfPhysics());
afterEach(() => t?.dispose());

/** Places of the particles of the only deformable body, in the frame of the file. */
async function places(): Promise<Vector3[]> {
  const [aggregate] = t.plugin.deformableAggregates;
  const { positions } = await aggregate.body.readState();
  const matrix = toFile(t);
  return Array.from({ length: positions.length / 3 }, (_, k) =>
    Vector3.TransformCoordinates(Vector3.FromArray(positions, 3 * k), matrix),
  );
}

const CELLS = 6;
const CORNERS = [0, CELLS];
const sheet = (options: Json, more: Json = {}): Json => ({
  name: "sheet",
  mesh: 0,
  translation: [3, 2, 1],
  ...more,
  ...deformable({ cloth: options }),
});

describe.each([
  ["left", false],
  ["right", true],
])("a file in a %s-handed scene", (_name, isRightHanded) => {
  it("makes cloth with its pins and its wind", async () => {
    const options = { fabric: "silk", pins: CORNERS, wind: [3, 0, 4] };
    t = await loaded(file([sheet(options)], [], {}, [sheetMesh(CELLS)]), isRightHanded);
    expect(t.plugin.clothAggregates.map(({ mesh, solver }) => [mesh.name, solver])).toEqual([["sheet", "gpbd"]]);
    t.run(40);
    const at = await places();
    expect(Vector3.Distance(at[0], new Vector3(2.5, 2, 0.5))).toBeLessThan(1e-5);
    expect(Vector3.Distance(at[CELLS], new Vector3(3.5, 2, 0.5))).toBeLessThan(1e-5);
    // It has swung down, and the wind of the file holds it off.
    const last = at.at(-1)!;
    expect(last.y).toBeLessThan(1.9);
    expect(last.z).toBeGreaterThan(0.6);
    expect(last.x).toBeGreaterThan(3.51);
  });

  it("makes cloth that a moving body of the file carries", async () => {
    const motion = { isKinematic: true, linearVelocity: [0, 0, 1] };
    const nodes = [
      sheet({ attach: [{ node: 1, vertices: CORNERS }] }),
      { name: "rail", ...rigid({ motion, collider: { geometry: { shape: 0 } } }) },
    ];
    t = await loaded(file(nodes, [{ type: "box" }], {}, [sheetMesh(CELLS)]), isRightHanded);
    t.run(60);
    const at = await places();
    expect(Vector3.Distance(at[0], new Vector3(2.5, 2, 1.5))).toBeLessThan(0.02);
  });

  it("makes a soft body that lies on the ground of the file", async () => {
    const options = { youngsModulus: 2e5, density: 300, resolution: 3 };
    const nodes = [
      { mesh: 0, translation: [0, 0.6, 0], ...deformable({ softBody: options }) },
      rigid({ collider: { geometry: { shape: 0 } } }),
    ];
    t = await loaded(file(nodes, [{ type: "plane" }], {}, [boxMesh()]), isRightHanded);
    t.run(60);
    const heights = (await places()).map(({ y }) => y);
    expect(Math.min(...heights)).toBeGreaterThan(-0.01);
    expect(Math.max(...heights)).toBeGreaterThan(0.9);
    expect(Math.max(...heights)).toBeLessThan(1.02);
  });

  it("makes a rope in the frame of its node", async () => {
    const path = [
      [0, 0, 0],
      [1, 0, 0],
    ];
    const node = { name: "rope", translation: [0, 3, 2], ...deformable({ rope: { path, radius: 0.02, pins: [0] } }) };
    t = await loaded(file([node]), isRightHanded);
    t.run(5);
    const at = await places();
    expect(Vector3.Distance(at[0], new Vector3(0, 3, 2))).toBeLessThan(1e-5);
    expect(at.at(-1)!.x).toBeGreaterThan(0.9);
    expect(at.at(-1)!.y).toBeLessThan(3);
  });
});

describe("a wrong file", () => {
  const mesh = [sheetMesh(2)];
  it.each<[string, string, RegExp]>([
    ["an unknown kind", file([{ mesh: 0, ...deformable({ jelly: {} }) }], [], {}, mesh), /jelly/],
    ["an unknown option", file([sheet({ colour: "red" })], [], {}, mesh), /colour/],
    ["a pin out of range", file([sheet({ pins: [99] })], [], {}, mesh), /pins/],
    ["wind that is no vector", file([sheet({ wind: [1, "two", 3] })], [], {}, mesh), /wind.*three finite numbers/],
    ["a carrier that is not there", file([sheet({ attach: [{ node: 9, vertices: [0] }] })], [], {}, mesh), /attach.*9/],
    ["a node without a mesh", file([deformable({ cloth: {} })]), /mesh of one primitive/],
    ["a rope without a path", file([deformable({ rope: {} })]), /path/],
  ])("%s is refused", async (_name, json, message) => {
    await expect(loaded(json, false)).rejects.toThrow(message);
  });
});
