import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, DeformableScene, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { havokScene, type PluginScene } from "./both-plugins";
import { expectRefusal, makeSheet, mean } from "./fixtures";

let t: PluginScene;
afterEach(() => t.dispose());

async function begin(): Promise<void> {
  t = await havokScene();
  await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
}

type Fall = readonly [solver: "gpbd" | "local-global", mass: number, speed: number, size: number, rate: number];

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
  ])(
    "%s catches a box of %f kg at %f m/s, %f m wide, at %f steps a second, and gives it no energy",
    async (...fall) => {
      const [solver, mass, speed, size, rate] = fall;
      await begin();
      const cube = CreateBox("cube", { size: 0.5 }, t.scene);
      cube.position.y = 0.25;
      const options = {
        solver,
        resolution: solver === "gpbd" ? 3 : 4,
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
      /** of a kilogram of it [J] */
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
        // it stays above the floor of the cube, and of the cube itself
        if (Math.hypot(box.position.x, box.position.z) < 0.25) expect(box.position.y).toBeGreaterThan(0.1);
      }
      expect(fastest).toBeLessThan(speed);
    },
  );

  it.each<readonly ["gpbd" | "local-global", number, number]>([
    ["gpbd", 1, 1],
    ["gpbd", 40, 1],
    ["local-global", 8, 0.2],
    ["local-global", 8, 40],
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
      expect(Math.hypot(box.position.x, box.position.z), `step ${step}`).toBeLessThan(0.03);
      if (step % 10 > 0) continue;
      const { y } = mean(await soft.readPositions());
      expect(y, `step ${step}`).toBeGreaterThan(0.25);
      expect(y, `step ${step}`).toBeLessThan(0.35);
    }
  });

  it("is refused with a solver that would not meet Havok's bodies", async () => {
    await begin();
    const parts = ["newton", "gpbd or local-global"];
    const solver = "newton";
    const cube = CreateBox("cube", { size: 0.5 }, t.scene);
    expectRefusal(
      () => new SoftBodyAggregate(cube, { solver, resolution: 2 }, t.scene),
      "unsupported",
      "cube",
      ...parts,
    );
    expectRefusal(() => new ClothAggregate(makeSheet(t.scene), { solver }, t.scene), "unsupported", "sheet", ...parts);
    const path = [Vector3.Zero(), Vector3.Up()];
    expectRefusal(() => new RopeAggregate({ path }, { solver, segments: 4 }, t.scene), "unsupported", "rope", ...parts);
    expect(t.scene.getMeshByName("rope")).toBe(null);
    expect(new SoftBodyAggregate(cube, { resolution: 2 }, t.scene).isDisposed).toBe(false);
  });
});
