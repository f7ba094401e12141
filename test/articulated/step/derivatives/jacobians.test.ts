import { describe, expect, it } from "vitest";
import type { LinkDescription, LinkShape, MechanismDescription } from "../../../../src/articulated/description";
import { RowClass } from "../../../../src/articulated/lcp/problem";
import { ArticulatedSimulation } from "../../../../src/articulated/step/simulation";
import type { SimulationOptions } from "../../../../src/articulated/step/options";
import type { StepParameter } from "../../../../src/articulated/step/derivatives/parameters";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import { RandomGeometry } from "../../../collision/random";
import { jointBetween, jointTypes, randomLink, randomState, randomTree } from "../../random-mechanism";
import { blockError, stackJacobians, stepDifferences } from "../differences";

function errorOf(simulation: ArticulatedSimulation, h = 1e-3): number {
  const numeric = stepDifferences(simulation, h);
  return blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv);
}

function parametersOf(description: MechanismDescription): StepParameter[] {
  return description.links.flatMap(({ name }): StepParameter[] => [
    { kind: "mass", link: name },
    { kind: "center-of-mass", link: name, component: 1 },
    { kind: "inertia", link: name, component: 3 },
    { kind: "parent-offset", link: name, direction: [0.3, 0.8, -0.5] },
    { kind: "child-offset", link: name, direction: [0.1, -0.4, 0.7] },
  ]);
}

describe("Jacobians of a step without contact", () => {
  const random = new RandomGeometry(3);
  it.each(jointTypes)("%s joint: all by differences to 1e-8, parameters included", (type) => {
    const description = jointBetween(random, type);
    const simulation = new ArticulatedSimulation(description, { timeStep: 0.01 });
    simulation.setParameters(parametersOf(description));
    setState(simulation, random);
    expect(errorOf(simulation, 0.05)).toBeLessThan(1e-8);
  });

  it.each([12, 30])("random trees with %i degrees of freedom", (least) => {
    const simulation = new ArticulatedSimulation(randomTree(random, least), { timeStep: 0.005 });
    setState(simulation, random);
    expect(errorOf(simulation, 0.02)).toBeLessThan(1e-8);
  });

  it("across the change of a long rotation vector", () => {
    const simulation = new ArticulatedSimulation(
      { name: "top", links: [randomLink(random, "free", "top", undefined)] },
      { timeStep: 0.01 },
    );
    setState(simulation, random);
    simulation.q.set([2.4, 2.3, 2.5]);
    const before = simulation.q[0];
    expect(errorOf(simulation, 0.02)).toBeLessThan(1e-8);
    simulation.step();
    expect(Math.sign(simulation.q[0])).toBe(-Math.sign(before));
  });
});

function setState(simulation: ArticulatedSimulation, random: RandomGeometry): void {
  const { q, qd, tau } = randomState(random, simulation.model);
  simulation.q.set(q);
  simulation.qd.set(qd);
  simulation.control.set(tau);
}

const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] }];
const shapes: readonly (readonly [string, ColliderShape])[] = [
  ["sphere", { type: "sphere", radius: 0.25 }],
  ["capsule", { type: "capsule", pointA: [-0.3, 0, 0], pointB: [0.3, 0.05, 0.1], radius: 0.2 }],
  ["box", { type: "box", halfExtents: [0.3, 0.2, 0.25] }],
  [
    "hull",
    { type: "convex-hull", positions: [0.3, 0, 0, -0.2, 0.25, 0, -0.2, -0.2, 0.1, 0, 0, 0.35, 0.05, 0.05, -0.3] },
  ],
];

/** A body with joints behind it, its shape pressed into the floor by 1 mm, moving along the floor with `slide`. */
function onTheFloor(
  shape: ColliderShape,
  random: RandomGeometry,
  slide: number,
  fall: number,
  options: SimulationOptions,
): ArticulatedSimulation {
  const links: LinkDescription[] = [
    { ...randomLink(random, "free", "body", undefined), shapes: [{ shape }] },
    randomLink(random, "revolute", "arm", "body"),
    randomLink(random, "ball", "hand", "arm"),
  ];
  const plain = { ...links[0].joint, parentFrame: {}, childFrame: {} };
  const description = { name: "walker", links: [{ ...links[0], joint: plain }, ...links.slice(1)] };
  const simulation = new ArticulatedSimulation(description, { timeStep: 0.01, ground: floor, ...options });
  const { nv, q, qd, control } = simulation;
  for (let k = 0; k < nv; k++) {
    q[k] = random.between(-0.4, 0.4);
    qd[k] = 0.2 * random.between(-1, 1);
    control[k] = random.between(-1, 1);
  }
  q[4] = 2;
  const [outQ, outQd] = [new Float64Array(nv), new Float64Array(nv)];
  let [low, high] = [0, 2];
  for (let i = 0; i < 50; i++) {
    q[4] = (low + high) / 2;
    simulation.advance(q, qd, control, outQ, outQd);
    if (simulation.contacts.count > 0) low = q[4];
    else high = q[4];
  }
  q[4] = low - 0.001;
  qd[3] = slide;
  qd[5] = -0.7 * slide;
  qd[4] = fall;
  return simulation;
}

