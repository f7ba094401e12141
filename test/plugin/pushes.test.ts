import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { describe, expect, it } from "vitest";
import type { DeformableAggregate } from "../../plugin/deformable/deformable-aggregate";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { expectRefused } from "../refusal";
import { testScene, type TestScene } from "./fixtures";

const makers: Readonly<Record<string, (test: TestScene, units: number) => DeformableAggregate>> = {
  "soft body": ({ scene }, units) =>
    new SoftBodyAggregate(CreateBox("jelly", { size: units }, scene), { resolution: 2 }, scene),
  cloth: ({ scene }, units) =>
    new ClothAggregate(
      CreateGround("cloth", { width: units, height: units, subdivisions: 4, updatable: true }, scene),
      { airDensity: 0 },
      scene,
    ),
  rope: ({ scene }, units) =>
    new RopeAggregate({ path: [Vector3.Zero(), new Vector3(units, 0, 0)], name: "rope" }, { segments: 6 }, scene),
};

/** Mean velocity [units/s], and mass [kg]. */
async function meanOf(aggregate: DeformableAggregate, units: number): Promise<{ mean: Vector3; mass: number }> {
  await aggregate.plugin.world.whenReadyAsync();
  const v = await aggregate.body.readVelocities();
  let mass = 0;
  const mean = Vector3.Zero();
  aggregate.body.model.masses.forEach((m, p) => {
    mass += m;
    mean.addInPlace(Vector3.FromArray(v, 3 * p).scale(m * units));
  });
  return { mean: mean.scale(1 / mass), mass };
}

describe.each(Object.keys(makers))("a %s", (kind) => {
  it.each([1, 100])("is pushed in a scene of %i units a meter", async (units) => {
    const test = await testScene({ worldScale: units }, Vector3.Zero());
    const aggregate = makers[kind](test, units);
    const step = (): void => test.physics._step(1 / 60);
    aggregate.setLinearVelocity(new Vector3(0, 2 * units, 0));
    await test.plugin.world.whenReadyAsync();
    step();
    const first = await meanOf(aggregate, units);
    expect(first.mean.y / units).toBeCloseTo(2, 1);
    aggregate.applyImpulse(new Vector3(first.mass * units, 0, 0));
    expect((await meanOf(aggregate, units)).mean.subtract(first.mean).x / units).toBeCloseTo(1, 4);
    const before = await meanOf(aggregate, units);
    // 3 m/s² for 10 frames
    for (let frame = 0; frame < 10; frame++) {
      aggregate.applyForce(new Vector3(0, 0, 3 * units * first.mass));
      step();
    }
    step();
    const after = await meanOf(aggregate, units);
    expect((after.mean.z - before.mean.z) / units).toBeCloseTo(0.5, 2);
    test.dispose();
  });

  it("spins, and flies from an explosion", async () => {
    const test = await testScene({}, Vector3.Zero());
    const aggregate = makers[kind](test, 1);
    aggregate.setAngularVelocity(new Vector3(0, 4, 0));
    await test.plugin.world.whenReadyAsync();
    const [x, v] = [await aggregate.body.readPositions(), await aggregate.body.readVelocities()];
    const last = x.length - 3;
    const arm = Vector3.FromArray(x, last).subtract(Vector3.FromArray(x, 0));
    const apart = Vector3.FromArray(v, last).subtract(Vector3.FromArray(v, 0));
    expect(Vector3.Distance(apart, Vector3.Cross(new Vector3(0, 4, 0), arm))).toBeLessThan(1e-4);
    const { mass } = await meanOf(aggregate, 1);
    aggregate.applyRadialImpulse(new Vector3(0.4, -2, 0.1), 8, 10 * mass);
    expect((await meanOf(aggregate, 1)).mean.y).toBeGreaterThan(4);
    test.dispose();
  });

  it("refuses vectors that are not finite, and calls after its end", async () => {
    const test = await testScene();
    const aggregate = makers[kind](test, 1);
    const bad = new Vector3(0, NaN, 0);
    for (const method of [
      "applyImpulse",
      "applyForce",
      "applyAngularImpulse",
      "setLinearVelocity",
      "setAngularVelocity",
    ] as const)
      expectRefused(() => aggregate[method](bad), "non-finite", new RegExp(method));
    expectRefused(() => aggregate.applyImpulse(Vector3.Up(), bad), "non-finite", /location/);
    expectRefused(() => aggregate.applyRadialImpulse(Vector3.Zero(), -1, 1), "invalid-argument", /radius/);
    expectRefused(
      () => aggregate.applyRadialImpulse(Vector3.Zero(), 1, 1, "square" as never),
      "invalid-argument",
      /falloff/,
    );
    aggregate.dispose();
    expectRefused(() => aggregate.applyImpulse(Vector3.Up()), "disposed", /applyImpulse|a call/);
    test.dispose();
  });
});
