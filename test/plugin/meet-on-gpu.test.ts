import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, expect, it } from "vitest";
import { ClothAggregate, SoftBodyAggregate } from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { surfacesAreFree } from "../../src/collision/surface/free-surfaces";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

it.each(["local-global", "newton"] as const)(
  "cloth falls on a soft body of %s by default, and is drawn there",
  async (solver) => {
    t = await testScene({ backend: "webgpu", gpu: await lentGpu() });
    const ground = CreateGround("ground", { width: 4, height: 4 }, t.scene);
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, extents: new Vector3(4, 0.2, 4) }, t.scene);
    const mesh = CreateBox("cushion", { width: 0.2, height: 0.1, depth: 0.2 }, t.scene);
    mesh.position.set(0, 0.155, 0);
    const material = { youngsModulus: 2e4, poissonRatio: 0.3, density: 300, resolution: 3 };
    const cushion = new SoftBodyAggregate(mesh, { solver, ...material }, t.scene);
    const sheet = makeSheet(t.scene, 0.16, 4, 0.23);
    const cloth = new ClothAggregate(sheet, { fabric: "denim" }, t.scene);
    for (let frame = 0; frame < 16; frame++) {
      t.run(1);
      await t.plugin.world.settled();
    }
    expect([t.plugin.world.frame, cloth.body.lane, cushion.body.lane]).toEqual([16, "simd", "cpu"]);
    const [under, over] = await Promise.all(
      [cushion, cloth].map(async ({ body }) => ({
        positions: (await body.readState()).positions,
        faces: body.model.faces,
      })),
    );
    expect(surfacesAreFree(under, over, 1e-4)).toBe(true);
    const heights = Array.from(over.positions).filter((_, i) => i % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(0.17);
    expect(Math.max(...heights)).toBeLessThan(0.22);
    const shown = sheet.getVerticesData(VertexBuffer.PositionKind)!;
    expect(Math.abs(shown[1] + sheet.position.y - heights[0])).toBeLessThan(0.05);
  },
);
