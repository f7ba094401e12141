import { Ray } from "@babylonjs/core/Culling/ray";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { testScene, vertexAt, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const down = (x: number, z: number, from = 5): Ray => new Ray(new Vector3(x, from, z), Vector3.Down(), 100);

function sheet(): Mesh {
  const mesh = CreateGround("sheet", { width: 1, height: 1, subdivisions: 12 }, t.scene);
  mesh.position.y = 1;
  return mesh;
}

/** Cloth over a ball of radius 0.3 m at the origin. */
function draped(mesh: Mesh): ClothAggregate {
  const ball = CreateSphere("ball", { diameter: 0.6 }, t.scene);
  ball.isPickable = false;
  new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, t.scene);
  const cloth = new ClothAggregate(mesh);
  t.run(40);
  return cloth;
}

/** Checks that rays straight down on some vertices hit the mesh within `reach` of them; returns the number of hits. */
async function expectHits(mesh: Mesh, points: ArrayLike<number>, reach: number): Promise<number> {
  let hits = 0;
  const offset = 1e-3;
  for (let i = 0; i < points.length / 3; i += 7) {
    const at = vertexAt(points, i);
    // a ray from slightly above the vertex meets the mesh at the vertex, whatever is above it
    const info = t.scene.pickWithRay(new Ray(at.add(new Vector3(0, reach, 0)), Vector3.Down(), 2 * reach + offset));
    if (!info?.hit) continue;
    expect(info.pickedMesh).toBe(mesh);
    expect(Math.abs(info.pickedPoint!.y - at.y)).toBeLessThan(reach + offset);
    hits++;
  }
  return hits;
}

describe("a pick", () => {
  it("hits cloth where it lies, not where it was", async () => {
    const mesh = sheet();
    const cloth = draped(mesh);
    const info = t.scene.pickWithRay(down(0, 0))!;
    expect(info.pickedMesh).toBe(mesh);
    expect(info.pickedPoint!.y).toBeGreaterThan(0.29);
    expect(info.pickedPoint!.y).toBeLessThan(0.35);
    expect(mesh.intersects(toLocal(mesh, down(0, 0))).hit).toBe(true);
    // the corner was half a meter from the middle, and now hangs lower and further in
    expect(t.scene.pickWithRay(down(0.499, 0.499))!.hit).toBe(false);
    expect(await expectHits(mesh, await cloth.readPositions(), 0.02)).toBeGreaterThan(10);
    cloth.dispose();
    expect(t.scene.pickWithRay(down(0, 0))!.pickedPoint!.y).toBeCloseTo(info.pickedPoint!.y, 6);
  });

  it("hits every submesh of a mesh that moved", () => {
    const mesh = sheet();
    const half = mesh.getTotalIndices() / 2;
    mesh.releaseSubMeshes();
    new SubMesh(0, 0, mesh.getTotalVertices(), 0, half, mesh);
    new SubMesh(0, 0, mesh.getTotalVertices(), half, half, mesh);
    const cloth = draped(mesh);
    for (const z of [-0.15, 0.15]) expect(t.scene.pickWithRay(down(0, z))!.pickedMesh).toBe(mesh);
    cloth.dispose();
    mesh.refreshBoundingInfo();
    for (const z of [-0.15, 0.15]) expect(t.scene.pickWithRay(down(0, z))!.pickedMesh).toBe(mesh);
  });

  it("hits soft bodies and ropes after their fall", async () => {
    const mesh = CreateSphere("jelly", { diameter: 0.4, segments: 5 }, t.scene);
    const jelly = new SoftBodyAggregate(mesh, { resolution: 4, youngsModulus: 2e4 });
    const path = [new Vector3(2, 0, 0), new Vector3(3, 0, 0)];
    const rope = new RopeAggregate({ path, radius: 0.05 }, { segments: 12 }, t.scene);
    t.run(30);
    for (const { body, x } of [
      { body: jelly, x: 0 },
      { body: rope, x: 2.5 },
    ]) {
      const info = t.scene.pickWithRay(down(x, 0))!;
      expect(info.pickedMesh).toBe(body.mesh);
      expect(info.pickedPoint!.y).toBeLessThan(-0.5);
      expect(mesh.getBoundingInfo().boundingBox.maximumWorld.y).toBeLessThan(-0.5);
    }
    expect(await expectHits(mesh, await jelly.readPositions(), 0.03)).toBeGreaterThan(3);
  });

  it("follows a reset, and a node that moves", () => {
    const mesh = sheet();
    const cloth = draped(mesh);
    mesh.position.x = 5;
    t.run(1);
    expect(t.scene.pickWithRay(down(0, 0))!.pickedPoint!.y).toBeLessThan(0.35);
    cloth.reset();
    expect(t.scene.pickWithRay(down(0.3, 0.3))!.pickedPoint!.y).toBeCloseTo(1, 5);
  });
});

function toLocal(mesh: Mesh, ray: Ray): Ray {
  return Ray.Transform(ray, mesh.getWorldMatrix().clone().invert());
}
