import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

async function scene(): Promise<{ cloth: ClothAggregate; jelly: SoftBodyAggregate; rope: RopeAggregate }> {
  t = await testScene({ load: "all" });
  const cloth = new ClothAggregate(makeSheet(t.scene, 1, 8), { pins: [0, 8] }, t.scene);
  const box = CreateBox("box", { size: 0.2 }, t.scene);
  box.position.x = 5;
  const jelly = new SoftBodyAggregate(box, { resolution: 3 }, t.scene);
  const path = [new Vector3(-5, 0, 0), new Vector3(-4, 0, 0)];
  return { cloth, jelly, rope: new RopeAggregate({ path }, { segments: 10 }, t.scene) };
}

describe("cost of a body", () => {
  it("says which numbers a body has, and how long they take once it has stepped", async () => {
    const { cloth, jelly, rope } = await scene();
    expect(cloth.cost).toMatchObject({ milliseconds: undefined, solver: "gpbd", vertices: 81, elements: 256 });
    t.run(3);
    for (const body of [cloth, jelly, rope]) expect(body.cost!.milliseconds).toBeGreaterThan(0);
    // Tethers give it fewer than its options have.
    expect(cloth.cost!.substeps).toBe(8);
    expect(jelly.cost!.substeps).toBe(jelly.body.options.substeps);
    expect(rope.cost).toMatchObject({ vertices: 11, elements: 10, iterations: 1 });
    cloth.setOptions({ substeps: 31, iterations: 2 });
    t.run(1);
    expect(cloth.cost).toMatchObject({ substeps: 31, iterations: 2 });
  });

  it("fades while a body sleeps", async () => {
    const { cloth } = await scene();
    void cloth.cost;
    t.run(2);
    const awake = cloth.cost!.milliseconds!;
    cloth.sleep();
    t.run(40);
    expect(cloth.isAsleep).toBe(true);
    expect(cloth.cost!.milliseconds).toBeLessThan(0.2 * awake);
  });

  it("shares the time of bodies that step together by their elements", async () => {
    t = await testScene({ load: "all" });
    const [small, large] = [6, 12].map(
      (cells, k) => new ClothAggregate(makeSheet(t.scene, 1, cells, 1 + 0.001 * k), {}, t.scene),
    );
    void small.cost;
    t.run(2);
    expect(large.cost!.milliseconds! / small.cost!.milliseconds!).toBeCloseTo(4, 6);
  });

  it("changes no bit of the motion", async () => {
    const read = async (isMeasured: boolean): Promise<Float32Array> => {
      const { cloth } = await scene();
      if (isMeasured) void cloth.cost;
      t.run(10);
      const places = await cloth.readPositions();
      t.dispose();
      return places;
    };
    expect(await read(true)).toEqual(await read(false));
  });
});
