import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, DeformableScene, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { havokScene, type PluginScene } from "./both-plugins";
import { makeSheet, mean } from "./fixtures";

let t: PluginScene;
afterEach(() => t.dispose());

async function begin(): Promise<void> {
  t = await havokScene();
  await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
}

type Fall = readonly [
  solver: "gpbd" | "local-global" | "newton",
  mass: number,
  speed: number,
  size: number,
  rate: number,
];

describe("a soft body beside Havok", () => {
  it.each<Fall>([
    ["gpbd", 0.01, 8, 0.2, 60],
    ["gpbd", 0.1, 3.6, 0.2, 30],
    ["gpbd", 0.1, 3.6, 0.05, 60],
    ["gpbd", 10, 8, 0.3, 60],
    ["local-global", 0.001, 3.6, 0.02, 60],
    ["local-global", 0.01, 8, 0.2, 60],
    ["local-global", 1, 8, 0.1, 60],
    ["local-global", 100, 4, 0.4, 60],
    ["local-global", 1000, 1, 0.4, 60],
    ["newton", 0.001, 3.6, 0.2, 60],
    ["newton", 0.01, 8, 0.2, 60],
    ["newton", 1, 3.6, 0.2, 30],
    ["newton", 100, 4, 0.4, 60],
    ["newton", 1000, 1, 0.4, 60],
  ])(
    "%s catches a box of %f kg at %f m/s, %f m wide, at %f steps a second, and gives it no energy",
    async (...fall) => {
      const [solver, mass, speed, size, rate] = fall;
      await begin();
      const cube = CreateBox("cube", { size: 0.5 }, t.scene);
      cube.position.y = 0.25;
      const options = {
        solver,
        resolution: solver === "local-global" ? 4 : 3,
        youngsModulus: mass < 500 ? 3e4 : 3e5,
        density: 300,
        damping: 1,
      } as const;
      const soft = new SoftBodyAggregate(cube, options, t.scene);
      await soft.pinWhere(({ y }) => y < 0.01);
      const box = CreateBox("box", { size }, t.scene);
      box.position.set(0.03, 0.5 + 0.6 * size + 0.02, 0.02);
      box.rotation.z = 0.2;
      const { body } = new PhysicsAggregate(
        box,
        PhysicsShapeType.BOX,
        { mass, restitution: 0, friction: 0.5 },
        t.scene,
      );
      body.setLinearVelocity(new Vector3(0, -speed, 0));
      /** energy per kilogram of it [J] */
      const energy = (): number => {
        const spin = body.getAngularVelocity().lengthSquared();
        return 0.5 * body.getLinearVelocity().lengthSquared() + (spin * size * size) / 12 + 10 * box.position.y;
      };
      const start = energy();
      let fastest = 0;
      for (let step = 0; step < 0.3 * rate; step++) {
        t.physics._step(1 / rate);
        expect(energy() - start, `step ${step}`).toBeLessThan(0.01 * speed * speed);
        fastest = Math.max(fastest, body.getLinearVelocity().y);
        // it stays above the lower part of the cube
        if (Math.hypot(box.position.x, box.position.z) < 0.25) expect(box.position.y).toBeGreaterThan(0.1);
      }
      expect(fastest).toBeLessThan(speed);
    },
  );

  it.each<readonly ["gpbd" | "local-global" | "newton", number, number]>([
    ["gpbd", 1, 1],
    ["gpbd", 40, 1],
    ["local-global", 8, 0.2],
    ["local-global", 8, 40],
    ["newton", 1, 1],
    ["newton", 8, 0.2],
    ["newton", 8, 40],
  ])("%s: of %f kg lies on a box of %f kg that stands on the ground", async (solver, softMass, mass) => {
    await begin();
    const floor = CreateBox("floor", { width: 6, depth: 6, height: 0.2 }, t.scene);
    floor.position.y = -0.1;
    new PhysicsAggregate(floor, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, t.scene);
    const box = CreateBox("box", { width: 0.4, depth: 0.4, height: 0.2 }, t.scene);
    box.position.y = 0.1;
    new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass, friction: 0.5 }, t.scene);
    const cube = CreateBox("cube", { size: 0.2 }, t.scene);
    cube.position.y = 0.31;
    const material = { density: softMass / 0.2 ** 3, youngsModulus: 5e4, resolution: 2 };
    const soft = new SoftBodyAggregate(cube, { solver, ...material }, t.scene);
    for (let step = 1; step <= 60; step++) {
      t.physics._step(1 / 60);
      expect(Math.abs(box.position.y - 0.1), `step ${step}`).toBeLessThan(2e-3);
      expect(Math.hypot(box.position.x, box.position.z), `step ${step}`).toBeLessThan(2e-3);
      if (step % 10 > 0) continue;
      const { y } = mean(await soft.readPositions());
      expect(y, `step ${step}`).toBeGreaterThan(0.25);
      expect(y, `step ${step}`).toBeLessThan(0.35);
    }
  });

  it("hands its weight on to a body that Havok holds by a spring, a step late", async () => {
    await begin();
    const plate = CreateBox("plate", { width: 0.6, depth: 0.6, height: 0.1 }, t.scene);
    const { body } = new PhysicsAggregate(plate, PhysicsShapeType.BOX, { mass: 5, friction: 0.5 }, t.scene);
    body.setMassProperties({ mass: 5, inertia: Vector3.Zero() });
    body.setAngularDamping(1000);
    // a spring and damper of the scene's own, which hold the empty plate at 0
    const [stiffness, damping] = [500, 80];
    let [before, empty, given] = [0, 0, 0];
    const applyImpulse = body.applyImpulse.bind(body);
    let soft: SoftBodyAggregate | undefined;
    for (let step = 0; step < 360; step++) {
      if (step === 300)
        body.applyImpulse = (impulse, ...rest) => {
          given += impulse.y;
          applyImpulse(impulse, ...rest);
        };
      if (step === 120) {
        empty = plate.position.y;
        const cube = CreateBox("cube", { size: 0.2 }, t.scene);
        cube.position.y = empty + 0.16;
        const material = { density: 1 / 0.2 ** 3, youngsModulus: 5e4, resolution: 2 };
        soft = new SoftBodyAggregate(cube, { solver: "newton", ...material }, t.scene);
      }
      // between steps the plate has the impulses of the cube, which Havok answers in the next step: its speed alone tells nothing
      const speed = 60 * (plate.position.y - before);
      before = plate.position.y;
      body.applyForce(new Vector3(0, 50 - stiffness * before - damping * speed, 0), plate.position);
      t.physics._step(1 / 60);
    }
    // Havok's impulses in the last second, and Hooke: Havok's own small steps make a spring of forces 7 % stiffer or softer
    expect(Math.abs(given / -10 - 1), `${given} N s`).toBeLessThan(1e-3);
    const deflection = empty - plate.position.y;
    expect(Math.abs((deflection * stiffness) / 10 - 1), `${deflection} m`).toBeLessThan(0.1);
    const { y } = mean(await soft!.readPositions());
    expect(Math.abs(y - plate.position.y - 0.15)).toBeLessThan(0.01);
  });

  it("of newton, cloth and a rope of newton rest on what stands there and on what is led", async () => {
    await begin();
    const things = [0, 2, 4].map((x, k) => {
      const table = CreateBox("table", { width: 1, depth: 1, height: 0.2 }, t.scene);
      table.position.set(x, -0.1, 0);
      const { body } = new PhysicsAggregate(table, PhysicsShapeType.BOX, { mass: 0, friction: 0.8 }, t.scene);
      body.setMotionType(PhysicsMotionType.ANIMATED);
      body.disablePreStep = false;
      if (k === 0) {
        const cube = CreateBox("cube", { size: 0.2 }, t.scene);
        cube.position.set(x, 0.12, 0);
        const soft = new SoftBodyAggregate(cube, { solver: "newton", resolution: 2, youngsModulus: 1e5 }, t.scene);
        return { table, soft };
      }
      if (k === 1) {
        const sheet = makeSheet(t.scene, 0.4, 4, 0.05);
        sheet.position.x = x;
        return { table, soft: new ClothAggregate(sheet, { solver: "newton" }, t.scene) };
      }
      const path = [new Vector3(x - 0.2, 0.05, 0), new Vector3(x + 0.2, 0.05, 0)];
      return { table, soft: new RopeAggregate({ path }, { solver: "newton", segments: 6, radius: 0.01 }, t.scene) };
    });
    t.run(60);
    // the tables move up and sideways, slowly enough for friction to take along the bodies on them
    for (let step = 0; step < 60; step++) {
      for (const { table } of things) table.position.addInPlaceFromFloats(0.003, 0.002, 0);
      t.run(1);
    }
    for (const [k, { table, soft }] of things.entries()) {
      const positions = await soft.readPositions();
      const ys = Array.from(positions).filter((_, i) => i % 3 === 1);
      // its edges are rounded for newton bodies, as deep as with Pliant's own bodies
      expect(Math.min(...ys), `${k}`).toBeGreaterThan(table.position.y + 0.1 - 6e-3);
      expect(Math.min(...ys), `${k}`).toBeLessThan(table.position.y + 0.1 + 0.02);
      expect(Math.abs(mean(positions).x - table.position.x), `${k}`).toBeLessThan(0.05);
    }
  });
});
