import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { PhysicsViewer } from "@babylonjs/core/Debug/physicsViewer";
import { Axis } from "@babylonjs/core/Maths/math.axis";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import { PhysicsHelper } from "@babylonjs/core/Physics/physicsHelper";
import {
  PhysicsConstraintType,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { BallAndSocketConstraint, HingeConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { Ragdoll } from "@babylonjs/core/Physics/v2/ragdoll";
import type { Scene } from "@babylonjs/core/scene";
import {
  type IWebXRControllerPhysicsOptions,
  WebXRControllerPhysics,
} from "@babylonjs/core/XR/features/WebXRControllerPhysics";
import type { WebXRInputSource } from "@babylonjs/core/XR/webXRInputSource";
import type { WebXRSessionManager } from "@babylonjs/core/XR/webXRSessionManager";
import "@babylonjs/core/Meshes/instancedMesh";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import "@babylonjs/core/Rendering/edgesRenderer";
import { describe, expect, it } from "vitest";
import { expectSame, onBoth, type PluginScene } from "./both-plugins";
import { testScene } from "./fixtures";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;

function ground(scene: Scene): PhysicsAggregate {
  const mesh = CreateGround("ground", { width: 60, height: 60 }, scene);
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, scene);
}

/** A frame like a scene's, including the work of Babylon's helpers before drawing. */
function frames(t: PluginScene, count: number): void {
  for (let frame = 0; frame < count; frame++) {
    t.run(1);
    t.scene.onBeforeRenderObservable.notifyObservers(t.scene);
  }
}

describe("PhysicsAggregate", () => {
  it("fits the same shapes to meshes, scaled and below parents, and they come to rest in the same places", () =>
    expectSame((t) => {
      ground(t.scene);
      const parent = new TransformNode("parent", t.scene);
      parent.position.set(0, 0.1, 0);
      parent.scaling.setAll(1.5);
      const things: [PhysicsShapeType, Mesh][] = [
        [PhysicsShapeType.SPHERE, CreateSphere("sphere", { diameter: 0.8 }, t.scene)],
        [PhysicsShapeType.BOX, CreateBox("box", { width: 1, height: 0.6, depth: 0.8 }, t.scene)],
        [PhysicsShapeType.CAPSULE, CreateCapsule("capsule", { height: 1.4, radius: 0.3 }, t.scene)],
        [PhysicsShapeType.CYLINDER, CreateCylinder("cylinder", { height: 0.7, diameter: 0.9 }, t.scene)],
        [PhysicsShapeType.CONVEX_HULL, CreateIcoSphere("hull", { radius: 0.4, subdivisions: 2 }, t.scene)],
      ];
      const aggregates = things.map(([type, mesh], k) => {
        mesh.position.set(3 * k, 1, 0);
        if (k % 2) mesh.parent = parent;
        else mesh.scaling.setAll(1.2);
        const options = { mass: 2, friction: 0.5, restitution: 0.1 };
        return new PhysicsAggregate(mesh, type, options, t.scene);
      });
      t.run(120);
      const out = aggregates.flatMap(({ body, transformNode, material }) => [
        transformNode.computeWorldMatrix(true).m[13],
        body.getMassProperties().mass!,
        ...body.getMassProperties().inertia!.asArray(),
        material.friction!,
      ]);
      // a mesh and its children, with a trigger in its way
      const room = CreateBox("room", { size: 2 }, t.scene);
      room.position.set(0, 1, 9);
      const trigger = new PhysicsAggregate(room, PhysicsShapeType.MESH, { mass: 0, isTriggerShape: true }, t.scene);
      let entered = 0;
      t.plugin.onTriggerCollisionObservable.add(({ type }) => (entered += type === "TRIGGER_ENTERED" ? 1 : 0));
      const ball = CreateSphere("ball", { diameter: 0.4 }, t.scene);
      ball.position.set(0, 3, 9);
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1, restitution: 0 }, t.scene);
      t.run(90);
      out.push(ball.position.y, entered > 0 ? 1 : 0, t.physics.getBodies().length);
      trigger.dispose();
      room.dispose();
      things[0][1].dispose();
      return [...out, t.physics.getBodies().length];
    }, 0.02));

  it("of a mesh stands for every thin instance of it", () =>
    expectSame((t) => {
      const out: number[] = [];
      for (const type of [PhysicsShapeType.MESH, PhysicsShapeType.CONVEX_HULL]) {
        const mesh = CreateIcoSphere("rocks", { radius: 1, subdivisions: 2 }, t.scene);
        const turn = Quaternion.RotationAxis(Axis.Y, 0.7);
        const at = [new Vector3(0, 0, 0), new Vector3(4, 0.5, 0), new Vector3(8, 1, 2)];
        mesh.thinInstanceAdd(at.map((place) => Matrix.Compose(Vector3.One(), turn, place)));
        const rocks = new PhysicsAggregate(mesh, type, { mass: 0, friction: 0.5 }, t.scene);
        const balls = at.map((place) => {
          const ball = CreateSphere("ball", { diameter: 0.4 }, t.scene);
          ball.position.copyFrom(place).addInPlaceFromFloats(0, 1.8, 0);
          return new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1, restitution: 0 }, t.scene);
        });
        t.run(30);
        for (const { transformNode } of balls) out.push(transformNode.position.y);
        const { hitPointWorld, bodyIndex } = t.physics.raycast(new Vector3(8.9, 9, 2), new Vector3(8.9, -9, 2));
        out.push(hitPointWorld.y, bodyIndex ?? -1);
        for (const aggregate of [...balls, rocks]) aggregate.dispose();
        mesh.dispose();
      }
      // moving hulls
      ground(t.scene);
      const mesh = CreateIcoSphere("stones", { radius: 0.5, subdivisions: 1 }, t.scene);
      mesh.thinInstanceAdd([Matrix.Translation(0, 2, 0), Matrix.Translation(3, 3, 0)]);
      new PhysicsAggregate(mesh, PhysicsShapeType.CONVEX_HULL, { mass: 3, restitution: 0 }, t.scene);
      t.run(120);
      const matrices = mesh._thinInstanceDataStorage.matrixData!;
      return [...out, matrices[13], matrices[29]];
    }, 0.04));

  it("of an instanced mesh, as hands in WebXR have for their joints", () =>
    expectSame((t) => {
      const source = CreateSphere("joint", { diameter: 1, segments: 4 }, t.scene);
      const instance = source.createInstance("thumb");
      instance.rotationQuaternion = Quaternion.Identity();
      instance.scaling.setAll(0.2);
      instance.position.set(0, 1, 0);
      const { body } = new PhysicsAggregate(instance, PhysicsShapeType.SPHERE, { mass: 0 }, t.scene);
      body.setMotionType(ANIMATED);
      body.disablePreStep = false;
      const ball = CreateSphere("ball", { diameter: 0.2 }, t.scene);
      ball.position.set(0.3, 1, 0);
      const pushed = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0.1, restitution: 0 }, t.scene);
      pushed.body.setGravityFactor(0);
      for (let frame = 0; frame < 20; frame++) {
        instance.position.x += 0.02;
        t.run(1);
      }
      return [body.shape!.getBoundingBox().maximum.x, ball.position.x > 0.55 ? 1 : 0, ball.position.y];
    }, 0.02));
});

