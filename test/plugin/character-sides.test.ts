import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsCharacterController } from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sidesOf } from "../../plugin/character/sides";
import type { Neighbour } from "../../plugin/queries/around-shape";
import { testScene } from "./fixtures";

const body = {} as PhysicsBody;
const up = Vector3.Up();
const at = (x: number, y: number, z: number, normal = up, distance = 0, of = body): Neighbour => ({
  body: of,
  index: undefined,
  point: new Vector3(x, y, z),
  normal,
  distance,
});

describe("sides of bodies", () => {
  it("have one contact in the middle of those on them, at the distance of the nearest, at any size and in any order", () => {
    const corners = [at(0, 0, 0, up, 0.3), at(2, 0, 0, up, 0.1), at(2, 0, 4, up, 0.2), at(0, 0, 4, up, 0.2)];
    const size = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(size, fc.shuffledSubarray(corners, { minLength: 4 }), (scale, shuffled) => {
        const scaled = shuffled.map((corner) => ({ ...corner, point: corner.point.scale(scale) }));
        const sides = sidesOf(scaled);
        expect(sides).toHaveLength(1);
        expect(Vector3.Distance(sides[0].point, new Vector3(scale, 0, 2 * scale))).toBeLessThan(1e-9 * scale);
        expect(sides[0].distance).toBe(0.1);
      }),
      { numRuns: 50 },
    );
  });

  it("are two where bodies, normals or planes are two: the steps of a stair are not one side", () => {
    const other = {} as PhysicsBody;
    for (const [a, b] of [
      [at(0, 0, 0), at(1, 0, 0, up, 0, other)],
      [at(0, 0, 0), at(1, 0, 0, Vector3.Right())],
      [at(0, 0, 0), at(1, 0.3, 0)],
    ])
      for (const scale of [1e-3, 1, 1e3])
        expect(sidesOf([a, b].map((c) => ({ ...c, point: c.point.scale(scale) })))).toHaveLength(2);
  });
});

describe("Babylon's controller", () => {
  it.each([0.1, 1, 10])("first pushes a crate of %f m where they touch: in the middle, not at an end", async (size) => {
    const t = await testScene();
    const solid = (extents: number[], x: number, y: number, mass: number): PhysicsAggregate => {
      const mesh = CreateBox("solid", { width: extents[0], height: extents[1], depth: extents[2] }, t.scene);
      mesh.position.set(x, y, 0);
      return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, t.scene);
    };
    solid([40 * size, size, 40 * size], 0, -size / 2, 0);
    const crate = solid([size, size, size], 1.5 * size, size / 2, 20);
    t.run(5);
    const capsule = { capsuleHeight: 1.8 * size, capsuleRadius: 0.3 * size };
    const controller = new PhysicsCharacterController(new Vector3(0.6 * size, 0.95 * size, 0), capsule, t.scene);
    controller.keepDistance *= size;
    controller.keepContactTolerance *= size;
    const places: number[] = [];
    controller.onTriggerCollisionObservable.add(({ collider, impulsePosition }) => {
      expect(collider).toBe(crate.body);
      places.push(impulsePosition.y / size);
    });
    for (let frame = 0; frame < 30 && places.length === 0; frame++) {
      controller.setVelocity(new Vector3(size, 0, 0));
      const dt = 1 / 60;
      controller.integrate(dt, controller.checkSupport(dt, Vector3.Down()), Vector3.Zero());
      t.run(1);
    }
    // the straight part of the capsule begins at 0.35 of the size, the crate ends at 1
    expect(places[0]).toBeCloseTo((0.35 + 1) / 2, 2);
    t.dispose();
  });
});
