import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import {
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  PhysicsEventType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
let ground: PhysicsAggregate;
beforeEach(async () => {
  t = await testScene({}, new Vector3(0, -9.81, 0));
  const mesh = CreateGround("ground", { width: 20, height: 20 }, t.scene);
  ground = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 0, restitution: 0 }, t.scene);
});
afterEach(() => t.dispose());

function ball(height: number, restitution = 0): PhysicsAggregate {
  const mesh = CreateSphere("ball", { diameter: 0.4 }, t.scene);
  mesh.position.y = height;
  return new PhysicsAggregate(mesh, PhysicsShapeType.SPHERE, { mass: 2, restitution }, t.scene);
}

describe("collisions", () => {
  it("start with the impulse of the impact, and go on with that of the weight", () => {
    const { body } = ball(0.5);
    body.setCollisionCallbackEnabled(true);
    const own: IPhysicsCollisionEvent[] = [];
    const all: IPhysicsCollisionEvent[] = [];
    body.getCollisionObservable().add((event) => own.push(event));
    t.plugin.onCollisionObservable.add((event) => all.push(event));
    t.run(40);
    expect(own[0].type).toBe(PhysicsEventType.COLLISION_STARTED);
    expect(own.filter((event) => event.type === PhysicsEventType.COLLISION_STARTED)).toHaveLength(1);
    expect(own[0].collider).toBe(body);
    expect(own[0].collidedAgainst).toBe(ground.body);
    // m √(2 g h) and the weight: the contact may begin slightly above the ground, and end in the next step
    const impact = 2 * Math.sqrt(2 * 9.81 * 0.3);
    const given = own.slice(0, 3).reduce((sum, event) => sum + event.impulse, 0);
    expect(Math.abs(given / (impact + (3 * 2 * 9.81) / 60) - 1)).toBeLessThan(0.1);
    // the lowest point of the ball just before it touches
    expect(Math.abs(own[0].point!.y)).toBeLessThan(0.05);
    expect(Math.abs(own[0].normal!.y)).toBeCloseTo(1, 6);
    const last = own[own.length - 1];
    expect(last.type).toBe(PhysicsEventType.COLLISION_CONTINUED);
    expect(last.impulse).toBeCloseTo((2 * 9.81) / 60, 3);
    expect(all).toHaveLength(own.length);
  });

  it("end, and are quiet for bodies that do not ask", () => {
    const { body } = ball(0.5, 0.9);
    const events: IBasePhysicsCollisionEvent[] = [];
    t.plugin.onCollisionObservable.add((event) => events.push(event));
    t.plugin.onCollisionEndedObservable.add((event) => events.push(event));
    t.run(20);
    expect(events).toHaveLength(0);
    body.setCollisionCallbackEnabled(true);
    body.setCollisionEndedCallbackEnabled(true);
    expect(body.getEventMask()).toBe(7);
    t.run(60);
    expect(events.some((event) => event.type === PhysicsEventType.COLLISION_STARTED)).toBe(true);
    expect(events.some((event) => event.type === PhysicsEventType.COLLISION_FINISHED)).toBe(true);
    body.setEventMask(4);
    events.length = 0;
    t.run(60);
    expect(events.every((event) => event.type === PhysicsEventType.COLLISION_FINISHED)).toBe(true);
  });

  it("do not end while bodies sleep", () => {
    const { body } = ball(0.2);
    body.setCollisionCallbackEnabled(true);
    let ended = 0;
    t.plugin.onCollisionEndedObservable.add(() => ended++);
    t.run(300);
    expect(ended).toBe(0);
    body.dispose();
  });
});

describe("triggers", () => {
  it("tell who comes and goes, and push nobody, cloth neither", async () => {
    const gate = CreateBox("gate", { size: 1 }, t.scene);
    gate.position.y = 3;
    const aggregate = new PhysicsAggregate(gate, PhysicsShapeType.BOX, { mass: 0 }, t.scene);
    aggregate.shape.isTrigger = true;
    const events: IBasePhysicsCollisionEvent[] = [];
    t.plugin.onTriggerCollisionObservable.add((event) => events.push(event));
    const { body } = ball(5);
    const cloth = new ClothAggregate(makeSheet(t.scene, 0.4, 4, 3.8), {}, t.scene);
    t.run(60);
    // free fall through the gate
    expect(body.getLinearVelocity().y).toBeLessThan(-9);
    expect(events.map((event) => event.type)).toEqual([
      PhysicsEventType.TRIGGER_ENTERED,
      PhysicsEventType.TRIGGER_EXITED,
    ]);
    expect([events[0].collider, events[0].collidedAgainst]).toContain(body);
    expect((await cloth.readPositions())[1]).toBeLessThan(2);
  });
});
