import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { describe, expect, it } from "vitest";
import { SoftBodyAggregate } from "../../plugin/index";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { testScene } from "./fixtures";

const GRAVITY = 9.81;

describe.each(["cpu", "webgpu"] as const)("a jelly box that is thrown at a step on the ground: %s", (backend) => {
  it.each([
    { size: 1, youngsModulus: 1.5e4, speed: 3 },
    { size: 1, youngsModulus: 1e5, speed: 3 },
    { size: 0.1, youngsModulus: 4e3, speed: 1 },
  ])("never has more energy than it was given: %o", async ({ size, youngsModulus, speed }) => {
    const { gpu } = await loadWebGpu();
    const t = await testScene({ backend, gpu }, new Vector3(0, -GRAVITY, 0));
    const { scene } = t;
    const ground = CreateGround("ground", { width: 8 * size, height: 8 * size }, scene);
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);
    const step = CreateBox("step", { size: 0.5 * size, height: 0.3 * size }, scene);
    step.position.set(0.35 * size, 0.15 * size, 0);
    new PhysicsAggregate(step, PhysicsShapeType.BOX, { mass: 0 }, scene);
    const mesh = CreateBox("jelly", { size }, scene);
    mesh.position.set(-0.3 * size, 1.1 * size, 0);
    mesh.rotation.set(0.5, 0.4, 0.3);
    const { body } = new SoftBodyAggregate(mesh, { youngsModulus, resolution: 5 }, scene);
    const { positions, masses } = body.model;
    const thrown = [0.5 * speed, -speed, 0];
    body.writeState({ positions, velocities: positions.map((_, i) => thrown[i % 3]) });
    const energy = async (): Promise<number> => {
      const { positions: x, velocities: v } = await body.readState();
      return masses.reduce((sum, m, p) => {
        const squared = v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2;
        return sum + m * (0.5 * squared + GRAVITY * x[3 * p + 1]);
      }, 0);
    };
    const given = await energy();
    for (let k = 0; k < 6; k++) {
      t.run(4);
      expect(await energy()).toBeLessThan(given * 1.02);
    }
    t.dispose();
  });
});
