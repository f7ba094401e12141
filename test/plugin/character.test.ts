import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import {
  type CharacterSupportedState,
  type CharacterSurfaceInfo,
  PhysicsCharacterController,
} from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closestVelocity } from "../../plugin/character/planes";
import { CharacterController } from "../../plugin/index";
import { havokPlugin, onBoth, type PluginScene } from "./both-plugins";
import { type Controller, down, dt, gravity, stepCharacter, SUPPORTED } from "./character-step";
import { expectRefusal, testScene, type TestScene } from "./fixtures";

const unsupported = 0;
const sliding = 1;
const capsule = { capsuleHeight: 1.8, capsuleRadius: 0.3 };
/** Height of the center of a character that stands on y = 0. */
const STANDING = 0.9 + 0.05;

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** A static box with its middle at a place. */
function block(scene: Scene, size: readonly number[], at: readonly number[], tilt = 0, mass = 0): PhysicsAggregate {
  const mesh = CreateBox("block", { width: size[0], height: size[1], depth: size[2] }, scene);
  mesh.position.set(at[0], at[1], at[2]);
  mesh.rotation.z = tilt;
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass, friction: 0.5 }, scene);
}

const floor = (scene: Scene = t.scene): PhysicsAggregate => block(scene, [40, 1, 40], [0, -0.5, 0]);

const stand = (x = 0, y = STANDING): CharacterController =>
  new CharacterController(new Vector3(x, y, 0), capsule, t.scene);

/** Walks for some frames. Returns the support in the last one. */
function walk(
  controller: Controller,
  run: (frames: number) => void,
  frames: number,
  speed: Vector3,
): CharacterSurfaceInfo {
  let support = controller.checkSupport(dt, down);
  for (let frame = 0; frame < frames; frame++) {
    support = stepCharacter(controller, speed);
    run(1);
  }
  return support;
}

const eager = (controller: CharacterController): CharacterController => {
  controller.acceleration = 1;
  controller.maxAcceleration = 1000;
  return controller;
};

