import { describe, expect, it } from "vitest";
import { GpuContext } from "../../../src/gpu/device";
import { readBuffer } from "../../../src/gpu/readback";
import type { World } from "../../../src/world/world";
import { expectWithin } from "../../figures";
import { createWorld, sharedDevice } from "../worlds";
import { addFloor, ballAt, frameTime, run } from "./worlds";

/** A soft ball that a box falls on. */
function build(world: World) {
  addFloor(world);
  const ball = world.addBody(ballAt([0, 0.1, 0]));
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [0.1, 0.05, 0.1] },
    mass: 0.5,
    position: [0, 0.3, 0],
    canSleep: false,
  });
  return { ball, box };
}

describe("deformable bodies of the Newton solver in a world on webgpu", () => {
  it("are solved together with rigid bodies on the CPU, bit for bit, and drawn on the GPU", async () => {
    const cpu = await createWorld("cpu");
    const gpu = await createWorld("webgpu");
    const [expected, seen] = [build(cpu), build(gpu)];
    expect([gpu.backend, gpu.rigidLane, gpu.rigid.softLane]).toEqual(["webgpu", "cpu", "cpu"]);
    const { particleCount } = seen.ball.model;
    const vertexToParticle = Uint32Array.from({ length: particleCount }, (_, p) => p);
    const context = new GpuContext(await sharedDevice(), "test");
    const buffer = context.createBuffer("vertices", 24 * particleCount, GPUBufferUsage.VERTEX);
    seen.ball.setRenderOutput({ buffer, vertexToParticle });
    run(cpu, 0.4);
    run(gpu, 0.4);
    expect(seen.box.position).toEqual(expected.box.position);
    const positions = (await expected.ball.readState()).positions;
    expect((await seen.ball.readState()).positions).toEqual(positions);
    const vertices = new Float32Array(await readBuffer(context, buffer));
    for (let p = 0; p < particleCount; p++)
      for (let c = 0; c < 3; c++) expect(vertices[6 * p + c]).toBe(Math.fround(positions[3 * p + c]));
    // The ball yields under the box, and the two are at rest or nearly so.
    expect(seen.box.position[1]).toBeGreaterThan(0.1);
    expect(seen.box.position[1]).toBeLessThan(0.27);
    buffer.destroy();
    cpu.dispose();
    gpu.dispose();
  });

  it("are solved together with rigid bodies on the GPU where these are, two-way", async () => {
    const cpu = await createWorld("cpu");
    const gpu = await createWorld("webgpu", { rigidLane: "webgpu" });
    const [expected, seen] = [build(cpu), build(gpu)];
    expect([gpu.rigidLane, gpu.rigid.softLane]).toEqual(["webgpu", "webgpu"]);
    for (let frame = 1; frame <= 24; frame++) {
      cpu.step(frameTime);
      gpu.step(frameTime);
      await gpu.settled();
    }
    // The box has fallen on the ball and pressed it down.
    expect(expected.box.position[1]).toBeLessThan(0.24);
    const apart = Math.hypot(...expected.box.position.map((value, i) => value - seen.box.position[i]));
    expectWithin("box on a soft ball, webgpu against cpu [m]", apart, 1e-3);
    const [a, b] = [(await expected.ball.readState()).positions, (await seen.ball.readState()).positions];
    expectWithin("ball under a box, webgpu against cpu [m]", Math.max(...a.map((x, i) => Math.abs(x - b[i]))), 2e-3);
    // Rigid bodies continue from their places when the ball is removed.
    seen.ball.dispose();
    expect(gpu.rigidLane).toBe("webgpu");
    for (let k = 0; k < 30; k++) {
      gpu.step(frameTime);
      await gpu.settled();
    }
    expect(seen.box.position[1]).toBeCloseTo(0.05, 4);
    cpu.dispose();
    gpu.dispose();
  });
});
