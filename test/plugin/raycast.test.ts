// Babylon picks meshes only with a material; this import provides the default one.
import "@babylonjs/core/Materials/standardMaterial";
import { Ray } from "@babylonjs/core/Culling/ray";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsShapeContainer, PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, makeBody, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** Points spread over a sphere (golden spiral). */
function directions(count: number): Vector3[] {
  return Array.from({ length: count }, (_, i) => {
    const y = 1 - (2 * (i + 0.5)) / count;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    return new Vector3(Math.cos(angle) * Math.sqrt(1 - y * y), y, Math.sin(angle) * Math.sqrt(1 - y * y));
  });
}

describe("raycast", () => {
  const meshes = {
    box: [PhysicsShapeType.BOX, () => CreateBox("m", { width: 1, height: 0.6, depth: 0.8 }, t.scene), 1e-5],
    sphere: [PhysicsShapeType.SPHERE, () => CreateSphere("m", { diameter: 1, segments: 48 }, t.scene), 3e-3],
    capsule: [
      PhysicsShapeType.CAPSULE,
      () => CreateCapsule("m", { radius: 0.3, height: 1.4, tessellation: 96, capSubdivisions: 32 }, t.scene),
      5e-3,
    ],
    cylinder: [
      PhysicsShapeType.CYLINDER,
      () => CreateCylinder("m", { diameter: 1, height: 1, tessellation: 192 }, t.scene),
      3e-3,
    ],
    hull: [
      PhysicsShapeType.CONVEX_HULL,
      () => CreateCylinder("m", { diameter: 1, height: 1, tessellation: 12 }, t.scene),
      1e-5,
    ],
    mesh: [
      PhysicsShapeType.MESH,
      () => CreateTorus("m", { diameter: 1, thickness: 0.4, tessellation: 16 }, t.scene),
      1e-5,
    ],
  } as const;

  it.each(Object.keys(meshes) as (keyof typeof meshes)[])("hits a %s where Babylon's own picking does", (name) => {
    const [type, make, tolerance] = meshes[name];
    const mesh = make();
    mesh.position.set(0.1, 0.2, 0.3);
    mesh.rotation.set(0.3, 0.5, 0.7);
    mesh.scaling.setAll(1.3);
    const { body } = new PhysicsAggregate(mesh, type, { mass: 0 }, t.scene);
    t.run(1);
    let hits = 0;
    for (const [i, d] of directions(60).entries()) {
      const from = d.scale(4);
      const to = d.scale(-4).addInPlaceFromFloats(0.3 * Math.sin(i), 0.3 * Math.cos(3 * i), 0.3 * Math.sin(5 * i));
      const expected = t.scene.pickWithRay(Ray.CreateNewFromTo(from, to))!;
      const result = t.physics.raycast(from, to);
      if (!expected.hit) continue;
      hits++;
      const normal = expected.getNormal(true, false)!;
      // along a grazing ray, the facets of a round mesh are further from the shape
      const grazing = Math.max(0.05, -Vector3.Dot(normal, to.subtract(from).normalize()));
      if (grazing < 0.3) continue;
      expect(result.hasHit).toBe(true);
      expect(result.body).toBe(body);
      expect(Math.abs(result.hitDistance - expected.distance)).toBeLessThan(tolerance / grazing);
      expect(Vector3.Dot(result.hitNormalWorld, normal)).toBeGreaterThan(0.98);
      expect(result.hitPointWorld.subtract(expected.pickedPoint!).length()).toBeLessThan((2 * tolerance) / grazing);
      if (name === "mesh") expect(result.triangleIndex).toBeGreaterThanOrEqual(0);
    }
    expect(hits).toBeGreaterThan(15);
  });

  it("sorts hits, and fills an empty array with all of them", () => {
    const ball = new PhysicsShapeSphere(Vector3.Zero(), 0.5, t.scene);
    const bodies = [4, 2, 6].map((x) => makeBody(t.scene, PhysicsMotionType.STATIC, ball, new Vector3(x, 0, 0)));
    const all = t.physics.raycastMulti(Vector3.Zero(), new Vector3(10, 0, 0));
    expect(all.map((hit) => Math.round(1e5 * hit.hitDistance) / 1e5)).toEqual([1.5, 3.5, 5.5]);
    expect(all.map((hit) => hit.body)).toEqual([bodies[1], bodies[0], bodies[2]]);
    expect(all[0].hitNormalWorld.x).toBeCloseTo(-1, 6);
    expect(t.physics.raycast(Vector3.Zero(), new Vector3(1, 0, 0)).hasHit).toBe(false);
    expect(t.physics.raycast(Vector3.Zero(), new Vector3(0, 5, 0)).hasHit).toBe(false);
  });

  it("minds masks and the body to ignore, and follows moving bodies", () => {
    const ball = new PhysicsShapeSphere(Vector3.Zero(), 0.5, t.scene);
    ball.filterMembershipMask = 2;
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball, new Vector3(2, 0, 0));
    const to = new Vector3(10, 0, 0);
    expect(t.physics.raycast(Vector3.Zero(), to, { collideWith: 1 }).hasHit).toBe(false);
    expect(t.physics.raycast(Vector3.Zero(), to, { collideWith: 2 }).hasHit).toBe(true);
    expect(t.physics.raycast(Vector3.Zero(), to, { ignoreBody: body }).hasHit).toBe(false);
    body.transformNode.position.x = 5;
    t.run(1);
    expect(t.physics.raycast(Vector3.Zero(), to).hitDistance).toBeCloseTo(4.5, 5);
  });

  it("sees a ball that a container squeezed", () => {
    const container = new PhysicsShapeContainer(t.scene);
    const ball = new PhysicsShapeSphere(Vector3.Zero(), 1, t.scene);
    container.addChild(ball, new Vector3(0, 1, 0), Quaternion.Identity(), new Vector3(1, 0.5, 1));
    makeBody(t.scene, PhysicsMotionType.STATIC, container);
    const hit = t.physics.raycast(new Vector3(0, 5, 0), Vector3.Zero());
    expect(hit.hitPointWorld.y).toBeCloseTo(1.5, 6);
    // a squeezed ball is a hull, and the ray meets a corner of it
    expect(hit.hitNormalWorld.y).toBeGreaterThan(0.99);
  });

  it("refuses a ray that is not finite", () => {
    expectRefusal(() => t.physics.raycast(new Vector3(NaN, 0, 0), Vector3.One()), "non-finite", "raycast");
  });
});