describe("PhysicsHelper", () => {
  it("pushes, pulls, lifts and whirls the same", () =>
    expectSame((t) => {
      t.physics.setGravity(Vector3.Zero());
      const helper = new PhysicsHelper(t.scene);
      const out: number[] = [];
      const act = (apply: () => void): void => {
        const bodies = [new Vector3(1, 0, 0), new Vector3(0, 1, 1), new Vector3(-1, 0.5, 0)].map((place, k) => {
          const mesh = CreateBox("box", { size: 0.4 }, t.scene);
          mesh.position.copyFrom(place);
          return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 1 + k }, t.scene);
        });
        const stones = CreateBox("stones", { size: 0.3 }, t.scene);
        stones.thinInstanceAdd([Matrix.Translation(0, 0, -1), Matrix.Translation(0.5, 1.5, -1)]);
        const many = new PhysicsAggregate(stones, PhysicsShapeType.BOX, { mass: 1 }, t.scene);
        t.run(1);
        apply();
        t.run(1);
        for (const { body } of bodies)
          out.push(...body.getLinearVelocity().asArray(), ...body.getAngularVelocity().asArray());
        for (const index of [0, 1]) out.push(...many.body.getLinearVelocity(index).asArray());
        for (const aggregate of [...bodies, many]) {
          aggregate.dispose();
          aggregate.transformNode.dispose();
        }
      };
      act(() => helper.applyRadialExplosionImpulse(Vector3.Zero(), 3, 2));
      act(() => {
        let told = 0;
        helper.applyRadialExplosionForce(Vector3.Zero(), {
          radius: 2,
          strength: 50,
          falloff: 1,
          sphere: { segments: 8, diameter: 1 },
          affectedBodiesCallback: (affected) => (told = affected.length),
          affectedImpostorsCallback: () => undefined,
        });
        out.push(told);
      });
      for (const make of [
        () => helper.gravitationalField(Vector3.Zero(), 3, 40),
        () => helper.updraft(new Vector3(0, -1, 0), 3, 30, 5),
        () => helper.vortex(new Vector3(0, -1, 0), 3, 60, 5),
      ])
        act(() => {
          const event = make()!;
          event.enable();
          t.scene.onBeforeRenderObservable.notifyObservers(t.scene);
          event.disable();
          event.dispose();
        });
      return out;
    }, 3e-3));
});

