import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { numberOf, resolveParameters } from "../../../samples/parameters";
import { cardHouse } from "../../../samples/scenes/card-house";
import { pile } from "../../../samples/scenes/pile";
import { ragdoll } from "../../../samples/scenes/ragdoll";
import { tablePile } from "../../../samples/scenes/table-pile";
import { random } from "../../../samples/rigid";
import type { ParameterValue, SceneDefinition } from "../../../samples/scene";
import { World } from "../../../src/index";
import type { RigidBodyOptions } from "../../../src/world/rigid/body-options";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import type { JointOptions } from "../../../src/world/rigid/rigid-joint";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import hashes from "../../golden/hashes.json";
import { goldenHash, goldenRuns, stateHash } from "../../golden/runs";

const root = path.resolve(import.meta.dirname, "../../..");

describe("the pinned last state of a scene (npm run golden writes them anew)", () => {
  it.each(goldenRuns.map((run) => [run.scene.name, run] as const))("%s", async (name, run) => {
    expect(await goldenHash(run)).toBe((hashes as Record<string, string>)[name]);
  });
});

/** A scene's bodies and joints made in another order, with their old ids. */
async function build(
  scene: SceneDefinition,
  parameters: Record<string, ParameterValue>,
  order: (count: number) => number[],
) {
  const bodies: RigidBodyOptions[] = [];
  const joints: JointOptions[] = [];
  const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
  const { rigid } = world;
  const [addBody, addJoint] = [rigid.addBody.bind(rigid), rigid.addJoint.bind(rigid)];
  rigid.addBody = (options = {}) => {
    const body = addBody(options);
    bodies.push({ ...options, id: body.id });
    return body;
  };
  rigid.addJoint = (options) => {
    joints.push(options);
    return addJoint(options);
  };
  const values = resolveParameters(scene, parameters);
  await scene.build(world, values);
  const copy = new RigidWorld({ gravity: rigid.gravity, substeps: rigid.substeps, solver: rigid.dynamics.options });
  const made = new Map<number, RigidBody>();
  for (const k of order(bodies.length)) made.set(bodies[k].id!, copy.addBody(bodies[k]));
  for (const joint of joints)
    copy.addJoint({ ...joint, bodyA: made.get(joint.bodyA.id)!, bodyB: made.get(joint.bodyB.id)! });
  world.dispose();
  return { copy, dt: numberOf(values, "frameTime") };
}

const inOrder = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

function shuffled(count: number): number[] {
  const next = random(5);
  const list = inOrder(count);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(next() * (k + 1));
    [list[k], list[other]] = [list[other], list[k]];
  }
  return list;
}

describe("bodies created in another order end in the same bits", () => {
  it.each([
    [pile, { count: 16 }, 600],
    [tablePile, { count: 5 }, 90],
    [ragdoll, {}, 25],
    [cardHouse, { levels: 2 }, 60],
  ] as const)("%#", async (scene, parameters, frames) => {
    const results: string[] = [];
    for (const order of [inOrder, (count: number) => inOrder(count).reverse(), shuffled]) {
      const { copy, dt } = await build(scene, parameters, order);
      for (let frame = 0; frame < frames; frame++) copy.step(dt);
      results.push(await stateHash(copy));
    }
    expect(results[1]).toBe(results[0]);
    expect(results[2]).toBe(results[0]);
  });
});

describe("a snapshot of a scene", () => {
  it.each([
    ["mid-air", pile, { count: 16 }, 20],
    ["asleep", pile, { count: 6 }, 240],
    ["with joints", ragdoll, {}, 20],
  ] as const)("%s goes on with the same bits in a fresh world", async (_when, scene, parameters, moment) => {
    const { copy: first, dt } = await build(scene, parameters, inOrder);
    for (let frame = 0; frame < moment; frame++) first.step(dt);
    const snapshot = structuredClone(first.snapshot());
    if (_when === "asleep") expect(snapshot.asleep.includes(1)).toBe(true);
    const { copy: second } = await build(scene, parameters, shuffled);
    second.restore(snapshot);
    // A body falls on a resting one.
    for (const world of [first, second]) {
      world.addBody({ shape: { type: "sphere", radius: 0.3 }, position: [0.1, 2.5, 0.1], linearVelocity: [0, -4, 0] });
      for (let frame = 0; frame < 30; frame++) world.step(dt);
    }
    expect(await stateHash(second)).toBe(await stateHash(first));
  });
});

it("nothing that the step of rigid bodies imports uses what engines round in their own ways", () => {
  const allowed = /Math\.(sqrt|abs|min|max|floor|ceil|round|sign|trunc|imul|fround|clz32|PI|SQRT1_2|SQRT2|LN2)\b/g;
  const files = new Set<string>();
  const found: Record<string, readonly string[]> = {};
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const code = fs.readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const doubtful = code.replace(allowed, "").match(/Math\.\w+|\*\*|\bDate\b|performance\./g) ?? [];
    if (doubtful.length > 0) found[path.relative(root, file)] = doubtful;
    for (const [, target] of code.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"/gm)) {
      const next = path.resolve(path.dirname(file), `${target}.ts`);
      // The lane on the GPU is separate, and not part of this.
      if (!/\/gpu\/|gpu-lane|generated/.test(next)) visit(next);
    }
  };
  visit(path.join(root, "src/world/rigid/rigid-world.ts"));
  expect(found).toEqual({});
  expect(files.size).toBeGreaterThan(60);
});
