import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { expect, it } from "vitest";
import { SoftBodyAggregate } from "../../plugin/index";
import { softEnergy } from "../world/soft-energy";
import { testScene } from "./fixtures";

const GRAVITY = 9.81;

it.each([
  { mass: 0.4, speed: 8 },
  { mass: 100, speed: 4 },
  { mass: 1000, speed: 4 },
])("a box that falls on a soft cube of 37 kg is not thrown back: %o", async ({ mass, speed }) => {
  const t = await testScene({ backend: "cpu" }, new Vector3(0, -GRAVITY, 0));
  const { scene } = t;
  new PhysicsAggregate(
    CreateGround("ground", { width: 8, height: 8 }, scene),
    PhysicsShapeType.BOX,
    { mass: 0 },
    scene,
  );
  const cube = CreateBox("cube", { size: 0.333 }, scene);
  cube.position.y = 0.171;
  const { body } = new SoftBodyAggregate(cube, { youngsModulus: 3e4, density: 1000, resolution: 4 }, scene);
  const box = CreateBox("box", { size: 0.4 }, scene);
  box.position.y = 0.56;
  const rigid = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass, restitution: 0 }, scene).body;
  rigid.setLinearVelocity(new Vector3(0, -speed, 0));
  const energy = async (): Promise<[number, number]> => {
    const soft = await softEnergy(body, GRAVITY);
    const [v, w] = [rigid.getLinearVelocity().lengthSquared(), rigid.getAngularVelocity().lengthSquared()];
    return [soft.kinetic + 0.5 * mass * (v + (0.4 ** 2 / 6) * w), soft.potential + mass * GRAVITY * box.position.y];
  };
  const [start, from] = await energy();
  for (let frame = 1; frame <= 45; frame++) {
    t.run(1);
    const [kinetic, potential] = await energy();
    expect(kinetic, `frame ${frame}`).toBeLessThan(1.02 * start + Math.max(0, from - potential));
    expect(rigid.getLinearVelocity().y, `frame ${frame}`).toBeLessThan(speed);
  }
  t.dispose();
});