function classesOf(simulation: ArticulatedSimulation): number[] {
  const { lcp, rows } = simulation.contactStep;
  return [...lcp.classes.subarray(0, rows.count)];
}

describe("Jacobians of a step with contact", () => {
  it.each(shapes)("a %s that sticks to the floor", (_, shape) => {
    const simulation = onTheFloor(shape, new RandomGeometry(5), 0, -1, { friction: 5 });
    expect(errorOf(simulation, 2e-4)).toBeLessThan(1e-6);
    expect(classesOf(simulation)).toContain(RowClass.Clamping);
    expect(classesOf(simulation)).not.toContain(RowClass.Upper);
  });

  it.each(shapes)("a %s that slides over the floor, friction and link lengths included", (_, shape) => {
    const simulation = onTheFloor(shape, new RandomGeometry(6), 3, -0.5, { friction: 0.3 });
    simulation.setParameters([
      { kind: "friction" },
      { kind: "friction", link: "body" },
      { kind: "mass", link: "arm" },
      { kind: "parent-offset", link: "arm", direction: [0, 1, 0.5] },
      { kind: "child-offset", link: "body", direction: [0.2, 1, 0.5] },
    ]);
    simulation.shiftParameter({ kind: "friction", link: "body" }, 0.1);
    expect(errorOf(simulation, 2e-4)).toBeLessThan(1e-6);
    const classes = classesOf(simulation);
    expect(classes.some((c) => c === RowClass.Upper || c === RowClass.Lower)).toBe(true);
  });

  it.each(shapes)("a %s that bounces off the floor: the discrete step", (_, shape) => {
    const simulation = onTheFloor(shape, new RandomGeometry(8), 1, -2, {
      restitution: 0.8,
      friction: 0.4,
      bounceGradients: "discrete",
    });
    expect(errorOf(simulation, 2e-4)).toBeLessThan(1e-6);
    expect([...simulation.contactStep.rows.restitution.subarray(0, 3)].some((e) => e > 0)).toBe(true);
  });

  it.each(shapes)("a %s with penetration correction", (_, shape) => {
    const simulation = onTheFloor(shape, new RandomGeometry(9), 0.5, -0.1, { penetrationCorrection: 0.2, friction: 1 });
    expect(errorOf(simulation, 2e-4)).toBeLessThan(1e-6);
  });

  it("two links that touch each other", () => {
    for (const [, shape] of shapes) {
      const random = new RandomGeometry(12);
      const link = (name: string): LinkDescription => ({
        ...randomLink(random, "free", name, undefined),
        joint: { type: "free" },
        shapes: [{ shape }],
      });
      const simulation = new ArticulatedSimulation(
        { name: "pair", links: [link("a"), randomLink(random, "universal", "tail", "a"), link("b")] },
        { timeStep: 0.01, friction: 0.4 },
      );
      const found = approach(simulation, random);
      expect(found).toBe(true);
      expect(errorOf(simulation, 2e-4)).toBeLessThan(1e-6);
      expect(simulation.contactStep.lcp.f.some((f) => f > 0)).toBe(true);
    }
  });

  it("a contact that is tied has the derivative of either side, as asked for (4.2)", () => {
    for (const [tiedContacts, expected] of [
      ["separating", 1],
      ["clamping", 0],
    ] as const) {
      const ball: LinkDescription = {
        name: "ball",
        joint: { type: "prismatic", axis: [0, 1, 0], initialPosition: 0.25 },
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0],
        shapes: [{ shape: { type: "sphere", radius: 0.25 } }],
      };
      const simulation = new ArticulatedSimulation(
        { name: "ball", links: [ball] },
        { ground: floor, gravity: [0, 0, 0], tiedContacts },
      );
      simulation.step();
      expect(classesOf(simulation)).toEqual([RowClass.Tied]);
      expect(simulation.jacobians().velocityByVelocity[0]).toBe(expected);
    }
  });

  it("limits of joints", () => {
    const random = new RandomGeometry(13);
    const description = randomTree(random, 12, ["revolute", "prismatic", "universal"]);
    const links = description.links.map((link) => ({ ...link, joint: { ...link.joint, lower: -0.5, upper: 0.5 } }));
    const simulation = new ArticulatedSimulation(
      { name: "limited", links },
      { timeStep: 0.01, limits: true, penetrationCorrection: 0.1 },
    );
    setState(simulation, random);
    expect(errorOf(simulation, 1e-3)).toBeLessThan(1e-7);
    expect(classesOf(simulation)).toContain(RowClass.Clamping);
  });
});

