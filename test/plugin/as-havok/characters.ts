import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsCharacterController } from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PluginScene } from "../both-plugins";
import type { TwinScene } from "./twin-scene";

const dt = 1 / 60;
const down = new Vector3(0, -1, 0);
const gravity = new Vector3(0, -10, 0);
const SUPPORTED = 2;
const capsule = { capsuleHeight: 1.8, capsuleRadius: 0.3 };

function block(
  t: PluginScene,
  size: readonly number[],
  at: readonly number[],
  options: { tilt?: number; mass?: number; turn?: number } = {},
): PhysicsAggregate {
  const mesh = CreateBox("block", { width: size[0], height: size[1], depth: size[2] }, t.scene);
  mesh.position.set(at[0], at[1], at[2]);
  mesh.rotation.set(0, options.turn ?? 0, options.tilt ?? 0);
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: options.mass ?? 0, friction: 0.5 }, t.scene);
}

const floor = (t: PluginScene): PhysicsAggregate => block(t, [40, 1, 40], [0, -0.5, 0]);

/** Babylon's own controller, that answers at once. */
function controllerAt(t: PluginScene, x: number, y: number): PhysicsCharacterController {
  const controller = new PhysicsCharacterController(new Vector3(x, y, 0), capsule, t.scene);
  controller.acceleration = 1;
  controller.maxAcceleration = 1000;
  return controller;
}

/** Frames as Babylon's examples have them. Returns the states of support that it went through. */
function walk(t: PluginScene, controller: PhysicsCharacterController, frames: number, speed: Vector3): string[] {
  const states: string[] = [];
  const forward = speed.length() > 0 ? speed.normalizeToNew() : Vector3.Right();
  for (let frame = 0; frame < frames; frame++) {
    const support = controller.checkSupport(dt, down);
    const state = String(support.supportedState);
    if (states.at(-1) !== state) states.push(state);
    const velocity = controller.getVelocity().clone();
    if ((support.supportedState as number) === SUPPORTED)
      controller.setVelocity(
        controller.calculateMovement(
          dt,
          forward,
          support.averageSurfaceNormal,
          velocity,
          support.averageSurfaceVelocity,
          speed,
          controller.up,
        ),
      );
    else controller.setVelocity(velocity.add(gravity.scale(dt)));
    controller.integrate(dt, support, gravity);
    t.run(1);
  }
  return states;
}

const onTheFloor: TwinScene = {
  name: "Babylon's controller falls, lands, walks, and slides along a wall",
  play: (t) => {
    floor(t);
    block(t, [1, 4, 40], [2.5, 2, 0]);
    t.run(1);
    const controller = controllerAt(t, 0, 2);
    const states = walk(t, controller, 60, Vector3.Zero());
    const landed = controller.getPosition().asArray();
    walk(t, controller, 90, new Vector3(3, 0, 1));
    const walked = controller.getPosition().asArray();
    controller.dispose();
    return { states, landed, walked };
  },
  tolerance: { landed: 2e-3, walked: 0.02 },
};

const slopesAndSteps: TwinScene = {
  name: "Babylon's controller climbs slopes and steps that it may, and no others",
  play: (t) => {
    floor(t);
    block(t, [10, 1, 4], [6, 0, 0], { tilt: 0.35 });
    block(t, [4, 1, 4], [-4, -0.2, 0]);
    t.run(1);
    const climb = (maxStepHeight: number, speed: number): number[] => {
      const controller = controllerAt(t, 0, 0.95);
      controller.maxStepHeight = maxStepHeight;
      walk(t, controller, 100, new Vector3(speed, 0, 0));
      const place = controller.getPosition().asArray();
      controller.dispose();
      return place;
    };
    return { slope: climb(0, 2), step: climb(0.35, -2), blocked: climb(0.1, -2) };
  },
  tolerance: 0.05,
};

const pushing: TwinScene = {
  name: "Babylon's controller pushes a crate and tells of it",
  play: (t) => {
    floor(t);
    const crate = block(t, [1, 1, 1], [1.5, 0.5, 0], { mass: 20 });
    t.run(10);
    const controller = controllerAt(t, 0, 0.95);
    let told = 0;
    let own = true;
    controller.onTriggerCollisionObservable.add(({ collider }) => {
      told++;
      own &&= collider === crate.body;
    });
    walk(t, controller, 60, new Vector3(2, 0, 0));
    const place = controller.getPosition().asArray();
    controller.dispose();
    return { own: String(own), told, place, crate: crate.transformNode.position.asArray() };
  },
  // the controller stops for a frame now and then as it pushes: which frames depends on the contact that comes first
  tolerance: { told: 6, place: 0.2, crate: 0.05 },
};

const removed: TwinScene = {
  name: "Babylon's controller falls when its ground is disposed, and rides a lift",
  play: (t) => {
    const ground = floor(t);
    t.run(1);
    const controller = controllerAt(t, 0, 0.95);
    walk(t, controller, 10, Vector3.Zero());
    ground.dispose();
    const states = walk(t, controller, 10, Vector3.Zero());
    const lift = block(t, [4, 1, 4], [0, -1.5, 0]);
    lift.body.setMotionType(PhysicsMotionType.ANIMATED);
    walk(t, controller, 40, Vector3.Zero());
    lift.body.setLinearVelocity(new Vector3(0, 0.5, 0));
    walk(t, controller, 60, Vector3.Zero());
    const height = controller.getPosition().y - lift.transformNode.position.y;
    controller.dispose();
    return { states, height };
  },
  tolerance: { height: 0.05 },
};

/** Scenes with Babylon's own `PhysicsCharacterController`. */
export const characterScenes: readonly TwinScene[] = [onTheFloor, slopesAndSteps, pushing, removed];
