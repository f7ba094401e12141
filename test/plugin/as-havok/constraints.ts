import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { PhysicsConstraintType, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  HingeConstraint,
  LockConstraint,
  PhysicsConstraint,
  PrismaticConstraint,
  SliderConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { makeBody } from "../fixtures";
import { block, boxShape, poseOf, turnOf, velocityOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;

const distance: TwinScene = {
  name: "a pendulum on a distance constraint keeps its length, wherever it hangs",
  play: (t) => {
    const places = [Vector3.Zero(), new Vector3(40, 30, -20)];
    const bobs = places.map((place) => {
      const base = block(t, STATIC, place);
      const bob = block(t, DYNAMIC, place.add(new Vector3(1.2, 0, 0.9)));
      base.addConstraint(bob, new DistanceConstraint(1.5, t.scene));
      return bob;
    });
    t.run(25);
    return {
      lengths: bobs.map((bob, i) => Vector3.Distance(bob.transformNode.position, places[i])),
      ways: bobs.flatMap((bob, i) => bob.transformNode.position.subtract(places[i]).asArray()),
    };
  },
  tolerance: { lengths: 1e-5, ways: 0.03 },
};

const ball: TwinScene = {
  name: "a ball and socket without axes lets a body turn, and holds its pivot",
  play: (t) => {
    const base = block(t, STATIC, Vector3.Zero());
    const bob = block(t, DYNAMIC, new Vector3(1, 0, 0));
    const none = undefined as unknown as Vector3;
    base.addConstraint(bob, new BallAndSocketConstraint(Vector3.Zero(), new Vector3(-1, 0, 0), none, none, t.scene));
    t.run(30);
    return { pose: poseOf(bob) };
  },
  tolerance: { pose: 0.05 },
};

const lacking: TwinScene = {
  name: "a lock whose axes are lacking or of no length holds a body in the same orientation",
  play: (t) => {
    const [none, zero, across] = [undefined, Vector3.Zero(), new Vector3(-2, 1, 0.5)];
    const frames = [
      [none, none],
      [none, new Vector3(0, 0, 2)],
      [new Vector3(0, 0, 1), none],
      [new Vector3(1, 2, 3), none],
      [zero, none],
      [zero, zero],
      [none, zero],
      [zero, new Vector3(1, 0, 0)],
      [zero, new Vector3(1, 2, 3)],
      [new Vector3(0, 1, 0), zero],
      [new Vector3(1, 2, 3), zero],
      [across.cross(new Vector3(1, 2, 3)), across],
    ];
    const bobs = frames.map(([axis, perp], i) => {
      const base = block(t, STATIC, new Vector3(3 * i, 0, 0));
      const bob = block(
        t,
        DYNAMIC,
        base.transformNode.position,
        Quaternion.RotationAxis(new Vector3(0.6, 0, 0.8), 0.4),
      );
      bob.setAngularDamping(1);
      // one side as given, the other plain; and vice versa for every other one
      const [a, b] = i % 2 === 0 ? ["A", "B"] : ["B", "A"];
      const axes = {
        [`axis${a}`]: axis,
        [`perpAxis${a}`]: perp,
        [`axis${b}`]: Vector3.Right(),
        [`perpAxis${b}`]: Vector3.Up(),
      };
      base.addConstraint(bob, new PhysicsConstraint(PhysicsConstraintType.LOCK, axes, t.scene));
      return bob;
    });
    t.run(150);
    return { axes: bobs.flatMap(turnOf) };
  },
  tolerance: { axes: 1e-5 },
};

const kinds: TwinScene = {
  name: "hinge, slider, prismatic, lock and ball: what is pushed every way goes the ways that are free",
  play: (t) => {
    const axis = new Vector3(1, 0.4, 0);
    const [zero, arm] = [Vector3.Zero(), new Vector3(0.5, 0, 0)];
    const bodies = [
      HingeConstraint,
      SliderConstraint,
      PrismaticConstraint,
      LockConstraint,
      BallAndSocketConstraint,
    ].map((Kind, i) => {
      const at = new Vector3(0, 0, 3 * i);
      const bob = block(t, DYNAMIC, at.add(arm));
      bob.setGravityFactor(0);
      block(t, STATIC, at).addConstraint(bob, new Kind(arm, zero, axis, axis, t.scene));
      bob.applyImpulse(new Vector3(0.3, 0.2, 0.4), bob.transformNode.position);
      bob.applyAngularImpulse(new Vector3(0.02, 0.01, -0.01));
      return bob;
    });
    t.run(30);
    return { poses: bodies.flatMap(poseOf), speeds: bodies.flatMap((body) => velocityOf(body)) };
  },
  tolerance: { poses: 1e-5, speeds: 1e-5 },
};

const astray: TwinScene = {
  name: "hinge, slider and prismatic turn a body that is joined astray to where it belongs, not to the opposite",
  play: (t) => {
    const [zero, z] = [Vector3.Zero(), Vector3.Forward()];
    const made = [HingeConstraint, SliderConstraint, PrismaticConstraint].flatMap((Kind, i) =>
      [30, 80, 100, 130, 160, 175].map((degrees, k) => {
        const at = new Vector3(3 * i, 0, 3 * k);
        const about = new Vector3(0.3 * k, 1, 0).normalize();
        const body = block(t, DYNAMIC, at, Quaternion.RotationAxis(about, (degrees * Math.PI) / 180));
        body.setGravityFactor(0);
        body.setAngularDamping(1);
        block(t, STATIC, at).addConstraint(body, new Kind(zero, zero, z, z, t.scene));
        return body;
      }),
    );
    t.run(120);
    return {
      axes: made.flatMap((body) => [...z.applyRotationQuaternion(body.transformNode.rotationQuaternion!).asArray()]),
    };
  },
  tolerance: { axes: 1e-5 },
};

const pendulum: TwinScene = {
  name: "a hinge swings about its axis wherever its pivot is, and a slider runs down its slope",
  play: (t) => {
    const z = Vector3.Forward();
    const swing = block(t, DYNAMIC, new Vector3(1, 0, 0));
    block(t, STATIC, Vector3.Zero()).addConstraint(
      swing,
      new HingeConstraint(Vector3.Zero(), new Vector3(-1, 0, 0), z, z, t.scene),
    );
    const slope = new Vector3(1, -1, 0).normalize();
    const sled = block(t, DYNAMIC, new Vector3(0, 0, 5));
    block(t, STATIC, new Vector3(0, 0, 5)).addConstraint(
      sled,
      new PrismaticConstraint(Vector3.Zero(), Vector3.Zero(), slope, slope, t.scene),
    );
    t.run(35);
    return { swing: poseOf(swing), sled: poseOf(sled) };
  },
  tolerance: { swing: 0.06, sled: 0.04 },
};

const switches: TwinScene = {
  name: "constraints are switched off and on, let their bodies collide or not, tell whom they hold, and go",
  play: (t) => {
    const lock = (collision: boolean, offset: number): LockConstraint => {
      const constraint = new LockConstraint(
        new Vector3(offset, 0, 0),
        Vector3.Zero(),
        Vector3.Right(),
        Vector3.Right(),
        t.scene,
      );
      constraint.options.collision = collision;
      return constraint;
    };
    const make = (z: number): { base: PhysicsBody; body: PhysicsBody } => {
      const base = block(t, STATIC, new Vector3(0, 0, z));
      const body = block(t, DYNAMIC, new Vector3(1, 0, z));
      base.transformNode.name = `base ${z}`;
      body.transformNode.name = `body ${z}`;
      return { base, body };
    };
    const [first, second, third] = [0, 5, 10].map(make);
    const switched = lock(false, 1);
    first.base.addConstraint(first.body, switched);
    const disposed = lock(true, 1);
    second.base.addConstraint(second.body, disposed);
    third.base.addConstraint(third.body, lock(false, 1));
    t.run(10);
    const held = [first, second, third].map(({ body }) => body.transformNode.position.y);
    switched.isEnabled = false;
    const told = [
      String(Boolean(switched.isEnabled)),
      String(Boolean(switched.isCollisionsEnabled)),
      String(Boolean(disposed.isCollisionsEnabled)),
      ...switched
        .getBodiesUsingConstraint()
        .map((pair) => `${pair.parentBody.transformNode.name} ${pair.childBody.transformNode.name}`),
    ];
    disposed.dispose();
    third.base.dispose();
    // bodies that slept against a constraint that was removed
    for (const { body } of [first, second, third])
      body.applyImpulse(new Vector3(0, 0.01, 0), body.transformNode.position);
    t.run(20);
    const fallen = [first, second, third].map(({ body }) => body.transformNode.position.y);
    switched.isEnabled = true;
    t.run(60);
    return { held, told, fallen, back: first.body.transformNode.position.y };
  },
  tolerance: { held: 1e-5, fallen: 0.015, back: 2e-5 },
};

const collisions: TwinScene = {
  name: "bodies of a constraint collide where that says so",
  play: (t) => {
    const pairs = [true, false].map((collision, i) => {
      const [base, body] = [STATIC, DYNAMIC].map((type, k) =>
        makeBody(t.scene, type, boxShape(t, 1), new Vector3(4 * i, 1.2 * k, 0)),
      );
      body.setMassProperties({ mass: 1 });
      const up = Vector3.Up();
      const slide = new PrismaticConstraint(Vector3.Zero(), Vector3.Zero(), up, up, t.scene);
      slide.options.collision = collision;
      base.addConstraint(body, slide);
      return { body, slide };
    });
    t.run(30);
    const first = pairs.map(({ body }) => body.transformNode.position.y);
    return { first, set: pairs.map(({ slide }) => String(Boolean(slide.isCollisionsEnabled))) };
  },
  tolerance: { first: 0.05 },
};

const instances: TwinScene = {
  name: "a constraint holds one thin instance of a body to another",
  play: (t) => {
    const mesh = CreateBox("many", { size: 0.4 }, t.scene);
    mesh.thinInstanceAdd([0, 1, 5].map((x) => Matrix.Translation(x, 0, 0)));
    const many = new PhysicsBody(mesh, DYNAMIC, false, t.scene);
    many.shape = boxShape(t, 0.4);
    many.setMassProperties({ mass: 1 });
    const joint = new BallAndSocketConstraint(
      new Vector3(0.5, 0, 0),
      new Vector3(-0.5, 0, 0),
      Vector3.Right(),
      Vector3.Right(),
      t.scene,
    );
    many.addConstraint(many, joint, 0, 1);
    many.setGravityFactor(0);
    t.run(1);
    many.applyImpulse(new Vector3(0, 0.5, 0), new Vector3(1, 0, 0), 1);
    t.run(30);
    const [a, b, c] = [0, 1, 2].map((i) => many.getObjectCenterWorld(i));
    return { a: [...a.asArray()], b: [...b.asArray()], c: [...c.asArray()], gap: Vector3.Distance(a, b) };
  },
  tolerance: { a: 0.025, b: 0.03, gap: 1.5e-5 },
};

const chain: TwinScene = {
  name: "a chain of balls and sockets hangs from two posts",
  play: (t) => {
    const links = Array.from({ length: 7 }, (_, i) =>
      block(t, i === 0 || i === 6 ? STATIC : DYNAMIC, new Vector3(0.5 * i, 0, 0)),
    );
    for (let i = 0; i < 6; i++) {
      if (i > 0) links[i].setAngularDamping(2);
      links[i].setLinearDamping(0.5);
      links[i].addConstraint(
        links[i + 1],
        new BallAndSocketConstraint(
          new Vector3(0.3, 0, 0),
          new Vector3(-0.3, 0, 0),
          Vector3.Right(),
          Vector3.Right(),
          t.scene,
        ),
      );
    }
    t.run(360);
    return {
      heights: links.map(({ transformNode }) => transformNode.position.y),
      x: links.map(({ transformNode }) => transformNode.position.x),
    };
  },
  tolerance: { heights: 0.04, x: 0.02 },
};

export const constraintScenes: readonly TwinScene[] = [
  distance,
  ball,
  lacking,
  kinds,
  astray,
  pendulum,
  switches,
  collisions,
  instances,
  chain,
];
