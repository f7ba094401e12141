import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ArticulationAggregate,
  ClothAggregate,
  fabrics,
  describeHierarchy,
  loadMjcf,
  loadUrdf,
  PliantError,
  RopeAggregate,
  SoftBodyAggregate,
} from "../../plugin/index";
import { robotArmUrdf } from "../../samples/mechanisms/robot-arm";
import { ArticulatedSimulation, type MechanismDescription } from "../../src/index";
import { expectRefusal, makeSheet, mean, testScene, type TestScene } from "./fixtures";

let test: TestScene;
beforeEach(async () => {
  test = await testScene();
});
afterEach(() => test.dispose());

/** A rod 1 m long that hangs from a hinge at the origin, mass at its end. */
const pendulum: MechanismDescription = {
  name: "pendulum",
  links: [
    {
      name: "rod",
      mass: 2,
      joint: { type: "revolute", name: "hinge", childFrame: { position: [0, 1, 0] }, initialPosition: 0.4 },
      shapes: [{ shape: { type: "sphere", radius: 0.1 } }],
    },
  ],
};

describe("a mechanism in a scene", () => {
  it("moves nodes as the simulation by itself does", () => {
    const aggregate = new ArticulationAggregate(pendulum, {}, test.scene);
    const alone = new ArticulatedSimulation(pendulum, { timeStep: 1 / 480, gravity: [0, -10, 0] });
    const node = aggregate.nodes.get("rod")!;
    expect(node.position.x).toBeCloseTo(Math.sin(0.4), 12);
    test.run(20);
    for (let i = 0; i < 160; i++) alone.step();
    expect(aggregate.getPosition("hinge")[0]).toBe(alone.q[0]);
    expect(aggregate.getVelocity("hinge")[0]).toBe(alone.qd[0]);
    expect(node.position.x).toBeCloseTo(Math.sin(alone.q[0]), 12);
    expect(node.position.y).toBeCloseTo(-Math.cos(alone.q[0]), 12);
    expect(node.rotationQuaternion!.z).toBeCloseTo(Math.sin(alone.q[0] / 2), 12);
  });

  it("has sensors on its links", () => {
    const aggregate = new ArticulationAggregate(pendulum, {}, test.scene);
    const sensor = aggregate.addSensor("rod", {
      position: new Vector3(0, 1, 0),
      rotation: Quaternion.RotationAxis(Vector3.Forward(), Math.PI / 2),
    });
    aggregate.setPosition("hinge", 0);
    test.run(2);
    // The weight of 2 kg pulls at the hinge; the x axis of the sensor points up.
    expect(sensor.force[0]).toBeCloseTo(20, 6);
    expect(sensor.acceleration[0]).toBeCloseTo(10, 6);
    expect(aggregate.getContactForce("rod").length()).toBe(0);
    expectRefusal(() => aggregate.addSensor("tail"), "invalid-argument");
    sensor.dispose();
  });

  it("reaches for a place of the scene", async () => {
    const { mechanism } = await loadUrdf(robotArmUrdf);
    const arm = new ArticulationAggregate(mechanism, { position: new Vector3(3, 0.5, -2) }, test.scene);
    const position = new Vector3(3.3, 0.9, -1.8);
    const rotation = Quaternion.RotationAxis(new Vector3(0.6, 0, -0.8), 2.4);
    const before = [...arm.simulation.q];
    const goal = { link: "tool", point: new Vector3(0, 0.03, 0), position, rotation };
    const { positions, converged } = arm.reach([goal]);
    expect(converged).toBe(true);
    expect([...arm.simulation.q]).toEqual(before);
    for (const [joint, value] of positions) arm.setPosition(joint, value);
    const pose = arm.poseOf("tool");
    const tip = goal.point.applyRotationQuaternion(new Quaternion(...pose.rotation)).add(new Vector3(...pose.position));
    expect(Vector3.Distance(tip, position)).toBeLessThan(1e-5);
    expect(Math.abs(Quaternion.Dot(new Quaternion(...pose.rotation), rotation))).toBeCloseTo(1, 9);
    expect(arm.reach([{ ...goal, position: new Vector3(9, 0, 0) }]).converged).toBe(false);
    expectRefusal(() => arm.reach([{ ...goal, link: "tail" }]), "invalid-argument");
  });

  it("writes to given nodes, under parents as well, and moves with its place", () => {
    const parent = new TransformNode("parent", test.scene);
    parent.position.set(5, 0, 0);
    parent.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), 1);
    const rod = new TransformNode("mine", test.scene);
    rod.parent = parent;
    rod.scaling.setAll(2);
    const rotation = Quaternion.RotationAxis(Vector3.Up(), Math.PI / 2);
    const options = { nodes: { rod }, position: new Vector3(0, 3, 0), rotation };
    const aggregate = new ArticulationAggregate(pendulum, options, test.scene);
    // A quarter turn about y takes x to −z.
    const at = rod.computeWorldMatrix(true).getTranslation();
    [0, 3 - Math.cos(0.4), -Math.sin(0.4)].forEach((value, i) => expect(at.asArray()[i]).toBeCloseTo(value, 6));
    expect(rod.scaling.x).toBe(2);
    aggregate.dispose();
    expect(rod.isDisposed()).toBe(false);
  });

  it("obeys controls, forces and limits", () => {
    const aggregate = new ArticulationAggregate(pendulum, {}, test.scene);
    aggregate.setPosition("hinge", 0);
    // The weight's torque is 2 · 10 · sin q: an upward pull of 20 at the mass carries it at any angle.
    aggregate.setControl("hinge", 10);
    test.run(2);
    expect(aggregate.getPosition("hinge")[0]).toBeGreaterThan(0);
    aggregate.setControl("hinge", [0]);
    aggregate.setPosition("hinge", Math.PI / 6);
    for (let i = 0; i < 10; i++) {
      const { position } = aggregate.poseOf("rod");
      aggregate.applyForce("rod", new Vector3(0, 20, 0), new Vector3(...position));
      test.run(1);
    }
    expect(aggregate.getPosition("hinge")[0]).toBeCloseTo(Math.PI / 6, 9);
    test.run(1);
    expect(aggregate.getVelocity("hinge")[0]).toBeLessThan(0);
  });

  it("is an obstacle for cloth, which pushes it back", () => {
    const table: MechanismDescription = {
      name: "table",
      links: [
        {
          name: "plate",
          mass: 5,
          joint: { type: "prismatic", name: "lift", axis: [0, 1, 0], stiffness: 400, damping: 60, restPosition: 0 },
          shapes: [{ shape: { type: "box", halfExtents: [0.6, 0.05, 0.6] } }],
        },
      ],
    };
    const settled = (withCloth: boolean): number => {
      const aggregate = new ArticulationAggregate(table, {}, test.scene);
      const sheet = makeSheet(test.scene, 0.8, 8, 0.12);
      const cloth = withCloth
        ? new ClothAggregate(sheet, { fabric: { ...fabrics.cotton, areaDensity: 3 }, airDensity: 0 }, test.scene)
        : null;
      test.run(120);
      const height = aggregate.getPosition("lift")[0];
      if (cloth !== null) {
        const lowest = Math.min(...Array.from(cloth.body.latestPositions!).filter((_, i) => i % 3 === 1));
        expect(lowest).toBeGreaterThan(height + 0.04);
      }
      cloth?.dispose();
      aggregate.dispose();
      return height;
    };
    const bare = settled(false);
    expect(bare).toBeCloseTo((-5 * 10) / 400, 2);
    expect(settled(true)).toBeLessThan(bare - 1e-3);
  });

  it("freezes when it turns non-finite, and the scene goes on", () => {
    const aggregate = new ArticulationAggregate(pendulum, {}, test.scene);
    let told: PliantError | undefined;
    aggregate.onFrozenObservable.add((error) => (told = error));
    aggregate.setControl("hinge", 1e308);
    test.run(3);
    expect(told).toBeInstanceOf(PliantError);
    expect(aggregate.isFrozen).toBe(true);
    expect(aggregate.getPosition("hinge").every(Number.isFinite)).toBe(true);
    expect(test.plugin.world.frame).toBe(3);
    aggregate.setControl("hinge", 0);
    aggregate.setPosition("hinge", 0.2);
    test.run(1);
    expect(aggregate.isFrozen).toBe(false);
  });

  it("draws shapes below the nodes of their links, and obeys servos of a file", async () => {
    const text = `<mujoco><worldbody><geom name="floor" type="plane" size="2 2 1"/>
      <body name="rod" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/>
        <geom name="tube" type="capsule" fromto="0 0 0 0.4 0 0" size="0.05" rgba="1 0.5 0 1"/>
        <geom name="lens" type="ellipsoid" size="0.1 0.2 0.1" pos="0.4 0 0" contype="0" conaffinity="0"/></body>
      </worldbody><actuator><position name="drive" joint="hinge" kp="1e5" kv="1e3"/></actuator></mujoco>`;
    const { mechanism, visuals, actuators } = await loadMjcf(text);
    const position = new Vector3(0, 2, 0);
    const meshes = test.scene.meshes.length;
    const aggregate = new ArticulationAggregate(mechanism, { visuals, actuators, position }, test.scene);
    expect(aggregate.visualMeshes.map(({ name }) => name)).toEqual(["floor", "tube", "lens"]);
    aggregate.setActuator("drive", 0.8);
    test.run(60);
    expect(aggregate.getPosition("hinge")[0]).toBeCloseTo(0.8, 3);
    // Ends of the tube: the hinge, and 0.4 m along the turned x.
    const [floor, tube] = aggregate.visualMeshes;
    const { boundingBox } = (tube.computeWorldMatrix(true), tube.getBoundingInfo());
    expect(boundingBox.centerWorld.x).toBeCloseTo(0.2 * Math.cos(0.8), 3);
    expect(boundingBox.centerWorld.z).toBeCloseTo(1 - 0.2 * Math.sin(0.8), 3);
    expect(boundingBox.centerWorld.y).toBeCloseTo(2, 6);
    floor.computeWorldMatrix(true);
    expect(floor.getBoundingInfo().boundingBox.maximumWorld.asArray()).toEqual([2, 4, expect.closeTo(0, 6)]);
    expect(tube.material?.name).toMatch(/1 0.5 0 1/);
    expectRefusal(() => aggregate.setActuator("motor", 0), "invalid-argument", "motor");
    expectRefusal(() => aggregate.setActuator("drive", NaN), "non-finite", "drive");
    aggregate.dispose();
    expect(test.scene.meshes).toHaveLength(meshes);
    const bad = (visual: object) => () =>
      new ArticulationAggregate(mechanism, { visuals: [visual as never] }, test.scene);
    expectRefusal(bad({ link: "arm", shape: { type: "sphere", radius: 1 } }), "invalid-argument", "arm");
    expectRefusal(bad({ shape: { type: "heightfield" } }), "unsupported", "heightfield");
  });

  it("loads from URDF and disposes of what it made", async () => {
    const { mechanism } = await loadUrdf(robotArmUrdf);
    const before = test.scene.transformNodes.length;
    const aggregate = new ArticulationAggregate(mechanism, {}, test.scene);
    expect([...aggregate.nodes.keys()]).toContain("forearm");
    const links = test.plugin.world.rigid.bodies.length;
    expect(links).toBeGreaterThan(5);
    expect(test.plugin.world.colliders.length).toBe(0);
    const cloth = new ClothAggregate(makeSheet(test.scene, 0.2, 2, 5), {}, test.scene);
    test.run(2);
    // one per link, because all its shapes have one friction
    expect(test.plugin.world.colliders.length).toBe(links);
    cloth.dispose();
    let gone = 0;
    aggregate.onDisposeObservable.add(() => gone++);
    aggregate.dispose();
    aggregate.dispose();
    expect([gone, aggregate.isDisposed]).toEqual([1, true]);
    expect(test.plugin.world.rigid.bodies.length).toBe(0);
    test.run(1);
    expect(test.plugin.world.colliders.length).toBe(0);
    expect(test.scene.transformNodes.length).toBe(before);
    expectRefusal(() => aggregate.getPosition("elbow"), "disposed", "table arm");
  });
});

