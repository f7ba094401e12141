/** Tubes show how the material of ropes turns about its axis. */
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, expect, it } from "vitest";
import { MotionRecorder, RopeAggregate, type RopeOptions } from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

const local = (mesh: Mesh): Float32Array => Float32Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!);
const far = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

function draw(): void {
  t.scene.onBeforeActiveMeshesEvaluationObservable.notifyObservers(t.scene);
}

const SIDES = 6;

/** A tube along x, `size` long, with a ring of vertices at every point. */
function tubeOf(size: number, segments: number): Mesh {
  const path = Array.from({ length: segments + 1 }, (_, k) => new Vector3((size * k) / segments, 0, 0));
  return CreateTube("rope", { path, radius: 0.01 * size, tessellation: SIDES, updatable: true }, t.scene);
}

/** Angles about x by which the rings of a tube have turned between two meshes [rad], each in (−π, π]. */
function turnsOf(from: ArrayLike<number>, to: ArrayLike<number>): number[] {
  return Array.from({ length: from.length / (3 * (SIDES + 1)) }, (_, ring) => {
    const k = 3 * (SIDES + 1) * ring;
    const angle = (x: ArrayLike<number>): number => Math.atan2(x[k + 2], x[k + 1]);
    const turn = angle(to) - angle(from);
    return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  });
}

const still: RopeOptions = { segments: 12, substeps: 20, gravityFactor: 0, youngsModulus: 1e7, pins: [0, 1] };

it.each([
  [2, 1, "cpu"],
  [-2, 1, "cpu"],
  [2, 0.1, "cpu"],
  [1, 10, "reference"],
] as const)(
  "a rope twisted by %s, %s m long, is seen to untwist from its clamped end, on %s",
  async (twist, size, backend) => {
    t = await testScene({ backend });
    const mesh = tubeOf(size, 12);
    const first = local(mesh);
    const rope = new RopeAggregate(mesh, { ...still, twist, elasticDamping: 0.02 * size });
    expect(far(local(mesh), first)).toBeLessThan(1e-6 * size);
    let most = 0;
    for (let frame = 0; frame < 150 * Math.max(1, size / 5); frame++) {
      t.run(1);
      draw();
      most = Math.max(most, Math.abs(turnsOf(first, local(mesh))[12]));
    }
    // It swings about the angle at which it is not twisted; the edge at the free end turned by all of the twist.
    expect(most).toBeGreaterThan(Math.abs(twist));
    const angleAt = (k: number): number => -twist * Math.min(1, Math.max(0, (k - 0.5) / 11));
    turnsOf(first, local(mesh)).forEach((turn, k) => expect(turn).toBeCloseTo(angleAt(k), 1));
    const motion = await new MotionRecorder(rope).stopAsync();
    expect(far(motion.positions, local(mesh))).toBeLessThan(1e-6 * size);
    rope.body.reset();
    await rope.bakeToMesh();
    expect(far(local(mesh), first)).toBeLessThan(1e-6 * size);
  },
);

it("a rope in a world on a GPU is drawn with the twist that came with its points", async () => {
  t = await testScene({ backend: "webgpu", gpu: await lentGpu() });
  const mesh = tubeOf(1, 12);
  const first = local(mesh);
  const rope = new RopeAggregate(mesh, { ...still, substeps: 8, twist: 2 });
  expect(far(local(mesh), first)).toBeLessThan(1e-6);
  for (let frame = 0; frame < 6; frame++) {
    t.run(1);
    await t.plugin.world.settled();
    draw();
  }
  expect(turnsOf(first, local(mesh))[12]).toBeLessThan(-0.05);
  const motion = await new MotionRecorder(rope).stopAsync();
  await rope.bakeToMesh();
  expect(far(motion.positions, local(mesh))).toBeLessThan(1e-6);
});

it.each([0, 3, -5])(
  "a ring that is not flat is drawn as it was at first, twisted by %s, and turns as a whole",
  async (twist) => {
    t = await testScene();
    const path = Array.from({ length: 25 }, (_, i) => {
      const a = (i * Math.PI) / 12;
      return new Vector3(Math.cos(a), 0.3 * Math.cos(3 * a), Math.sin(a));
    });
    path[24] = path[0].clone();
    const mesh = CreateTube("ring", { path, radius: 0.02, cap: Mesh.NO_CAP, updatable: true }, t.scene);
    const first = local(mesh);
    const options: RopeOptions = { segments: 24, substeps: 20, gravityFactor: 0, naturalShape: "path" };
    const rope = new RopeAggregate(mesh, { ...options, twist });
    expect(far(local(mesh), first)).toBeLessThan(1e-6);
    t.run(1);
    draw();
    // Neighbors at the seam stay beside each other, as they do everywhere else.
    const now = local(mesh);
    const count = now.length / 3;
    const side = (x: Float32Array, v: number, w: number): number =>
      Vector3.Distance(Vector3.FromArray(x, 3 * v), Vector3.FromArray(x, 3 * w));
    const around = count / 25;
    for (let v = 0; v < around; v++)
      expect(side(now, v, count - around + v)).toBeLessThan(side(first, v, count - around + v) + 2e-3);
    expect(rope.pointCount).toBe(24);
  },
);
