/** Capsules and cylinders that `PhysicsAggregate` makes of meshes, about any axis, scaled, mirrored and below parents. */
import { Axis, Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const { CAPSULE, CYLINDER } = PhysicsShapeType;

/** Way from the farthest vertex along a direction to the surface of the body there: 0 if the shape fits. */
function gapAlong(mesh: Mesh, direction: Vector3): number {
  const world = mesh.computeWorldMatrix(true);
  const local = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  let most = -Infinity;
  let far = Vector3.Zero();
  for (let i = 0; i < local.length; i += 3) {
    const at = Vector3.TransformCoordinates(Vector3.FromArray(local, i), world);
    const along = Vector3.Dot(at, direction);
    if (along > most) [most, far] = [along, at];
  }
  const middle = mesh.getBoundingInfo().boundingBox.centerWorld;
  const out = far.subtract(middle);
  const from = middle.add(out.scale(5));
  const result = new PhysicsRaycastResult();
  t.plugin.raycast(from, middle, result);
  if (!result.hasHit) return Infinity;
  return Vector3.Distance(result.hitPointWorld, middle) / out.length() - 1;
}

const directions = [1, -1].flatMap((sign) =>
  [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1), new Vector3(0.6, 0.5, -0.62)].map((d) =>
    d.scale(sign).normalize(),
  ),
);

function expectFit(mesh: Mesh, type: PhysicsShapeType): void {
  const aggregate = new PhysicsAggregate(mesh, type, { mass: 0 }, t.scene);
  t.run(1);
  for (const direction of directions) expect(Math.abs(gapAlong(mesh, direction))).toBeLessThan(0.03);
  aggregate.dispose();
}

/** Places a mesh below a turned and scaled parent. */
function hang(mesh: Mesh, scale = new Vector3(1.5, 1.5, 1.5)): void {
  const root = new TransformNode("root", t.scene);
  root.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.7, -0.4, 1.1);
  root.position.set(1, 2, -0.5);
  root.scaling = scale;
  mesh.parent = root;
  mesh.position.set(0.2, -0.1, 0.3);
}

const orientations: [string, Vector3][] = [
  ["x", Axis.X],
  ["y", Axis.Y],
  ["z", Axis.Z],
  ["−x", Axis.X.negate()],
  ["a slanted axis", new Vector3(1, 2, -0.5).normalize()],
];

describe.each(orientations)("a mesh along %s", (_, orientation) => {
  const capsule = (height: number): Mesh =>
    CreateCapsule("capsule", { radius: 0.2, height, orientation, tessellation: 32, capSubdivisions: 16 }, t.scene);

  it.each([0.45, 1, 3])("of height %f fits as a capsule, plain and below a parent", (height) => {
    expectFit(capsule(height), CAPSULE);
    const mesh = capsule(height);
    hang(mesh);
    expectFit(mesh, CAPSULE);
  });

  it("fits where its middle is off its origin, mirrored", () => {
    const mesh = capsule(1);
    mesh.bakeTransformIntoVertices(Matrix.Translation(0.5, 0.3, -0.4));
    hang(mesh, new Vector3(-1, 1, 1));
    expectFit(mesh, CAPSULE);
  });

  it("fits as a cylinder", () => {
    const mesh = CreateCylinder("can", { height: 0.3, diameter: 0.8, tessellation: 48 }, t.scene);
    const turn = Quaternion.FromUnitVectorsToRef(Axis.Y, orientation, new Quaternion());
    mesh.bakeTransformIntoVertices(Matrix.FromQuaternionToRef(turn, new Matrix()));
    hang(mesh);
    expectFit(mesh, CYLINDER);
  });
});

it("leaves shapes of given numbers, and of meshes that are not round, as Babylon makes them", () => {
  const radiusOf = (mesh: Mesh, options: object): number => {
    const { shape } = new PhysicsAggregate(mesh, CAPSULE, { mass: 0, ...options }, t.scene);
    const { extendSize } = shape.getBoundingBox();
    return extendSize.x;
  };
  const given = { radius: 0.1, pointA: new Vector3(0, -1, 0), pointB: new Vector3(0, 1, 0) };
  expect(radiusOf(CreateCapsule("own", { radius: 0.2, height: 1, orientation: Axis.X }, t.scene), given)).toBeCloseTo(
    0.1,
  );
  expect(radiusOf(CreateBox("plank", { width: 0.4, height: 1, depth: 0.2 }, t.scene), {})).toBeCloseTo(0.2);
});