describe("Ragdoll", () => {
  const LENGTH = 0.5;
  const parts = ["hips", "spine", "head", "thigh", "shin"] as const;

  /** A trunk of three bones upwards and a leg of two, each half a meter. */
  function figure(scene: Scene): { mesh: Mesh; skeleton: Skeleton } {
    const mesh = CreateBox("figure", { size: 0.1 }, scene);
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const up = Matrix.Translation(0, LENGTH, 0);
    const hips = new Bone("hips", skeleton, null, Matrix.Translation(0, 2, 0));
    const spine = new Bone("spine", skeleton, hips, up);
    new Bone("head", skeleton, spine, up.clone());
    const thigh = new Bone("thigh", skeleton, hips, Matrix.Translation(0.2, -LENGTH, 0));
    new Bone("shin", skeleton, thigh, Matrix.Translation(0, -LENGTH, 0));
    mesh.skeleton = skeleton;
    return { mesh, skeleton };
  }

  const joint = PhysicsConstraintType.BALL_AND_SOCKET;
  const config = [
    { bones: ["hips"], size: 0.3, mass: 4 },
    { bones: ["spine"], size: 0.25, mass: 3, joint, min: -0.5, max: 0.5 },
    { bones: ["head"], size: 0.2, mass: 1, joint },
    {
      bones: ["thigh", "shin"],
      width: 0.15,
      depth: 0.15,
      height: 0.35,
      mass: 2,
      rotationAxis: Axis.X,
      min: -1,
      max: 1,
    },
  ];

  it("stands like its bones, falls like a body, keeps together, and its bones follow", async () => {
    const { pliant, havok } = await onBoth((t) => {
      ground(t.scene);
      const { mesh, skeleton } = figure(t.scene);
      const ragdoll = new Ragdoll(skeleton, mesh, config);
      const places = (): number[] => parts.flatMap((_, k) => ragdoll.getAggregate(k).transformNode.position.asArray());
      frames(t, 5);
      const standing = places();
      ragdoll.ragdoll();
      frames(t, 20);
      const falling = places();
      frames(t, 140);
      const gaps = ragdoll.getConstraints().map((constraint) => {
        const [{ parentBody, childBody }] = constraint.getBodiesUsingConstraint();
        const { pivotA, pivotB } = constraint.options;
        const end = (body: typeof parentBody, pivot: Vector3): Vector3 =>
          Vector3.TransformCoordinates(pivot, body.transformNode.computeWorldMatrix(true));
        return Vector3.Distance(end(parentBody, pivotA!), end(childBody, pivotB!));
      });
      const hips = skeleton.bones[0].getAbsolutePosition(mesh);
      const follows = Vector3.Distance(hips, ragdoll.getAggregate(0).transformNode.position);
      const lowest = Math.min(...parts.map((_, k) => ragdoll.getAggregate(k).transformNode.position.y));
      ragdoll.dispose();
      return { standing, falling, gaps, follows, lowest, left: t.physics.getBodies().length };
    });
    pliant.standing.forEach((value, i) => expect(value).toBeCloseTo(havok.standing[i], 4));
    pliant.falling.forEach((value, i) => expect(Math.abs(value - havok.falling[i])).toBeLessThan(0.05));
    expect(pliant.gaps).toHaveLength(4);
    for (const gap of pliant.gaps) expect(gap).toBeLessThan(1e-3);
    expect(pliant.follows).toBeLessThan(1e-2);
    expect(pliant.lowest).toBeGreaterThan(0.07);
    expect(pliant.lowest).toBeLessThan(0.2);
    expect(pliant.left).toBe(havok.left);
  });
});

