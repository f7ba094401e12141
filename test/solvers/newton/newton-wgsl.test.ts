import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { structs } from "../../../src/generated/shaders";
import type { GpuContext } from "../../../src/gpu/device";
import { StructWriter } from "../../../src/gpu/struct";
import { BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "../../../src/solvers/newton/motion/bodies";
import { predict } from "../../../src/solvers/newton/motion/free-motion";
import { FrameTables } from "../../../src/solvers/newton/gpu/frame-tables";
import { JointPacker } from "../../../src/solvers/newton/gpu/joint-packer";
import type { AxisMode, MotorType } from "../../../src/solvers/newton/joints/axis";
import { FrameJoint } from "../../../src/solvers/newton/joints/frame-joint";
import {
  fischerBurmeister,
  fischerBurmeisterSlip,
  minimumMap,
  minimumMapSlip,
  type NormalRow,
} from "../../../src/solvers/ncp";
import { JointRows, ROW_SIZE } from "../../../src/solvers/newton/contact/rows";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { testShader } from "../../gpu/test-shader";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 1234;
const { module } = testShader(path.join(import.meta.dirname, "newton.wgsl"));

async function run(
  entryPoint: string,
  data: Readonly<Record<string, ArrayBufferView<ArrayBuffer> | number>>,
  result: string,
  threads = count,
): Promise<Float32Array> {
  const read = await runKernel(context, "test/newton", module, entryPoint, data, threads, [result]);
  return new Float32Array(read[result]);
}

/** Numbers of either sign over many orders of magnitude, and sometimes 0. */
function wide(random: RandomGeometry): number {
  const kind = random.between(0, 1);
  return kind < 0.1 ? 0 : Math.fround((kind < 0.4 ? -1 : 1) * 10 ** random.between(-5, 3));
}

describe("complementarity functions in WGSL", () => {
  it("are the reference to 1e-5: gaps and normal impulses", async () => {
    const random = new RandomGeometry(81);
    const gaps = new Float32Array(4 * count);
    for (let i = 0; i < count; i++)
      gaps.set([wide(random), wide(random), Math.fround(10 ** random.between(-4, 2)), 0], 4 * i);
    const normals = await run("normalRows", { gaps, normals: 32 * count }, "normals");
    const row: NormalRow = { isActive: false, step: 0, compliance: 0, residual: 0, phi: 0 };
    let worst = 0;
    let [active, open] = [0, 0];
    for (let i = 0; i < count; i++) {
      const [a, p, r] = gaps.subarray(4 * i, 4 * i + 3);
      [minimumMap, fischerBurmeister].forEach((ncp, which) => {
        const [isActive, value, residual, phi] = normals.subarray(8 * i + 4 * which, 8 * i + 4 * which + 4);
        ncp(a, p, r, row);
        worst = Math.max(worst, Math.abs(phi - row.phi) / Math.max(Math.abs(a), Math.abs(r * p), 1e-30));
        // At the corner of the function either side is a valid choice.
        const isCorner = which === 0 ? Math.abs(a - r * p) < 1e-5 * Math.abs(a) : a > 0 && Math.abs(r * p) < 4e-3 * a;
        if (isCorner || (a === 0 && p === 0)) return;
        expect(isActive).toBe(row.isActive ? 1 : 0);
        if (row.isActive) {
          active++;
          const size = Math.max(Math.abs(row.residual), Math.abs(row.phi));
          worst = Math.max(worst, Math.abs(residual - row.residual) / Math.max(size, 1e-30));
          worst = Math.max(worst, Math.abs(value - row.compliance) / Math.max(row.compliance, r));
        } else {
          open++;
          worst = Math.max(worst, Math.abs(value - row.step) / Math.max(Math.abs(row.step), 1e-30));
        }
      });
    }
    expect(Math.min(active, open)).toBeGreaterThan(count / 4);
    expectWithin("NCP functions in WGSL, relative", worst, 1e-5);
  });

  it("are the reference to 3e-5: compliance of friction, near the edge of the cone or far", async () => {
    const random = new RandomGeometry(82);
    const slides = new Float32Array(4 * count);
    for (let i = 0; i < count; i++) {
      const limit = 10 ** random.between(-3, 3);
      const r = 10 ** random.between(-3, 1);
      const inside = random.between(0, 1) < 0.5 ? random.between(0, 0.95) : random.between(1.05, 3);
      slides.set([r * limit * 10 ** random.between(-3, 1), inside * limit, limit, r], 4 * i);
    }
    const slips = await run("frictionRows", { slides, slips: 8 * count }, "slips");
    let worst = 0;
    let some = 0;
    for (let i = 0; i < count; i++) {
      const [v, f, limit, r] = slides.subarray(4 * i, 4 * i + 4);
      [minimumMapSlip, fischerBurmeisterSlip].forEach((slip, which) => {
        const expected = slip(v, f, limit, r);
        if (expected > 0) some++;
        worst = Math.max(worst, Math.abs(slips[2 * i + which] - expected) / Math.max(expected, r));
      });
    }
    expect(some).toBeGreaterThan(count);
    expectWithin("friction compliance in WGSL, relative", worst, 3e-5);
  });
});

describe("free motion in WGSL", () => {
  it("is the reference to 2e-6: velocities, orientation, inverse inertia", async () => {
    const random = new RandomGeometry(83);
    const bodies = new BodyTable();
    const inputs = new StructWriter(structs.BodyInput, count);
    const states = new StructWriter(structs.BodyState, count);
    const h = Math.fround(1 / 60);
    const gravity = [0.5, -9.75, 0.25];
    const f32 = (values: readonly number[]): number[] => values.map(Math.fround);
    for (let i = 0; i < count; i++) {
      const slot = bodies.append();
      const { model, state } = bodies;
      const mass = 10 ** random.between(-2, 3);
      const principal = [1, random.between(0.3, 1), random.between(0.3, 1)].map((part) => mass * part);
      const rotation = f32([...random.rotation()]);
      const [velocity, spin] = [f32(random.vector(10)), f32(random.vector(8))];
      const [force, torque] = [f32(random.vector(5 * mass)), f32(random.vector(2 * mass))];
      const [linear, angular, factor] = f32([random.between(0, 2), random.between(0, 2), random.between(-1, 2)]);
      model.motion[slot] = Motion.dynamic;
      model.inverseMass[slot] = Math.fround(1 / mass);
      for (let d = 0; d < 3; d++) {
        model.inertia[3 * slot + d] = Math.fround(principal[d]);
        model.inverseInertia[3 * slot + d] = Math.fround(1 / principal[d]);
      }
      model.linearDamping[slot] = linear;
      model.angularDamping[slot] = angular;
      model.gravityFactor[slot] = factor;
      state.pose.set([0, 0, 0, ...rotation], POSE_SIZE * slot);
      state.velocity.set([...velocity, ...spin], TWIST_SIZE * slot);
      state.force.set([...force, ...torque], TWIST_SIZE * slot);
      inputs.set(i, "force", force);
      inputs.set(i, "torque", torque);
      inputs.set(i, "inverseMass", model.inverseMass[slot]);
      inputs.set(i, "inertia", model.inertia.subarray(3 * slot, 3 * slot + 3));
      inputs.set(i, "inverseInertia", model.inverseInertia.subarray(3 * slot, 3 * slot + 3));
      inputs.set(i, "linearDamping", linear);
      inputs.set(i, "angularDamping", angular);
      inputs.set(i, "gravityFactor", factor);
      states.set(i, "rotation", rotation);
      states.set(i, "velocity", velocity);
      states.set(i, "spin", spin);
    }
    const data = {
      inputs: new Uint8Array(inputs.bytes),
      states: new Uint8Array(states.bytes),
      fall: Float32Array.of(...gravity, h),
      flights: 112 * count,
    };
    const flights = await run("freeMotions", data, "flights");
    const { scratch } = bodies;
    let worst = 0;
    const compare = (at: number, expected: Float64Array, size: number): void =>
      expected.forEach((value, i) => (worst = Math.max(worst, Math.abs(flights[at + i] - value) / size)));
    for (let slot = 0; slot < count; slot++) {
      predict(bodies, slot, gravity, h);
      const at = 28 * slot;
      const u = scratch.freeVelocity;
      const w = scratch.worldInverseInertia.subarray(6 * slot, 6 * slot + 6);
      compare(at, u.subarray(TWIST_SIZE * slot, TWIST_SIZE * slot + 3), 10);
      compare(at + 4, u.subarray(TWIST_SIZE * slot + 3, TWIST_SIZE * slot + 6), 8);
      compare(at + 8, scratch.spinOffset.subarray(3 * slot, 3 * slot + 3), 8);
      compare(at + 12, scratch.freeRotation.subarray(4 * slot, 4 * slot + 4), 1);
      const largest = Math.max(w[0], w[3], w[5]);
      compare(at + 16, Float64Array.of(w[0], w[1], w[2], 0, w[1], w[3], w[4], 0, w[2], w[4], w[5]), largest);
    }
    expectWithin("free motion in WGSL, relative", worst, 2e-6);
  });
});

describe("rows of joints in WGSL", () => {
  it("are the reference to 5e-6: C and J of locks, limits, motors and distances in any pose", async () => {
    const random = new RandomGeometry(84);
    const bodies = new BodyTable();
    const [a, b] = [bodies.append(), bodies.append()];
    const tables = new FrameTables();
    const packer = new JointPacker();
    packer.begin();
    const rows = new JointRows();
    const poses: number[] = [];
    const jointOf: number[] = [];
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.between(0, list.length))];
    const number = 200;
    for (let n = 0; n < number; n++) {
      const joint = new FrameJoint();
      [joint.slotA, joint.slotB] = [a, b];
      for (const frame of [joint.frameA, joint.frameB])
        frame.set([...random.vector(0.5), ...random.rotation()].map(Math.fround));
      joint.axes.forEach((axis, k) => {
        axis.mode = k === 6 ? pick<AxisMode>(["free", "limited"]) : pick<AxisMode>(["free", "locked", "limited"]);
        if (axis.mode === "limited") {
          axis.min = Math.fround(random.between(-1, 0));
          axis.max = pick([axis.min, Math.fround(random.between(0, 1)), Infinity]);
        }
        if (k < 6) axis.motor = pick<MotorType>(["none", "position", "velocity"]);
        axis.target = Math.fround(random.between(-1, 1));
        axis.friction = pick([0, 1]);
      });
      const pose = (): number[] => [...random.vector(1), ...random.rotation()].map(Math.fround);
      const [poseA, poseB] = [pose(), pose()];
      bodies.state.pose.set([...poseA, ...poseB]);
      poses.push(...[poseA, poseB].flatMap(([x, y, z, ...q]) => [x, y, z, 0, ...q]));
      const rowCount = packer.add(tables, bodies, joint, 0, 1, 1 / 60);
      for (let k = 0; k < rowCount; k++) jointOf.push(n);
      joint.firstRow = rows.count;
      rows.h = 1 / 60;
      joint.addRows(bodies, rows);
      joint.writeJacobians(bodies, rows);
      joint.writeValues(bodies, rows);
    }
    expect(rows.count).toBe(tables.rows.count);
    const data = {
      joints: tables.joints.f32.subarray(0, tables.joints.byteLength / 4),
      rows: tables.rows.f32.subarray(0, tables.rows.byteLength / 4),
      jointOf: Uint32Array.from(jointOf),
      poses: Float32Array.from(poses),
      found: 48 * rows.count,
    };
    const found = await run("jointRows", data, "found", rows.count);
    let worst = 0;
    for (let r = 0; r < rows.count; r++) {
      const at = 12 * r;
      const j = rows.jacobian.subarray(ROW_SIZE * r, ROW_SIZE * r + ROW_SIZE);
      // Rows are (−d, α, d, β).
      const seen = [
        ...found.subarray(at + 4, at + 7),
        ...found.subarray(at, at + 3),
        ...found.subarray(at + 8, at + 11),
      ];
      const size = Math.max(1, ...j.map(Math.abs));
      seen.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - j[3 + i]) / size)));
      // Friction and velocity motors ignore C.
      if (rows.share[r] === 0) continue;
      // An angle of half a turn may be measured from either side.
      const error = Math.abs(found[at + 3] - rows.value[r]);
      worst = Math.max(worst, Math.min(error, Math.abs(error - 2 * Math.PI)) / size);
    }
    expect(rows.count).toBeGreaterThan(1000);
    expectWithin("rows of joints in WGSL, relative", worst, 5e-6);
  });
});