describe("a hierarchy of nodes", () => {
  const build = (): TransformNode => {
    const { scene } = test;
    const base = new TransformNode("base", scene);
    base.position.set(1, 2, 3);
    const arm = CreateBox("arm", { width: 0.1, height: 1, depth: 0.2 }, scene);
    arm.parent = base;
    arm.position.set(0, -0.5, 0);
    const trim = CreateBox("trim", { size: 0.1 }, scene);
    trim.parent = arm;
    trim.position.x = 0.3;
    const hand = CreateBox("hand", { size: 0.2 }, scene);
    hand.parent = trim;
    hand.position.set(-0.3, -0.6, 0);
    return base;
  };

  it("becomes a mechanism: links, frames, boxes and masses", () => {
    const { mechanism, nodes } = describeHierarchy(build(), {
      arm: { joint: { type: "revolute" }, pivot: new Vector3(0, 0.5, 0), density: 500 },
      hand: { joint: { type: "ball" }, mass: 3 },
    });
    expect(mechanism.links.map(({ name, parent, joint }) => [name, parent, joint.type])).toEqual([
      ["arm", undefined, "revolute"],
      ["hand", "arm", "ball"],
    ]);
    const [arm, hand] = mechanism.links;
    expect(arm.joint.parentFrame!.position).toEqual([1, 2, 3]);
    expect(arm.joint.childFrame!.position).toEqual([0, 0.5, 0]);
    expect(arm.mass).toBeCloseTo(500 * (0.1 * 1 * 0.2 + 0.1 ** 3), 5);
    // The trim, 1 of 21 parts, is 0.3 off.
    expect(arm.centerOfMass![0]).toBeCloseTo(0.3 / 21, 6);
    expect(arm.shapes).toHaveLength(2);
    expect(hand.mass).toBe(3);
    expect(hand.inertia![0]).toBeCloseTo((3 * 0.04) / 6, 7);
    expect(hand.joint.parentFrame!.position![1]).toBeCloseTo(-0.6, 6);
    expect(nodes.hand.name).toBe("hand");
  });

  it("swings as it stands", () => {
    const root = build();
    const aggregate = ArticulationAggregate.fromHierarchy(root, {
      arm: { joint: { type: "revolute", axis: [0, 0, 1] }, pivot: new Vector3(0, 0.5, 0) },
      hand: {},
    });
    const hand = aggregate.nodes.get("hand")!;
    const before = hand.getAbsolutePosition().clone();
    expect(before.subtract(new Vector3(1, 0.9, 3)).length()).toBeLessThan(1e-6);
    aggregate.setPosition("arm", Math.PI / 2);
    const after = hand.computeWorldMatrix(true).getTranslation();
    expect(after.subtract(new Vector3(2.1, 2, 3)).length()).toBeLessThan(1e-6);
    test.run(5);
    expect(aggregate.getVelocity("arm")[0]).toBeLessThan(0);
  });

  it("is refused where names do not fit", () => {
    const root = build();
    expectRefusal(() => describeHierarchy(root, { leg: {} }), "invalid-argument", "leg", "exactly one node");
    expectRefusal(() => describeHierarchy(root, {}), "invalid-argument", "at least one");
    expectRefusal(() => describeHierarchy(root, { base: { mass: 0 } }), "invalid-argument", "mass", "positive");
    expectRefusal(
      () => describeHierarchy(root, { arm: { pivot: new Vector3(Number.NaN, 0, 0) } }),
      "non-finite",
      "pivot",
    );
  });
});