describe("PhysicsViewer", () => {
  it("shows bodies, instances, inertia and constraints where they are", () =>
    expectSame((t) => {
      const viewer = new PhysicsViewer(t.scene);
      const make = (mesh: Mesh, type: PhysicsShapeType, x: number): PhysicsAggregate => {
        mesh.position.set(x, 3, 0);
        return new PhysicsAggregate(mesh, type, { mass: 1 }, t.scene);
      };
      const aggregates = [
        make(CreateBox("box", { size: 1 }, t.scene), PhysicsShapeType.BOX, 0),
        make(CreateIcoSphere("hull", { radius: 0.5 }, t.scene), PhysicsShapeType.CONVEX_HULL, 2),
        make(CreateBox("mesh", { size: 1 }, t.scene), PhysicsShapeType.MESH, 4),
      ];
      const many = CreateBox("many", { size: 1 }, t.scene);
      many.thinInstanceAdd([Matrix.Translation(6, 3, 0), Matrix.Translation(8, 2, 0)]);
      const instances = new PhysicsAggregate(many, PhysicsShapeType.BOX, { mass: 1 }, t.scene);
      const shown = aggregates.map(({ body }) => viewer.showBody(body)!);
      const shownInstances = viewer.showBody(instances.body) as Mesh;
      const [first, second] = aggregates.map(({ body }) => body);
      const hinge = new HingeConstraint(new Vector3(1, 0, 0), new Vector3(-1, 0, 0), Axis.Z, Axis.Z, t.scene);
      const ball = new BallAndSocketConstraint(Vector3.Zero(), new Vector3(-2, 0, 0), Axis.X, Axis.X, t.scene);
      first.addConstraint(second, hinge);
      second.addConstraint(aggregates[2].body, ball);
      const drawn = [viewer.showConstraint(hinge), viewer.showConstraint(ball)];
      viewer.showInertia(first);
      first.setAngularVelocity(new Vector3(0, 1, 0));
      frames(t, 20);
      const out = shown.flatMap((mesh) => {
        mesh.refreshBoundingInfo({});
        const { minimum, maximum } = mesh.getBoundingInfo().boundingBox;
        return [...mesh.position.asArray(), ...minimum.asArray(), ...maximum.asArray()];
      });
      const matrices = shownInstances._thinInstanceDataStorage.matrixData!;
      out.push(matrices[12], matrices[13], matrices[28], matrices[29], drawn.filter(Boolean).length);
      out.push(viewer.hideBody(first) ? 1 : 0);
      viewer.hideConstraint(hinge);
      aggregates[1].dispose();
      frames(t, 2);
      viewer.dispose();
      return out;
    }, 0.03));
});

