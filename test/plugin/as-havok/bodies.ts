import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
  PhysicsActivationControl,
  PhysicsMotionType,
  PhysicsPrestepType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import { ballShape, block, boxShape, floor, placeOf, velocityOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { DYNAMIC } = PhysicsMotionType;

/** Both plugins have all members of HavokPlugin. */
const pluginOf = (t: PluginScene): HavokPlugin => t.plugin as HavokPlugin;

const fall: TwinScene = {
  name: "bodies fall by gravity, gravity factor and damping",
  play: (t) => {
    t.physics.setGravity(new Vector3(1, -8, 0));
    const bodies = [1, 0, -0.5, 3].map((factor, i) => {
      const body = block(t, DYNAMIC, new Vector3(3 * i, 0, 0));
      body.setGravityFactor(factor);
      body.setLinearDamping(0.3 * i);
      body.setAngularDamping(0.2 * i);
      body.setAngularVelocity(new Vector3(0, 4, 0));
      return body;
    });
    t.run(60);
    return {
      settings: bodies.flatMap((body) => [
        body.getGravityFactor(),
        body.getLinearDamping(),
        body.getAngularDamping(),
        ...pluginOf(t).getGravity().asArray(),
      ]),
      places: bodies.flatMap(placeOf),
      velocities: bodies.flatMap((body) => velocityOf(body)),
    };
  },
  tolerance: { settings: 1e-6, places: 0.1, velocities: 0.1 },
};

const pushes: TwinScene = {
  name: "impulses and forces, on and off the centre, of a body with a centre and moments of its own",
  play: (t) => {
    const make = (i: number): PhysicsBody => {
      const body = block(t, DYNAMIC, new Vector3(4 * i, 0, 0), Quaternion.RotationAxis(Vector3.Right(), 0.5));
      body.setGravityFactor(0);
      body.setMassProperties({
        mass: 2,
        centerOfMass: new Vector3(0.1, 0.2, 0),
        inertia: new Vector3(0.1, 0.3, 0.2),
        inertiaOrientation: Quaternion.RotationAxis(Vector3.Up(), 0.6),
      });
      return body;
    };
    const bodies = [0, 1, 2, 3].map(make);
    const at = new Vector3(0.2, 0.1, 0.3);
    const [impulse, force, angular, torque] = bodies;
    t.run(1);
    impulse.applyImpulse(new Vector3(1, 2, 3), at);
    angular.applyAngularImpulse(new Vector3(0.1, -0.2, 0.05));
    for (let i = 0; i < 6; i++) {
      force.applyForce(new Vector3(10, 0, 5), at.add(new Vector3(4, 0, 0)));
      torque.applyTorque(new Vector3(0.5, 0.2, -0.4));
      t.run(1);
    }
    return { velocities: bodies.flatMap((body) => velocityOf(body)), places: bodies.flatMap(placeOf) };
  },
  tolerance: { velocities: 0.06, places: 0.0075 },
};

const limits: TwinScene = {
  name: "velocities keep to the limits of the plugin",
  play: (t) => {
    t.physics.setVelocityLimits(5, 3);
    const body = block(t, DYNAMIC, Vector3.Zero());
    body.setGravityFactor(0);
    t.run(1);
    body.applyImpulse(new Vector3(30, 0, 0), body.transformNode.position);
    body.applyAngularImpulse(new Vector3(0, 2, 0));
    t.run(5);
    return {
      limits: [t.physics.getMaxLinearVelocity(), t.physics.getMaxAngularVelocity()],
      velocity: velocityOf(body),
    };
  },
  tolerance: { velocity: 1e-5 },
};

const masses: TwinScene = {
  name: "mass properties from shapes and densities, and what is set in their place",
  play: (t) => {
    const heavy = boxShape(t, 1, 2, 3);
    t.plugin.setDensity(heavy, 250);
    const bodies = [ballShape(t), heavy].map((shape, i) => makeBody(t.scene, DYNAMIC, shape, new Vector3(5 * i, 0, 0)));
    const list = (body: PhysicsBody): number[] => {
      const { mass, centerOfMass, inertia } = body.getMassProperties();
      return [mass!, ...centerOfMass!.asArray(), ...inertia!.asArray()];
    };
    const computed = bodies.map((body) => body.computeMassProperties());
    const before = bodies.flatMap(list);
    bodies[1].setMassProperties({ ...computed[1], mass: 7 });
    return {
      density: t.plugin.getDensity(heavy),
      computed: computed.flatMap(({ mass, inertia }) => [Math.log(mass!), ...inertia!.asArray()]),
      before: before.map((value) => Math.sign(value) * Math.log1p(Math.abs(value))),
      after: list(bodies[1]),
    };
  },
  tolerance: { computed: 1e-5, before: 1e-5, after: 1e-5 },
};

const parents: TwinScene = {
  name: "a body below a moved, turned and scaled parent is where it is in the world",
  play: (t) => {
    const parent = new TransformNode("parent", t.scene);
    parent.position.set(1, 2, 3);
    parent.rotation.set(0.3, 0.5, 0);
    parent.scaling.setAll(2);
    const node = new TransformNode("child", t.scene);
    node.parent = parent;
    node.position.set(1, 0, 0);
    const body = new PhysicsBody(node, DYNAMIC, false, t.scene);
    body.shape = ballShape(t);
    body.setMassProperties({ mass: 1 });
    t.run(30);
    node.computeWorldMatrix(true);
    return { world: [...node.absolutePosition.asArray()], local: [...node.position.asArray()] };
  },
  tolerance: { world: 0.02, local: 0.009 },
};

const instances: TwinScene = {
  name: "thin instances are bodies of their own: pushes, settings, and more or fewer of them",
  play: (t) => {
    const mesh = CreateBox("many", { size: 1 }, t.scene);
    mesh.position.set(0, 1, 0);
    mesh.thinInstanceAdd([0, 1, 2].map((i) => Matrix.Translation(3 * i, 0, 0)));
    const body = new PhysicsBody(mesh, DYNAMIC, false, t.scene);
    body.shape = boxShape(t, 1);
    body.setMassProperties({ mass: 2 });
    body.setMassProperties({ mass: 4 }, 1);
    body.setGravityFactor(0, 2);
    body.setLinearDamping(1, 2);
    t.run(1);
    body.applyImpulse(new Vector3(0, 8, 0), new Vector3(3, 1, 0), 1);
    body.setLinearVelocity(new Vector3(0, 0, 1), 2);
    t.run(20);
    const at = (i: number): number[] => [...body.getObjectCenterWorld(i).asArray()];
    const first = [0, 1, 2].flatMap(at);
    mesh.thinInstanceAdd(Matrix.Translation(9, 0, 0));
    body.updateBodyInstances();
    t.run(10);
    const second = [0, 1, 2, 3].flatMap(at);
    return {
      count: [body.numInstances, pluginOf(t).numBodies],
      masses: [0, 1, 3].map((i) => body.getMassProperties(i).mass!),
      first,
      second,
      speeds: [0, 1, 2].flatMap((i) => velocityOf(body, i)),
    };
  },
  tolerance: { first: 0.015, second: 0.02, speeds: 0.015 },
};

const sleeping: TwinScene = {
  name: "a body that starts asleep hangs in the air until it is touched; one that may not sleep falls",
  play: (t) => {
    const asleep = [0, 1].map((i) => {
      const node = new TransformNode("asleep", t.scene);
      node.position.set(3 * i, 2, 0);
      node.rotationQuaternion = Quaternion.Identity();
      const body = new PhysicsBody(node, DYNAMIC, true, t.scene);
      body.shape = boxShape(t, 0.5);
      body.setMassProperties({ mass: 1 });
      return body;
    });
    pluginOf(t).setActivationControl(asleep[1], PhysicsActivationControl.ALWAYS_ACTIVE);
    t.run(20);
    const hanging = asleep.map(({ transformNode }) => transformNode.position.y > 1.99);
    asleep[0].applyImpulse(new Vector3(0, 0, 0.1), asleep[0].transformNode.position);
    t.run(20);
    return { hanging: hanging.map(String), height: asleep[0].transformNode.position.y };
  },
  tolerance: { height: 0.015 },
};

const aggregates: TwinScene = {
  name: "aggregates of every shape stand on a floor, are copied, counted and taken away",
  play: (t) => {
    floor(t);
    const kinds = [
      PhysicsShapeType.BOX,
      PhysicsShapeType.SPHERE,
      PhysicsShapeType.CYLINDER,
      PhysicsShapeType.CAPSULE,
      PhysicsShapeType.CONVEX_HULL,
    ];
    const made = kinds.map((kind, i) => {
      const mesh = CreateBox("crate", { size: 1 }, t.scene);
      mesh.position.set(2 * i - 4, 0.55, 0);
      return new PhysicsAggregate(mesh, kind, { mass: 1, friction: 0.6, restitution: 0.1 }, t.scene);
    });
    const copy = made[0].body.clone(new TransformNode("copy", t.scene));
    copy.transformNode.position.set(0, 0.55, 4);
    copy.setPrestepType(PhysicsPrestepType.TELEPORT);
    t.run(1);
    copy.setPrestepType(PhysicsPrestepType.DISABLED);
    t.run(120);
    const heights = [...made.map(({ body }) => body), copy].map(({ transformNode }) => transformNode.position.y);
    const counts = [pluginOf(t).numBodies];
    made[1].dispose();
    copy.dispose();
    t.run(2);
    counts.push(pluginOf(t).numBodies);
    return { heights, counts, types: made.map(({ shape }) => shape.type) };
  },
  tolerance: { heights: 8e-5 },
};

const settings: TwinScene = {
  name: "settings of the plugin are what they were set to; a time step of zero stops all",
  play: (t) => {
    const plugin = pluginOf(t);
    const body = block(t, DYNAMIC, Vector3.Zero());
    plugin.setMaxQueryCollectorHits(7);
    t.run(20);
    const before = body.transformNode.position.y;
    t.physics.setTimeStep(0);
    const stopped = t.physics.getTimeStep();
    t.physics.setTimeStep(1 / 60);
    t.run(1);
    return {
      name: String(t.physics.getPhysicsPluginName().endsWith("Plugin")),
      hits: plugin.getMaxQueryCollectorHits(),
      stopped,
      way: body.transformNode.position.y - before,
    };
  },
  tolerance: { hits: 0.01, way: 6.5e-4 },
  differs: { hits: { why: "HavokPlugin does not keep the number that it is given", pliant: 7, havok: 1 } },
};

export const bodyScenes: readonly TwinScene[] = [
  fall,
  pushes,
  limits,
  masses,
  parents,
  instances,
  sleeping,
  aggregates,
  settings,
];