describe("rigid bodies beside it", () => {
  it("rest on a link, which feels their weight", () => {
    const tray: MechanismDescription = {
      name: "tray",
      links: [
        {
          name: "tray",
          joint: { type: "prismatic", axis: [0, 1, 0], stiffness: 400, damping: 60 },
          mass: 3,
          inertia: [1, 1, 1, 0, 0, 0],
          shapes: [{ shape: { type: "box", halfExtents: [1, 0.1, 1] } }],
        },
      ],
    };
    const { scene } = test;
    const aggregate = new ArticulationAggregate(tray, {}, scene);
    test.run(240);
    const empty = aggregate.getPosition("tray")[0];
    const g = test.plugin.getGravity().length();
    expect(empty).toBeCloseTo((-3 * g) / 400, 4);
    const box = CreateBox("box", { size: 0.4 }, scene);
    box.position.y = 0.4;
    new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 1, restitution: 0 }, scene);
    test.run(360);
    const loaded = aggregate.getPosition("tray")[0];
    // Hooke
    expect(Math.abs(empty - loaded - g / 400)).toBeLessThan(0.03 * (g / 400));
    expect(Math.abs(box.position.y - loaded - 0.3)).toBeLessThan(2e-3);
    aggregate.dispose();
    test.run(30);
    expect(box.position.y).toBeLessThan(loaded - 0.5);
  });

  it("are swept away by it", () => {
    const { scene } = test;
    test.plugin.setGravity(Vector3.Zero());
    const arm: MechanismDescription = {
      name: "arm",
      links: [
        {
          name: "arm",
          joint: { type: "revolute", axis: [0, 1, 0], initialVelocity: 3 },
          mass: 5,
          inertia: [1, 1, 1, 0, 0, 0],
          shapes: [{ shape: { type: "box", halfExtents: [1, 0.1, 0.1] } }],
        },
      ],
    };
    const aggregate = new ArticulationAggregate(arm, {}, scene);
    const ball = CreateSphere("ball", { diameter: 0.3 }, scene);
    ball.position.set(0.7, 0, -0.8);
    const { body } = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0.5, restitution: 0 }, scene);
    test.run(60);
    expect(body.getLinearVelocity().length()).toBeGreaterThan(1);
    // the ball has gained the angular momentum about the hinge that the arm has lost
    const [x, z] = [ball.position.x, ball.position.z];
    const { x: vx, z: vz } = body.getLinearVelocity();
    const given = 0.5 * (z * vx - x * vz);
    expect(aggregate.getVelocity("arm")[0]).toBeLessThan(2.9);
    expect(Math.abs(3 - aggregate.getVelocity("arm")[0] - given)).toBeLessThan(0.02 * 3);
  });
});

