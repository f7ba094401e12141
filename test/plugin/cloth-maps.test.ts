import type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ClothAggregate,
  ClothMaps,
  readVertexMap,
  type ClothMapSources,
  type VertexMapOptions,
} from "../../plugin/index";
import { fabrics } from "../../src/index";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => (t = await testScene()));
afterEach(() => t.dispose());

/** A sheet of 5 × 5 vertices over a square meter, with a color that grows from 0 to 1 along x. */
function shadedSheet() {
  const mesh = makeSheet(t.scene, 1, 4);
  const places = mesh.getVerticesData("position")!;
  const count = places.length / 3;
  const colors = Array.from({ length: count }, (_, v) => [places[3 * v] + 0.5, 0.5, 1, 1]).flat();
  mesh.setVerticesData("color", colors);
  return { mesh, places, count };
}

/** Masses of the vertices over those of plain cotton. */
function factors(mesh: ReturnType<typeof shadedSheet>["mesh"], maps: ClothMapSources): number[] {
  const of = (options: object): ClothAggregate => new ClothAggregate(mesh, options, t.scene);
  const plain = of({});
  const masses = [...plain.body.model.masses];
  plain.dispose({ restore: true });
  const mapped = of({ maps: new ClothMaps(maps) });
  const result = [...mapped.particles].map((p) => mapped.body.model.masses[p] / masses[p]);
  mapped.dispose({ restore: true });
  return result;
}

describe("maps of a ClothAggregate", () => {
  it("come from a list, a function of the place, or vertex colors", () => {
    const { mesh, places, count } = shadedSheet();
    mesh.position.x = 10;
    const expected = Array.from({ length: count }, (_, v) => 2 + 3 * (places[3 * v] + 0.5));
    const range: VertexMapOptions = { channel: "r", from: 2, to: 5 };
    for (const mass of [expected, ({ x }: { x: number }) => 2 + 3 * (x - 9.5), range])
      factors(mesh, { mass }).forEach((factor, v) => expect(factor).toBeCloseTo(expected[v], 5));
  });

  it("have factors of friction and thickness, of fabrics of tables, too", () => {
    const { mesh, places } = shadedSheet();
    for (const fabric of ["cotton", "satin"] as const) {
      const cloth = new ClothAggregate(
        mesh,
        {
          fabric,
          maps: new ClothMaps({ friction: ({ x }) => (x > 0 ? 0 : 2), thickness: ({ x }) => (x > 0 ? 0.2 : 1) }),
        },
        t.scene,
      );
      const { frictionFactors, thicknessFactors } = cloth.body.model as GpbdModel;
      [...cloth.particles].forEach((p, v) => {
        expect(frictionFactors![p]).toBe(places[3 * v] > 0 ? 0 : 2);
        expect(thicknessFactors![p]).toBe(places[3 * v] > 0 ? 0.2 : 1);
      });
      cloth.dispose({ restore: true });
    }
  });

  it("stay when the fabric changes", () => {
    const { mesh } = shadedSheet();
    const cloth = new ClothAggregate(mesh, { maps: new ClothMaps({ mass: () => 2 }) }, t.scene);
    cloth.setFabric("denim");
    const mass = cloth.body.model.masses.reduce((a, b) => a + b, 0);
    expect(mass).toBeCloseTo(2 * fabrics.denim.areaDensity, 6);
  });

  it("come from a texture", async () => {
    const { mesh, places, count } = shadedSheet();
    // Two columns of pixels: their centers are at a quarter and at three quarters of u.
    const pixels = Uint8Array.from([0, 0, 0, 255, 255, 0, 0, 255]);
    const texture = (data: ArrayBufferView | null): BaseTexture =>
      ({
        name: "map",
        getSize: () => ({ width: 2, height: 1 }),
        readPixels: () => data && Promise.resolve(data),
      }) as unknown as BaseTexture;
    for (const data of [pixels, Float32Array.from(pixels, (value) => value / 255)]) {
      const map = await readVertexMap(mesh, texture(data), { from: 1, to: 3 });
      expect(map).toHaveLength(count);
      map.forEach((factor, v) => {
        const u = places[3 * v] + 0.5;
        // It repeats: at both ends pixels of both columns blend.
        const red = Math.abs(2 * u - 1) < 0.6 ? 2 * u - 0.5 : 0.5;
        expect(factor).toBeCloseTo(1 + 2 * red, 5);
      });
    }
    await expect(readVertexMap(mesh, texture(null))).rejects.toThrow("can be read");
  });

  it("are refused if they do not fit", () => {
    const { mesh } = shadedSheet();
    const make =
      (maps: object, more: object = {}) =>
      () =>
        new ClothAggregate(mesh, { maps: new ClothMaps(maps), ...more }, t.scene);
    expectRefusal(make({ mass: [1] }), "invalid-argument", "mass");
    expectRefusal(make({ stretch: { channel: "r" } }), "invalid-argument", "above 0");
    expectRefusal(make({ stretch: { channel: "x" } }), "invalid-argument", "must be r, g, b or a");
    expectRefusal(make({ weight: () => 1 }), "invalid-argument", "weight");
    expectRefusal(make({ mass: () => 1 }, { solver: "newton" }), "unsupported", "solver gpbd");
    expectRefusal(make({ friction: () => -1 }), "invalid-argument", "at least 0");
    expectRefusal(make({ friction: () => 2 }, { tearing: { strain: 0.3 } }), "unsupported", "friction");
    const plain = { maps: { mass: () => 1 } as unknown as ClothMaps };
    expectRefusal(() => new ClothAggregate(mesh, plain, t.scene), "invalid-argument", "must be ClothMaps");
    mesh.removeVerticesData("color");
    expectRefusal(make({ mass: { channel: "r" } }), "invalid-argument", "vertex colors");
    expect(t.plugin.deformableAggregates).toHaveLength(0);
  });
});