describe("a character", () => {
  it("falls, lands at its distance from the ground, and stands", () => {
    floor();
    const character = stand(0, 3);
    expect(character.checkSupport(dt, down).supportedState).toBe(unsupported);
    const support = walk(character, t.run, 60, Vector3.Zero());
    expect(character.getPosition().y).toBeCloseTo(STANDING, 3);
    expect(character.getVelocity().length()).toBeLessThan(1e-6);
    expect(support.supportedState).toBe(SUPPORTED);
    expect(support.averageSurfaceNormal.y).toBeCloseTo(1, 6);
    expect(support.isSurfaceDynamic).toBe(false);
  });

  it("walks at its speed, and along a wall that it meets", () => {
    floor();
    block(t.scene, [1, 4, 40], [2.5, 2, 0]);
    const character = eager(stand());
    walk(character, t.run, 30, new Vector3(3, 0, 0));
    expect(character.getPosition().x).toBeCloseTo(1.5, 6);
    walk(character, t.run, 60, new Vector3(3, 0, 2));
    // at its distance from the wall, and further along it
    expect(character.getPosition().x).toBeCloseTo(2 - 0.3 - 0.05, 3);
    expect(character.getPosition().z).toBeGreaterThan(1.9);
    expect(character.getPosition().y).toBeCloseTo(STANDING, 3);
  });

  it("stops in a corner, and passes through nothing however fast", () => {
    floor();
    block(t.scene, [0.02, 4, 40], [2, 2, 0]);
    block(t.scene, [40, 4, 0.02], [0, 2, 2]);
    const character = eager(stand());
    character.setVelocity(new Vector3(300, 0, 200));
    for (let frame = 0; frame < 10; frame++) {
      character.setVelocity(new Vector3(300, 0, 200));
      character.integrate(dt, character.checkSupport(dt, down), gravity);
      t.run(1);
    }
    expect(character.getPosition().x).toBeCloseTo(1.99 - 0.35, 2);
    expect(character.getPosition().z).toBeCloseTo(1.99 - 0.35, 2);
  });

  it("climbs slopes up to the one that it can walk on", () => {
    const climb = (angle: number): number => {
      const slope = block(t.scene, [20, 1, 20], [0, 0, 0], angle);
      const normal = new Vector3(-Math.sin(angle), Math.cos(angle), 0);
      const character = eager(
        new CharacterController(normal.scale(0.5 + 0.35).add(new Vector3(0, 0.6, 0)), capsule, t.scene),
      );
      character.maxSlopeCosine = Math.cos(Math.PI / 4);
      const before = character.checkSupport(dt, down).supportedState as number;
      expect(before).toBe(angle < Math.PI / 4 ? SUPPORTED : sliding);
      const { y } = character.getPosition();
      walk(character, t.run, 60, new Vector3(2, 0, 0));
      const rise = character.getPosition().y - y;
      character.dispose();
      slope.dispose();
      return rise;
    };
    // two meters along the slope
    expect(climb(0.5)).toBeCloseTo(2 * Math.sin(0.5), 1);
    expect(climb(1)).toBeLessThan(0);
  });

  it("does not rise by walking against a slope that is too steep", () => {
    floor();
    block(t.scene, [20, 1, 20], [8, 0, 0], 1.2);
    const character = eager(stand(4));
    character.maxSlopeCosine = Math.cos(Math.PI / 4);
    walk(character, t.run, 120, new Vector3(4, 0, 0));
    expect(character.getPosition().y).toBeLessThan(STANDING + 0.02);
  });

  it("climbs steps as high as it may, and no higher", () => {
    floor();
    block(t.scene, [4, 1, 4], [4, -0.2, 0]);
    const walkTo = (maxStepHeight: number, speed: number): Vector3 => {
      const character = eager(stand());
      character.maxStepHeight = maxStepHeight;
      walk(character, t.run, Math.ceil(180 / speed), new Vector3(speed, 0, 0));
      const position = character.getPosition().clone();
      character.dispose();
      return position;
    };
    for (const speed of [1, 4]) {
      const up = walkTo(0.35, speed);
      expect(up.x).toBeGreaterThan(2.2);
      expect(up.y).toBeCloseTo(STANDING + 0.3, 2);
      const blocked = walkTo(0.2, speed);
      expect(blocked.x).toBeLessThan(2 - 0.1);
      expect(blocked.y).toBeLessThan(STANDING + 0.05);
    }
  });

  it("rides on platforms, up, down and sideways", () => {
    const platform = block(t.scene, [4, 1, 4], [0, -0.5, 0]);
    platform.body.setMotionType(PhysicsMotionType.ANIMATED);
    const character = eager(stand());
    const ride = (velocity: Vector3, frames: number): void => {
      for (let frame = 0; frame < frames; frame++) {
        platform.transformNode.position.addInPlace(velocity.scale(dt));
        walk(character, t.run, 1, Vector3.Zero());
      }
    };
    ride(new Vector3(0, 1, 0), 60);
    expect(Math.abs(character.getPosition().y - STANDING - 1)).toBeLessThan(0.03);
    ride(new Vector3(1, 0, 0), 60);
    expect(Math.abs(character.getPosition().x - 1)).toBeLessThan(0.05);
    ride(new Vector3(0, -1, 0), 60);
    expect(Math.abs(character.getPosition().y - STANDING)).toBeLessThan(0.03);
    platform.transformNode.rotation.y = 0;
  });

  it("pushes bodies as its strength allows, and stands on them with its weight", () => {
    floor();
    const push = (strength: number): number => {
      const crate = block(t.scene, [1, 1, 1], [1.5, 0.5, 0], 0, 20);
      const character = eager(stand());
      character.characterStrength = strength;
      let told = 0;
      character.onTriggerCollisionObservable.add(({ collider, impulse }) => {
        if (collider === crate.body && impulse.x > 0) told++;
      });
      walk(character, t.run, 60, new Vector3(2, 0, 0));
      const { x } = crate.transformNode.position;
      expect(told).toBeGreaterThan(0);
      character.dispose();
      crate.dispose();
      return x - 1.5;
    };
    expect(push(1e38)).toBeGreaterThan(0.8);
    // friction holds µ m g = 100 N
    expect(push(30)).toBeLessThan(0.02);
    // on a seesaw the heavier side sinks
    const plank = block(t.scene, [4, 0.1, 1], [0, 2, 0], 0, 20);
    plank.body.setMotionType(PhysicsMotionType.DYNAMIC);
    block(t.scene, [0.1, 1.9, 1], [0, 1, 0]);
    const character = eager(stand(1.5, 2.05 + STANDING));
    character.characterMass = 70;
    const support = walk(character, t.run, 10, Vector3.Zero());
    expect(support.isSurfaceDynamic).toBe(true);
    expect(character.getPosition().y).toBeLessThan(2.05 + STANDING - 0.1);
  });

  it("may be put elsewhere before a step, after it has walked, without pushing what is on the way", () => {
    floor();
    const crate = block(t.scene, [1, 1, 1], [3, 0.5, 0], 0, 1);
    const character = stand(6);
    let frame = 0;
    t.plugin.onBeforeStepObservable.add((step) => {
      const support = character.checkSupport(step, down);
      character.setVelocity(new Vector3(1, 0, 0));
      character.integrate(step, support, gravity);
      if (++frame === 10) character.setPosition(new Vector3(0, STANDING, 0));
    });
    t.run(9);
    const { x } = crate.transformNode.position;
    t.run(20);
    expect(character.getPosition().x).toBeLessThan(1);
    expect(Math.abs(crate.transformNode.position.x - x)).toBeLessThan(1e-3);
  });

  it("may be put elsewhere without pushing what is on the way, and take another shape", () => {
    floor();
    const crate = block(t.scene, [1, 1, 1], [3, 0.5, 0], 0, 1);
    t.run(10);
    const { x } = crate.transformNode.position;
    const character = stand();
    t.run(1);
    character.setPosition(new Vector3(6, STANDING, 0));
    t.run(5);
    expect(Math.abs(crate.transformNode.position.x - x)).toBeLessThan(1e-3);
    expect(t.physics.raycast(new Vector3(6, 1, -5), new Vector3(6, 1, 0)).hasHit).toBe(true);
    character.setShapeOptions({ capsuleHeight: 1.2, capsuleRadius: 0.3 });
    // crouches
    expect(character.getPosition().y).toBeCloseTo(STANDING - 0.3, 9);
    expect(character.footOffset).toBe(0.6);
    character.shape = new PhysicsShapeSphere(Vector3.Zero(), 0.4, t.scene);
    expect(character.shape.getBoundingBox().maximum.y).toBeCloseTo(0.4, 9);
  });

  it("moves by a displacement in the time of a frame", () => {
    floor();
    const character = stand();
    character.moveWithCollisions(new Vector3(0.1, 0, 0));
    expect(character.getPosition().x).toBe(0);
    t.scene.deltaTime = 1000 / 60;
    character.moveWithCollisions(new Vector3(0.1, -1, 0));
    expect(character.getPosition().x).toBeCloseTo(0.1, 6);
    expect(character.getPosition().y).toBeCloseTo(STANDING, 6);
  });

  it("is held where it stands by static friction, and keeps its speed without dynamic friction", () => {
    block(t.scene, [20, 1, 20], [0, 0, 0], 0.3);
    const normal = new Vector3(-Math.sin(0.3), Math.cos(0.3), 0);
    const drift = (settings: Partial<CharacterController>, supportedState?: CharacterSupportedState): number => {
      const character = new CharacterController(normal.scale(0.85).add(new Vector3(0, 0.6, 0)), capsule, t.scene);
      Object.assign(character, settings);
      const start = character.getPosition().clone();
      for (let frame = 0; frame < 20; frame++) {
        character.setVelocity(new Vector3(0, -1, 0));
        const support = character.checkSupport(dt, down);
        character.integrate(dt, { ...support, supportedState: supportedState ?? support.supportedState }, gravity);
      }
      const gone = character.getPosition().subtract(start).length();
      character.dispose();
      return gone;
    };
    // of a path of a third of a meter, the part along the slope
    expect(drift({})).toBeCloseTo(Math.sin(0.3) / 3, 3);
    expect(drift({ staticFriction: 1 })).toBeLessThan(1e-3);
    // it meets the slope, which turns its velocity
    expect(drift({ dynamicFriction: 0 }, unsupported)).toBeCloseTo(1 / 3, 3);
  });

  it("refuses what is no position, size or time, other plugins, and calls after its end", async () => {
    const make = (position: Vector3, options: object) => () => new CharacterController(position, options, t.scene);
    expectRefusal(make(new Vector3(NaN, 0, 0), {}), "non-finite", "position");
    expectRefusal(make(Vector3.Zero(), { capsuleRadius: -1 }), "invalid-argument", "capsuleRadius");
    const character = stand();
    expectRefusal(() => character.setVelocity(new Vector3(0, Infinity, 0)), "non-finite", "setVelocity");
    expectRefusal(
      () => character.integrate(0, character.checkSupport(dt, down), gravity),
      "invalid-argument",
      "deltaTime",
    );
    expectRefusal(() => character.setShapeOptions({ capsuleHeight: 0 }), "invalid-argument", "capsuleHeight");
    expect(character.footOffset).toBe(0.9);
    character.dispose();
    character.dispose();
    expectRefusal(() => character.checkSupport(dt, down), "disposed");
    expect(t.physics.getBodies()).toHaveLength(0);
    t.scene.disablePhysicsEngine();
    t.scene.enablePhysics(gravity, await havokPlugin());
    expectRefusal(make(Vector3.Zero(), {}), "invalid-argument", "HavokPlugin");
  });
});

