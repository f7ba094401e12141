import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { PhysicsMotionType, type IBasePhysicsCollisionEvent } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import { ballShape, boxShape, floor } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;

/** Records events in their order, by the names of the nodes. */
function listen(t: PluginScene, seen: string[]): void {
  const note = ({ type, collider, collidedAgainst, colliderIndex, collidedAgainstIndex }: IBasePhysicsCollisionEvent) =>
    seen.push(
      `${type} ${collider.transformNode.name} ${colliderIndex} ${collidedAgainst.transformNode.name} ${collidedAgainstIndex}`,
    );
  t.plugin.onCollisionObservable.add(note);
  t.plugin.onCollisionEndedObservable.add(note);
  t.plugin.onTriggerCollisionObservable.add(note);
}

const count = (seen: readonly string[], part: string): number => seen.filter((line) => line.startsWith(part)).length;

function drop(t: PluginScene, name: string, at: Vector3, size = 0.5): PhysicsBody {
  const body = makeBody(t.scene, DYNAMIC, boxShape(t, size), at);
  body.transformNode.name = name;
  body.setMassProperties({ mass: 1 });
  body.setCollisionCallbackEnabled(true);
  return body;
}

const perPoint = "two bodies that touch are one collision; Havok tells of each point where they touch";

const rest: TwinScene = {
  name: "a ball and a box that land start, go on in every step, and end when they are lifted",
  play: (t) => {
    floor(t).transformNode.name = "floor";
    const box = drop(t, "box", new Vector3(0, 0.3, 0));
    const ball = makeBody(t.scene, DYNAMIC, ballShape(t, 0.3), new Vector3(3, 0.35, 0));
    ball.transformNode.name = "ball";
    ball.setMassProperties({ mass: 1 });
    ball.setCollisionCallbackEnabled(true);
    const seen: string[] = [];
    listen(t, seen);
    const phases = ["STARTED", "CONTINUED", "FINISHED"];
    const take = (name: string): number[] => phases.map((phase) => count(seen, `COLLISION_${phase} ${name} `));
    t.run(10);
    const [landing, boxLanding] = [take("ball"), take("box")];
    for (const body of [box, ball]) body.setLinearVelocity(new Vector3(0, 6, 0));
    seen.length = 0;
    t.run(10);
    return { landing, boxLanding, leaving: take("ball"), boxLeaving: take("box") };
  },
  tolerance: 0,
  differs: {
    boxLanding: { why: perPoint, pliant: [1, 4, 0] },
    boxLeaving: { why: perPoint, pliant: [0, 0, 1], havok: [0, 0, 4] },
  },
};

const masks: TwinScene = {
  name: "event masks say which events of a body are told",
  play: (t) => {
    floor(t);
    const boxes = [0, 1, 2, 4, 7].map((mask, i) => {
      const box = drop(t, `mask ${mask}`, new Vector3(2 * i - 4, 0.3, 0));
      box.setEventMask(mask);
      return box;
    });
    const seen: string[] = [];
    listen(t, seen);
    t.run(15);
    for (const box of boxes) box.setLinearVelocity(new Vector3(0, 5, 0));
    t.run(10);
    const told = boxes.map(({ transformNode: { name } }) =>
      ["STARTED", "CONTINUED", "FINISHED"]
        .filter((phase) => seen.some((line) => line.startsWith(`COLLISION_${phase} ${name} `)))
        .join(" "),
    );
    return { told, masks: boxes.map((box) => box.getEventMask()) };
  },
  tolerance: 0,
};

const places: TwinScene = {
  name: "nodes are where their bodies are when an event is told; both bodies' own observables are called",
  play: (t) => {
    const ground = floor(t);
    const box = drop(t, "box", new Vector3(0, 3, 0));
    box.setCollisionEndedCallbackEnabled(true);
    const order: string[] = [];
    let height = 0;
    let bottom = 0;
    t.plugin.onCollisionObservable.addOnce(({ point, collider }) => {
      height = box.transformNode.position.y;
      bottom = point!.y - (height - 0.25);
      order.push(`all ${collider.transformNode.name}`);
    });
    box.getCollisionObservable().addOnce(({ collider }) => order.push(`own ${collider === box}`));
    ground.getCollisionObservable().addOnce(({ collider }) => order.push(`ground ${collider === ground}`));
    box.getCollisionEndedObservable().addOnce(({ collider }) => order.push(`ended ${collider === box}`));
    t.run(60);
    box.setLinearVelocity(new Vector3(0, 5, 0));
    t.run(10);
    return { order, height, bottom };
  },
  tolerance: { height: 0.002, bottom: 0.025 },
};