describe("the WebXR feature for physics", () => {
  it("lets controllers and the headset push what is in their way", () =>
    expectSame((t) => {
      // the requests of the feature to its session
      const session = {
        scene: t.scene,
        currentTimestamp: 0,
        onXRFrameObservable: new Observable<XRFrame>(),
        enabledFeatures: [],
      };
      const hand = new TransformNode("grip", t.scene);
      hand.rotationQuaternion = Quaternion.Identity();
      hand.position.set(0, 1, 0);
      const controller = { uniqueId: "left", grip: hand, pointer: hand, inputSource: {} };
      const xrInput = {
        controllers: [controller],
        onControllerAddedObservable: new Observable<unknown>(),
        onControllerRemovedObservable: new Observable<unknown>(),
        xrCamera: { globalPosition: new Vector3(0, 1.7, 3), absoluteRotation: Quaternion.Identity() },
      };
      const options = {
        xrInput,
        enableHeadsetImpostor: true,
        headsetImpostorParams: { impostorType: 1, impostorSize: 0.3 },
        physicsProperties: { impostorSize: 0.2, friction: 0.3, restitution: 0.1 },
      };
      const feature = new WebXRControllerPhysics(
        session as unknown as WebXRSessionManager,
        options as unknown as IWebXRControllerPhysicsOptions,
      );
      feature.attach();
      const ball = CreateSphere("ball", { diameter: 0.2 }, t.scene);
      ball.position.set(0.5, 1, 0);
      const pushed = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0.2, restitution: 0 }, t.scene);
      pushed.body.setGravityFactor(0);
      for (let frame = 0; frame < 30; frame++) {
        hand.position.x += 0.02;
        session.currentTimestamp += 1000 / 60;
        session.onXRFrameObservable.notifyObservers({} as XRFrame);
        t.run(1);
      }
      const body = feature.getPhysicsBodyForController(controller as unknown as WebXRInputSource)!;
      const out = [
        body.getMotionType(),
        body.getLinearVelocity().x,
        ball.position.x > 0.75 ? 1 : 0,
        ball.position.y,
        feature.getHeadsetPhysicsAggregate() ? 1 : 0,
        t.physics.getBodies().length,
      ];
      xrInput.onControllerRemovedObservable.notifyObservers(controller);
      feature.detach();
      return [...out, t.physics.getBodies().length];
    }, 0.02));
});

describe("sub-stepping", () => {
  it("cuts frames as the scene says", () =>
    expectSame((t) => {
      const ball = CreateSphere("ball", { diameter: 1 }, t.scene);
      ball.position.y = 100;
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, t.scene);
      const out: number[] = [];
      for (const subTimeStep of [0, 1000 / 240, 1000 / 90]) {
        t.physics.setSubTimeStep(subTimeStep);
        t.physics.setTimeStep(subTimeStep > 0 ? subTimeStep / 1000 : 1 / 60);
        let steps = 0;
        const counter = t.scene.onAfterPhysicsObservable.add(() => steps++);
        for (let frame = 0; frame < 30; frame++) t.scene._advancePhysicsEngineStep(1000 / 60);
        t.scene.onAfterPhysicsObservable.remove(counter);
        out.push(steps, ball.position.y);
      }
      return out;
    }, 0.02));
});

describe("a server without a display", () => {
  it("runs the loop of the scene on a NullEngine, in lockstep", async () => {
    const t = await testScene();
    const { scene } = t;
    const engine = scene.getEngine();
    engine.isDeterministicLockStep = () => true;
    engine.getLockstepMaxSteps = () => 4;
    engine.getTimeStep = () => 1000 / 60;
    const ball = CreateSphere("ball", { diameter: 1 }, scene);
    ball.position.y = 5;
    const { body } = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
    ground(scene);
    let steps = 0;
    t.plugin.onAfterStepObservable.add(() => steps++);
    engine.getDeltaTime = () => 1000 / 60;
    for (let frame = 0; frame < 180; frame++) scene.render();
    expect(steps).toBeGreaterThan(170);
    expect(ball.position.y).toBeCloseTo(0.5, 3);
    expect(body.getMotionType()).toBe(DYNAMIC);
    expect(t.physics.getBodies().filter((other) => other.getMotionType() === STATIC)).toHaveLength(1);
    t.dispose();
  });
});