/** A table that stands on a spring of 400 N/m. */
const tableOf = (mass: number, friction?: number): MechanismDescription => ({
  name: "table",
  links: [
    {
      name: "table",
      joint: { type: "prismatic", name: "lift", axis: [0, 1, 0], stiffness: 400, damping: 60 },
      mass,
      inertia: [1, 1, 1, 0, 0, 0],
      shapes: [{ shape: { type: "box", halfExtents: [0.6, 0.1, 0.6] }, friction }],
    },
  ],
});

describe("deformable bodies of each kind and solver", () => {
  type Case = readonly [solver: "gpbd" | "local-global" | "newton", kind: "cube" | "sheet" | "rope", mass: number];

  it.each<Case>([
    ["gpbd", "cube", 1],
    ["local-global", "cube", 1],
    ["newton", "cube", 1],
    ["newton", "cube", 10],
    ["newton", "cube", 0.1],
    ["gpbd", "sheet", 1],
    ["newton", "sheet", 1],
    ["gpbd", "rope", 1],
    ["newton", "rope", 1],
  ])("%s: a %s of %f kg rests on a link, whose spring bears its weight", async (solver, kind, mass) => {
    const { scene } = test;
    const aggregate = new ArticulationAggregate(tableOf(3), {}, scene);
    // its place under load
    aggregate.setPosition("lift", (-(3 + mass) * 10) / 400);
    const top = aggregate.getPosition("lift")[0] + 0.1;
    const options = { solver, ...(solver === "gpbd" && kind !== "cube" && { airDensity: 0 }) };
    let soft: ClothAggregate | SoftBodyAggregate | RopeAggregate;
    if (kind === "cube") {
      const cube = CreateBox("cube", { size: 0.3 }, scene);
      cube.position.y = top + 0.16;
      const material = { density: mass / 0.3 ** 3, youngsModulus: 2e4 * Math.max(1, mass), resolution: 2 };
      soft = new SoftBodyAggregate(cube, { solver, ...material }, scene);
    } else if (kind === "sheet") {
      const fabric = { ...fabrics.cotton, areaDensity: mass / 0.64 };
      soft = new ClothAggregate(makeSheet(scene, 0.8, 6, top + 0.02), { ...options, fabric }, scene);
    } else {
      const path = [new Vector3(-0.4, top + 0.03, 0), new Vector3(0.4, top + 0.03, 0)];
      const density = mass / (0.8 * Math.PI * 0.02 ** 2);
      const rope = {
        ...options,
        solver: solver === "newton" ? solver : "gpbd",
        segments: 8,
        radius: 0.02,
        density,
      } as const;
      soft = new RopeAggregate({ path }, rope, scene);
    }
    test.run(150);
    const sum = soft.body.model.masses.reduce((total, value) => total + value, 0);
    const height = aggregate.getPosition("lift")[0];
    // a body on it pushes it with the next step, so it trembles slightly
    expect(Math.abs(height + ((3 + sum) * 10) / 400)).toBeLessThan(0.03 * ((sum * 10) / 400) + 1e-5);
    const lowest = Math.min(...Array.from(await soft.readPositions()).filter((_, i) => i % 3 === 1));
    expect(lowest).toBeGreaterThan(height + 0.1 - 5e-3);
    expect(lowest).toBeLessThan(height + 0.1 + 0.03);
    aggregate.dispose();
    test.run(30);
    const after = Math.min(...Array.from(await soft.readPositions()).filter((_, i) => i % 3 === 1));
    expect(after).toBeLessThan(height - 0.3);
  });

  it("fall past a link that is not for them", async () => {
    const { scene } = test;
    new ArticulationAggregate(tableOf(3), { collideWithCloth: false }, scene);
    const cubes = (["gpbd", "newton"] as const).map((solver, k) => {
      const cube = CreateBox("cube", { size: 0.2 }, scene);
      cube.position.set(0.3 * k, 0.3, 0);
      return new SoftBodyAggregate(cube, { solver, resolution: 2, youngsModulus: 1e4 }, scene);
    });
    const box = CreateBox("box", { size: 0.2 }, scene);
    box.position.set(-0.3, 0.3, 0);
    new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 1, restitution: 0 }, scene);
    test.run(60);
    expect(box.position.y).toBeGreaterThan(0);
    for (const cube of cubes) expect((await cube.readPositions())[1]).toBeLessThan(-1);
  });

  it("slide on a link, and on each part of it, as its friction says", async () => {
    const { scene } = test;
    test.plugin.setGravity(new Vector3(5, -Math.sqrt(75), 0));
    const [rough, smooth] = [0.15, 0.02].map((friction, k) => ({
      shape: { type: "box", halfExtents: [2, 0.1, 0.4] } as const,
      position: [0, 0, k] as const,
      friction,
    }));
    const ramp: MechanismDescription = {
      name: "ramp",
      links: [{ name: "ramp", mass: 3, inertia: [1, 1, 1, 0, 0, 0], joint: { type: "weld" }, shapes: [rough, smooth] }],
    };
    new ArticulationAggregate(ramp, {}, scene);
    const cubes = (["gpbd", "newton"] as const).flatMap((solver, k) =>
      [0, 1].map((z) => {
        const cube = CreateBox("cube", { size: 0.2 }, scene);
        cube.position.set(-1.5 + 0.5 * k, 0.205, z);
        const material = { youngsModulus: 1e6, density: 500, resolution: 2, friction: 1 };
        return new SoftBodyAggregate(cube, { solver, ...material }, scene);
      }),
    );
    const speeds = async (): Promise<number[]> =>
      Promise.all(
        cubes.map(async ({ body }) => {
          const { velocities } = await body.readState();
          return mean(Float32Array.from(velocities)).x;
        }),
      );
    test.run(30);
    const start = await speeds();
    test.run(30);
    const end = await speeds();
    // g (sin 30° − µ cos 30°), with the geometric mean of the coefficients
    const slides = [rough, smooth].map(({ friction }) => 0.5 * (5 - Math.sqrt(friction) * Math.sqrt(75)));
    [...slides, ...slides].forEach((expected, k) =>
      expect(Math.abs(end[k] - start[k] - expected), `cube ${k}`).toBeLessThan(0.05),
    );
  });
});