describe("beside Babylon's controller on Havok", () => {
  it("the same code takes the same ways", async () => {
    const play = (s: PluginScene): number[] => {
      const Controller = s.plugin.name === "HavokPlugin" ? PhysicsCharacterController : CharacterController;
      floor(s.scene);
      block(s.scene, [10, 1, 10], [8, 0, 0], 0.35);
      block(s.scene, [0.5, 4, 10], [-3, 2, 0]);
      const out: number[] = [];
      s.run(1);
      for (const speed of [new Vector3(2, 0, 0), new Vector3(-3, 0, 1)]) {
        const controller: Controller = new Controller(new Vector3(0, 1.4, 0), capsule, s.scene);
        controller.acceleration = 1;
        controller.maxAcceleration = 1000;
        walk(controller, s.run, 40, Vector3.Zero());
        walk(controller, s.run, 120, speed);
        out.push(...controller.getPosition().asArray());
        controller.dispose();
      }
      return out;
    };
    const { pliant, havok } = await onBoth(play);
    pliant.forEach((value, i) => expect(Math.abs(value - havok[i]), `${value}, ${havok[i]}`).toBeLessThan(0.15));
  });
});

describe("collisions of a character", () => {
  it("are told once a frame for each side of a body, not once for each contact", () => {
    floor();
    for (const mass of [1, 20]) {
      const crate = block(t.scene, [1, 1, 1], [1.5, 0.5, 0], 0, mass);
      const character = eager(stand());
      t.run(10);
      let inFrame = 0;
      let told = 0;
      character.onTriggerCollisionObservable.add(() => {
        told++;
        inFrame++;
      });
      for (let frame = 0; frame < 60; frame++) {
        inFrame = 0;
        walk(character, t.run, 1, new Vector3(2, 0, 0));
        expect(inFrame).toBeLessThanOrEqual(1);
      }
      // it reaches the crate after 0.35 s
      expect(told).toBeGreaterThan(10);
      character.dispose();
      crate.dispose();
    }
  });

  it("press a plank with the character's weight, however many contacts it has", () => {
    const plank = block(t.scene, [4, 0.1, 4], [0, -0.05, 0], 0, 10);
    plank.body.setGravityFactor(0);
    const character = stand();
    character.characterMass = 70;
    const support = character.checkSupport(dt, down);
    character.integrate(dt, support, gravity);
    // the impulse m g dt, part of which goes into rotation
    expect(10 * Math.abs(plank.body.getLinearVelocity().y)).toBeCloseTo(70 * 10 * dt, 3);
  });
});

