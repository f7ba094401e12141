import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  PhysicsShapeBox,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeConvexHull,
  PhysicsShapeCylinder,
  PhysicsShapeMesh,
  PhysicsShapeSphere,
  type PhysicsShape,
} from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principalAxes } from "../../plugin/rigid/principal-axes";
import { shapeMoments } from "../../src/collision/shape/moments";
import type { ColliderShape } from "../../src/index";
import { makeBody, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** Principal inertia of a unit mass, mass and center, as plain numbers. */
function properties(shape: PhysicsShape): { mass: number; centre: number[]; inertia: number[]; turn: Quaternion } {
  const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, shape);
  const { mass, centerOfMass, inertia, inertiaOrientation } = body.getMassProperties();
  return { mass: mass!, centre: centerOfMass!.asArray(), inertia: inertia!.asArray(), turn: inertiaOrientation! };
}

function expectClose(actual: number[], expected: number[], digits = 9): void {
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, digits));
}

describe("mass properties", () => {
  const a = new Vector3(0, 0, 0);
  const b = new Vector3(0, 2, 0);

  it("has the closed forms of a ball, a box and a cylinder", () => {
    const ball = properties(new PhysicsShapeSphere(new Vector3(1, 0, 0), 0.5, t.scene));
    expect(ball.mass).toBeCloseTo((1000 * 4 * Math.PI) / 3 / 8, 9);
    expectClose(ball.centre, [1, 0, 0]);
    expectClose(ball.inertia, [0.1, 0.1, 0.1]);
    const box = properties(new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 2, 3), t.scene));
    expect(box.mass).toBeCloseTo(6000, 9);
    expectClose(box.inertia, [13 / 12, 10 / 12, 5 / 12]);
    const cylinder = properties(new PhysicsShapeCylinder(a, b, 0.5, t.scene));
    expect(cylinder.mass).toBeCloseTo(500 * Math.PI, 9);
    expectClose(cylinder.centre, [0, 1, 0]);
    expectClose(cylinder.inertia, [(3 * 0.25 + 4) / 12, 0.125, (3 * 0.25 + 4) / 12]);
  });

  it("has the moments of a capsule that sampling finds", () => {
    const shape: ColliderShape = { type: "capsule", pointA: [0.2, -0.3, 0.1], pointB: [0.5, 0.4, -0.2], radius: 0.25 };
    const { volume, first, second } = shapeMoments(shape);
    const axis = [0.3, 0.7, -0.3];
    const cells = 90;
    const sampled = { volume: 0, first: [0, 0, 0], second: new Array<number>(9).fill(0) };
    const step = 1.6 / cells;
    for (let i = 0; i < cells ** 3; i++) {
      const index = [i % cells, Math.floor(i / cells) % cells, Math.floor(i / cells ** 2)];
      const x = index.map((k, c) => [-0.45, -0.75, -0.85][c] + (k + 0.5) * step);
      const d = x.map((value, c) => value - [0.2, -0.3, 0.1][c]);
      const s = Math.max(0, Math.min(1, d.reduce((sum, v, c) => sum + v * axis[c], 0) / 0.67));
      if (Math.hypot(...d.map((v, c) => v - s * axis[c])) > 0.25) continue;
      sampled.volume += step ** 3;
      x.forEach((value, c) => (sampled.first[c] += value * step ** 3));
      sampled.second.forEach((_, k) => (sampled.second[k] += x[Math.floor(k / 3)] * x[k % 3] * step ** 3));
    }
    expect(volume / sampled.volume).toBeCloseTo(1, 2);
    expectClose([...first], sampled.first, 3);
    expectClose([...second], sampled.second, 3);
  });

  it("has those of a box for a box mesh and its hull, scaled and turned either way", () => {
    const mesh = CreateBox("box", { width: 1, height: 2, depth: 3 }, t.scene);
    mesh.position.set(5, 5, 5);
    mesh.scaling.set(2, 1, -1);
    for (const shape of [new PhysicsShapeMesh(mesh, t.scene), new PhysicsShapeConvexHull(mesh, t.scene)]) {
      const { mass, centre, inertia } = properties(shape);
      expect(mass).toBeCloseTo(12000, 3);
      expectClose(centre, [0, 0, 0], 6);
      expectClose(inertia, [13 / 12, 13 / 12, 8 / 12], 6);
    }
  });

  it("comes near the ball for the hull of its points", () => {
    const mesh = CreateIcoSphere("ball", { radius: 1, subdivisions: 6, flat: false }, t.scene);
    const { mass, inertia } = properties(new PhysicsShapeConvexHull(mesh, t.scene));
    expect(mass / ((4000 / 3) * Math.PI)).toBeCloseTo(1, 1);
    expectClose(inertia, [0.4, 0.4, 0.4], 1);
  });

  it("adds a container up: two balls on a bar have their axes along it", () => {
    const container = new PhysicsShapeContainer(t.scene);
    const ball = new PhysicsShapeSphere(Vector3.Zero(), 0.5, t.scene);
    const along = new Vector3(1, 1, 0).normalize();
    container.addChild(ball, along.scale(2));
    container.addChild(ball, along.scale(-2));
    const { mass, centre, inertia, turn } = properties(container);
    expect(mass).toBeCloseTo((2 * 1000 * 4 * Math.PI) / 3 / 8, 6);
    expectClose(centre, [0, 0, 0]);
    expectClose([...inertia].sort(), [0.1, 4.1, 4.1]);
    const axis = [Vector3.Right(), Vector3.Up(), Vector3.Forward()][inertia.findIndex((value) => value < 1)];
    expect(Math.abs(Vector3.Dot(axis.applyRotationQuaternion(turn), along))).toBeCloseTo(1, 9);
  });

  it("scales a child", () => {
    const container = new PhysicsShapeContainer(t.scene);
    const box = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 2, 3), t.scene);
    container.addChild(box, new Vector3(1, 0, 0), Quaternion.Identity(), new Vector3(2, 1, 1));
    const { mass, centre, inertia } = properties(container);
    expect(mass).toBeCloseTo(12000, 6);
    expectClose(centre, [1, 0, 0]);
    expectClose(inertia, [13 / 12, 13 / 12, 8 / 12]);
  });

  it("lets the user have the last word, part by part", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, new PhysicsShapeCapsule(a, b, 0.5, t.scene));
    const computed = body.computeMassProperties();
    body.setMassProperties({ mass: 3, centerOfMass: new Vector3(0, 0.5, 0) });
    const { mass, centerOfMass, inertia } = body.getMassProperties();
    expect(mass).toBe(3);
    expect(centerOfMass!.y).toBe(0.5);
    expectClose(inertia!.asArray(), computed.inertia!.asArray());
    expect(body.computeMassProperties().mass).toBeCloseTo(computed.mass!, 9);
  });

  it("gives a cylinder mesh that is open at its ends the moments of its box", () => {
    const mesh = CreateCylinder("tube", { height: 2, diameter: 1, cap: 0 }, t.scene);
    expect(properties(new PhysicsShapeMesh(mesh, t.scene)).mass).toBeCloseTo(2000, 0);
  });
});

describe("principalAxes", () => {
  it("finds the axes of random tensors", () => {
    for (let seed = 1; seed < 40; seed++) {
      const turn = Quaternion.FromEulerAngles(seed, 2 * seed, 3 * seed);
      const r = Matrix.Identity();
      turn.toRotationMatrix(r);
      const m = r.asArray();
      const axes = [0, 1, 2].map((i) => [m[4 * i], m[4 * i + 1], m[4 * i + 2]]);
      const values = [1, 2 + (seed % 3), 7];
      const tensor = Array.from({ length: 9 }, (_, k) =>
        values.reduce((sum, value, i) => sum + value * axes[i][Math.floor(k / 3)] * axes[i][k % 3], 0),
      );
      const found = principalAxes(tensor);
      [0, 1, 2].forEach((i) => {
        const axis = Vector3.FromArray([0, 1, 2].map((c) => (c === i ? 1 : 0))).applyRotationQuaternion(found.rotation);
        const v = axis.asArray();
        const image = [0, 1, 2].map((row) => v.reduce((sum, value, c) => sum + tensor[3 * row + c] * value, 0));
        expectClose(
          image,
          v.map((value) => value * found.moments[i]),
          5,
        );
      });
    }
  });
});
