import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, SceneWind } from "../../plugin/index";
import { expectWithin } from "../figures";
import { expectRefused } from "../refusal";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

const near = (what: string, a: Vector3, b: Vector3): void => expectWithin(what, Vector3.Distance(a, b), 1e-5);

describe.each([1, 100])("the wind of a scene with %i units in a meter", (scale) => {
  const at = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z).scaleInPlace(scale);

  it("lifts cloth by an updraft, until that is disabled", async () => {
    t = await testScene({ worldScale: scale }, at(0, -10, 0));
    const wind = new SceneWind({}, t.scene);
    const sheet = makeSheet(t.scene, scale, 8, scale);
    const cloth = new ClothAggregate(sheet, { fabric: "silk" }, t.scene);
    const rise = wind.updraft(Vector3.Zero(), { radius: 2 * scale, height: 6 * scale, strength: 12 * scale });
    const height = async (): Promise<number> => {
      const positions = await cloth.readPositions();
      let sum = 0;
      for (let i = 1; i < positions.length; i += 3) sum += positions[i];
      return (3 * sum) / positions.length / scale;
    };
    t.run(20);
    expect(await height()).toBeGreaterThan(1.1);
    rise.disable();
    t.run(45);
    const high = await height();
    t.run(15);
    expect(await height()).toBeLessThan(high - 0.1);
    rise.enable();
    expect(rise.isEnabled).toBe(true);
  });

  it("has zones that follow nodes, also turned, scaled and mirrored ones", async () => {
    t = await testScene({ worldScale: scale });
    const wind = new SceneWind({}, t.scene);
    const parent = new TransformNode("parent", t.scene);
    const node = new TransformNode("fan", t.scene);
    node.parent = parent;
    const zone = wind.addZone({
      node,
      shape: "box",
      size: at(1, 4, 1),
      direction: new Vector3(1, 1, 0),
      speed: 3 * scale,
    });
    const speed = (3 * scale) / Math.SQRT2;
    near("at the node", wind.velocityAt(Vector3.Zero()), new Vector3(speed, speed, 0));
    parent.scaling.x = -1;
    node.position = at(-5, 0, 0);
    node.rotationQuaternion = Quaternion.RotationAxis(Vector3.Forward(), Math.PI / 2);
    t.run(1);
    near("where it was", wind.velocityAt(Vector3.Zero()), Vector3.Zero());
    // a quarter turn takes (1, 1) to (−1, 1), and the mirror that to (1, 1)
    near("at its new place", wind.velocityAt(at(5, 0, 0)), new Vector3(speed, speed, 0));
    expect(wind.velocityAt(at(6.5, 0, 0)).length()).toBeGreaterThan(0);
    node.scaling.setAll(0.5);
    t.run(1);
    expect(wind.velocityAt(at(6.5, 0, 0)).length()).toBe(0);
    zone.setOptions({ speed: 0 });
    near("without a speed", wind.velocityAt(at(5, 0, 0)), Vector3.Zero());
    zone.dispose();
  });

  it("turns in a vortex as fast as its strength at its radius, whatever its height", async () => {
    t = await testScene({ worldScale: scale });
    const wind = new SceneWind({}, t.scene);
    for (const height of [1, 8]) {
      const vortex = wind.vortex(at(0, -1, 0), {
        radius: 2 * scale,
        height: height * scale,
        strength: 6 * scale,
        falloff: 0,
      });
      near("at half the radius", wind.velocityAt(at(1, -0.5, 0)), at(0, 0, -3));
      vortex.dispose();
    }
  });

  it("is slow behind a mesh, wherever that goes", async () => {
    t = await testScene({ worldScale: scale });
    const wind = new SceneWind({ velocity: at(8, 0, 0) }, t.scene);
    const wall = CreateBox("wall", { width: 0.2 * scale, height: 2 * scale, depth: 6 * scale }, t.scene);
    const shelter = wind.addShelter(wall, { strength: 0.75 });
    expect(wind.velocityAt(at(0.5, 0, 0)).x / scale).toBeLessThan(5.5);
    near("before it", wind.velocityAt(at(-0.5, 0, 0)), at(8, 0, 0));
    wall.position = at(0, 0, 40);
    t.run(1);
    near("where it was", wind.velocityAt(at(0.5, 0, 0)), at(8, 0, 0));
    expect(wind.velocityAt(at(0.5, 0, 40)).x / scale).toBeLessThan(5.5);
    shelter.disable();
    near("without it", wind.velocityAt(at(0.5, 0, 40)), at(8, 0, 0));
  });
});

it("a scene has one wind, and none after that is disposed of", async () => {
  t = await testScene();
  const wind = new SceneWind({ velocity: new Vector3(1, 2, 3) }, t.scene);
  expectRefused(() => new SceneWind({}, t.scene), "invalid-argument", /already/);
  expectRefused(() => wind.setOptions({ velocity: new Vector3(NaN, 0, 0) }), "non-finite", /velocity/);
  expectRefused(
    () => wind.updraft(Vector3.Zero(), { radius: 0, height: 1, strength: 1 }),
    "invalid-argument",
    /radius/,
  );
  expect(t.plugin.world.wind!.velocity).toEqual([1, 2, 3]);
  wind.dispose();
  expect(t.plugin.world.wind).toBeUndefined();
  new SceneWind({}, t.scene);
});