/** Places the second body (last six coordinates) so that it just touches the first, with the two approaching. */
function approach(simulation: ArticulatedSimulation, random: RandomGeometry): boolean {
  const { nv, q, qd, control } = simulation;
  const [outQ, outQd] = [new Float64Array(nv), new Float64Array(nv)];
  setState(simulation, random);
  const to = nv - 3;
  const d = random.direction();
  const place = (distance: number): number => {
    for (let c = 0; c < 3; c++) q[to + c] = q[3 + c] + distance * d[c];
    simulation.advance(q, qd, control, outQ, outQd);
    return simulation.contacts.count;
  };
  let [near, far] = [0.2, 2];
  for (let i = 0; i < 40; i++) {
    const middle = (near + far) / 2;
    if (place(middle) > 0) near = middle;
    else far = middle;
  }
  for (let c = 0; c < 3; c++) qd[to + c] = qd[3 + c] - 3 * d[c];
  return place(near - 0.001) > 0;
}

describe("Jacobians of a step with every joint", () => {
  // Spheres on the links, each pressed by 1 mm into a sphere of the world or of another tree.
  function inTouch(description: MechanismDescription, random: RandomGeometry, friction: number): ArticulatedSimulation {
    const radius = 0.2;
    // Not more contacts than the mechanism can answer: a wedged one does not move, and its Jacobians are noise.
    const touching = description.links.map(({ name }) => name).filter((_, i) => i % 3 === 2);
    const links = description.links.map((link) =>
      touching.includes(link.name) ? { ...link, shapes: [{ shape: { type: "sphere", radius } as const }] } : link,
    );
    const probe = new ArticulatedSimulation({ name: description.name, links });
    setState(probe, random);
    probe.advance(probe.q, probe.qd, probe.control, new Float64Array(probe.nv), new Float64Array(probe.nv));
    const { linkPosition, velocity } = probe.contactStep.scratch;
    const ground = touching.map((name): LinkShape => {
      const at = 3 * probe.model.linkIndex(name);
      const [w, v] = [velocity.subarray(2 * at, 2 * at + 3), velocity.subarray(2 * at + 3, 2 * at + 6)];
      const p = linkPosition.subarray(at, at + 3);
      const e = random.direction();
      // Ahead of the link, so that the link hits it.
      const ahead = [0, 1, 2].map((c) => v[c] + w[(c + 1) % 3] * p[(c + 2) % 3] - w[(c + 2) % 3] * p[(c + 1) % 3]);
      const speed = Math.hypot(...ahead);
      const leaning = ahead.map((x, c) => x / speed + 0.5 * e[c]);
      const d = leaning.map((x) => x / Math.hypot(...leaning));
      const position = [0, 1, 2].map((c) => linkPosition[at + c] + (2 * radius - 0.001) * d[c]);
      return { shape: { type: "sphere", radius }, position: position as unknown as readonly [number, number, number] };
    });
    const simulation = new ArticulatedSimulation(
      { name: description.name, links },
      { timeStep: 0.01, ground, friction },
    );
    simulation.q.set(probe.q);
    simulation.qd.set(probe.qd);
    simulation.control.set(probe.control);
    simulation.wrenches.set(simulation.wrenches.map(() => random.between(-2, 2)));
    return simulation;
  }

  let pushing = 0;
  it.each(jointTypes.flatMap((type) => [[type, 0.2] as const, [type, 4] as const]))(
    "%s joint between links that touch the world, friction %d",
    (type, friction) => {
      const random = new RandomGeometry(31);
      const description = jointBetween(random, type);
      const simulation = inTouch(description, random, friction);
      simulation.setParameters(parametersOf(description));
      expect(errorOf(simulation, 1e-4)).toBeLessThan(1e-5);
      expect(simulation.contacts.count).toBeGreaterThan(0);
      pushing += classesOf(simulation).filter((c) => c === RowClass.Clamping).length;
    },
  );

  it("has met forces", () => expect(pushing).toBeGreaterThan(30));

  it.each([0.1, 3])("random trees with 30 degrees of freedom and many contacts, friction %d", (friction) => {
    const random = new RandomGeometry(32);
    const simulation = inTouch(randomTree(random, 30), random, friction);
    expect(errorOf(simulation, 1e-4)).toBeLessThan(1e-5);
    expect(simulation.contacts.count).toBeGreaterThan(2);
  });

  it("forces from outside", () => {
    const random = new RandomGeometry(33);
    const description = randomTree(random, 9);
    const simulation = new ArticulatedSimulation(description, { timeStep: 0.01 });
    simulation.setParameters(parametersOf(description));
    setState(simulation, random);
    simulation.wrenches.set(simulation.wrenches.map(() => random.between(-3, 3)));
    expect(errorOf(simulation, 0.02)).toBeLessThan(1e-8);
  });
});