const triggers: TwinScene = {
  name: "triggers tell who enters and leaves once each, and push nobody",
  play: (t) => {
    const shape = boxShape(t, 2);
    shape.isTrigger = true;
    makeBody(t.scene, STATIC, shape, Vector3.Zero()).transformNode.name = "gate";
    const box = drop(t, "box", new Vector3(0, 2, 0));
    const away = drop(t, "away", new Vector3(5, 2, 0));
    const seen: string[] = [];
    listen(t, seen);
    const steps: number[] = [];
    t.plugin.onTriggerCollisionObservable.add(() => steps.push(step));
    let step = 0;
    for (; step < 60; step++) t.run(1);
    return { seen, steps, heights: [box, away].map(({ transformNode }) => transformNode.position.y) };
  },
  tolerance: { heights: 0.04 },
};

const bullets: TwinScene = {
  name: "a trigger tells of what flies through it within a step, at any speed and angle, and not of what flies by",
  play: (t) => {
    const seen: string[] = [];
    let step = 0;
    t.plugin.onTriggerCollisionObservable.add(({ type, collider, collidedAgainst }) => {
      const names = [collider.transformNode.name, collidedAgainst.transformNode.name];
      seen.push(`${names.find((name) => name !== "gate")} ${type} ${step}`);
    });
    const flights = [5, 20, 50, 150].flatMap((speed) =>
      [0, 0.7].flatMap((slant) => [0.11, 0.33, 2.4].map((offset) => ({ speed, slant, offset }))),
    );
    flights.forEach(({ speed, slant, offset }, i) => {
      const at = new Vector3(8 * i, 0, 0);
      const shape = i % 2 === 0 ? boxShape(t, 4, 0.2, 4) : ballShape(t, 0.4);
      shape.isTrigger = true;
      makeBody(t.scene, STATIC, shape, at).transformNode.name = "gate";
      const way = new Vector3(slant, -1, 0).normalize();
      // aimed at the middle, or past it
      const past = new Vector3(0, 0, offset > 1 ? offset : 0);
      const start = at.add(past).subtract(way.scale(1 + offset));
      const body = makeBody(t.scene, DYNAMIC, ballShape(t, 0.1), start);
      body.transformNode.name = `flight ${i}`;
      body.setMassProperties({ mass: 1 });
      body.setGravityFactor(0);
      body.setLinearVelocity(way.scale(speed));
    });
    for (; step < 60; step++) t.run(1);
    const told = flights.map((_, i) => seen.filter((line) => line.startsWith(`flight ${i} `)));
    return {
      kinds: told.map((lines) => lines.map((line) => line.split(" ")[2]).join(" ")),
      steps: told.flatMap((lines) => lines.map((line) => Number(line.split(" ")[3]))),
    };
  },
  tolerance: 0,
};

const order: TwinScene = {
  name: "collisions are told before triggers, in each step",
  play: (t) => {
    floor(t).transformNode.name = "floor";
    const shape = boxShape(t, 4, 1, 4);
    shape.isTrigger = true;
    makeBody(t.scene, STATIC, shape, Vector3.Zero()).transformNode.name = "gate";
    const ball = makeBody(t.scene, DYNAMIC, ballShape(t, 0.3), new Vector3(0, 0.299, 0));
    ball.setMassProperties({ mass: 1 });
    ball.setCollisionCallbackEnabled(true);
    const seen: string[] = [];
    listen(t, seen);
    t.run(2);
    return { seen: seen.map((line) => line.split(" ")[0]) };
  },
  tolerance: 0,
};