describe("bad input", () => {
  it("is refused and changes nothing", () => {
    const { scene, plugin } = test;
    const make = (options: object): ArticulationAggregate => new ArticulationAggregate(pendulum, options, scene);
    expectRefusal(() => make({ maxTimeStep: 0 }), "invalid-argument", "maxTimeStep");
    expectRefusal(() => make({ position: new Vector3(0, Infinity, 0) }), "non-finite", "position");
    expectRefusal(() => make({ nodes: { leg: new TransformNode("leg", scene) } }), "invalid-argument", "leg");
    expectRefusal(() => make({ friction: -1 }), "invalid-argument", "friction");
    const disposed = new TransformNode("rod", scene);
    disposed.dispose();
    expectRefusal(() => make({ nodes: { rod: disposed } }), "disposed", "rod");
    expect(plugin.world.rigid.bodies).toHaveLength(0);
    const aggregate = make({});
    expectRefusal(() => aggregate.setControl("knee", 1), "invalid-argument", "knee");
    expectRefusal(() => aggregate.setControl("hinge", [1, 2]), "invalid-argument", "hinge");
    expectRefusal(() => aggregate.setControl("hinge", Number.NaN), "non-finite", "hinge");
    expectRefusal(() => aggregate.setPosition("hinge", Infinity), "non-finite", "hinge");
    expectRefusal(
      () => aggregate.applyForce("rod", new Vector3(Number.NaN), Vector3.Zero()),
      "non-finite",
      "applyForce",
    );
    expectRefusal(() => aggregate.applyForce("leg", Vector3.Up(), Vector3.Zero()), "invalid-argument", "leg");
    expect(aggregate.getPosition("hinge")).toEqual([0.4]);
  });
});