describe("closestVelocity", () => {
  it("is the projection: of random planes no allowed velocity is nearer", () => {
    let seed = 7;
    const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
    const vector = (): Vector3 => new Vector3(random(), random(), random());
    for (let round = 0; round < 200; round++) {
      // all allow the apex of a cone, so that there is a solution
      const apex = vector();
      const planes = Array.from({ length: 5 }, () => {
        const normal = vector().normalize();
        return { normal, bound: normal.dot(apex) - Math.max(0, random()) };
      });
      const wanted = vector().scale(3);
      const found = closestVelocity(planes, wanted);
      for (const { normal, bound } of planes) expect(normal.dot(found)).toBeGreaterThan(bound - 1e-6);
      const distance = Vector3.Distance(found, wanted);
      for (let k = 0; k < 50; k++) {
        const other = k % 2 ? vector().scale(3) : found.add(vector().scale(0.1));
        if (planes.every(({ normal, bound }) => normal.dot(other) >= bound))
          expect(Vector3.Distance(other, wanted)).toBeGreaterThan(distance - 1e-6);
      }
    }
  });

  it("gives in least where there is no way", () => {
    const squeeze = [
      { normal: new Vector3(1, 0, 0), bound: 1 },
      { normal: new Vector3(-1, 0, 0), bound: 1 },
    ];
    const { x } = closestVelocity(squeeze, new Vector3(5, 0, 0));
    expect(Math.abs(x)).toBeLessThanOrEqual(1);
  });
});