const kinds: TwinScene = {
  name: "static and animated bodies tell of dynamic ones, but not of each other",
  play: (t) => {
    const seen: string[] = [];
    const names = ["static", "animated", "dynamic"];
    const types = [STATIC, ANIMATED, DYNAMIC];
    types.forEach((a, i) =>
      types.forEach((b, k) => {
        const at = new Vector3(4 * i, 0, 4 * k);
        const bodies = [a, b].map((type, n) => {
          const body = makeBody(t.scene, type, boxShape(t, 1), at.add(new Vector3(0.4 * n, 0, 0)));
          body.transformNode.name = `${names[i]}-${names[k]}-${n}`;
          body.setGravityFactor(0);
          body.setMassProperties({ mass: 1 });
          return body;
        });
        bodies[0].setCollisionCallbackEnabled(true);
      }),
    );
    t.plugin.onCollisionObservable.add(({ collider }) => seen.push(collider.transformNode.name.slice(0, -2)));
    t.run(3);
    return { pairs: [...new Set(seen)].sort() };
  },
  tolerance: 0,
};

const instances: TwinScene = {
  name: "events of thin instances tell which of them; observables of one hear of it alone",
  play: (t) => {
    floor(t).transformNode.name = "floor";
    const mesh = CreateBox("many", { size: 1 }, t.scene);
    mesh.thinInstanceAdd([0, 1].map((i) => Matrix.Translation(3 * i, 0.6 + 2 * i, 0)));
    const body = new PhysicsBody(mesh, DYNAMIC, false, t.scene);
    body.shape = boxShape(t, 1);
    body.setMassProperties({ mass: 1 });
    body.setEventMask(7, 0);
    body.setEventMask(7, 1);
    const seen: string[] = [];
    listen(t, seen);
    const own: number[] = [];
    body.getCollisionObservable(1).add(({ colliderIndex }) => own.push(colliderIndex));
    t.run(60);
    return {
      started: [...new Set(seen.filter((line) => line.startsWith("COLLISION_STARTED")))],
      own: [...new Set(own)],
    };
  },
  tolerance: 0,
};

const containers: TwinScene = {
  name: "two bodies that touch with several parts of containers are one collision",
  play: (t) => {
    floor(t).transformNode.name = "floor";
    const container = new PhysicsShapeContainer(t.scene);
    for (const x of [-1, 0, 1]) container.addChild(ballShape(t, 0.3), new Vector3(x, 0, 0));
    const sensor = boxShape(t, 3, 2, 1);
    sensor.isTrigger = true;
    container.addChild(sensor, new Vector3(0, 0.5, 0), Quaternion.Identity());
    const body = makeBody(t.scene, DYNAMIC, container, new Vector3(0, 0.5, 0));
    body.transformNode.name = "feet";
    body.setMassProperties({ mass: 1, inertia: new Vector3(1, 1, 1), centerOfMass: Vector3.Zero() });
    body.setCollisionCallbackEnabled(true);
    const seen: string[] = [];
    listen(t, seen);
    t.run(40);
    const kindsOf = (name: string): number => count(seen, name);
    return {
      started: kindsOf("COLLISION_STARTED"),
      entered: kindsOf("TRIGGER_ENTERED"),
      finished: kindsOf("COLLISION_FINISHED"),
      height: body.transformNode.position.y,
    };
  },
  tolerance: { height: 8e-5 },
  differs: { started: { why: perPoint, pliant: 1, havok: 3 } },
};

const gone: TwinScene = {
  name: "an observer may dispose of the body that it is told of",
  play: (t) => {
    floor(t);
    const boxes = [0, 1, 2].map((i) => drop(t, `box ${i}`, new Vector3(2 * i, 0.3, 0)));
    const seen: string[] = [];
    t.plugin.onCollisionObservable.add(({ collider, type }) => {
      seen.push(`${type} ${collider.transformNode.name}`);
      collider.dispose();
    });
    t.run(20);
    return { seen: seen.sort(), left: boxes.filter(({ isDisposed }) => !isDisposed).length };
  },
  tolerance: 0,
};

export const eventScenes: readonly TwinScene[] = [
  rest,
  masks,
  places,
  triggers,
  bullets,
  order,
  kinds,
  instances,
  containers,
  gone,
];
