/** Motion that is recorded, and played without physics. */
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BakedMotion, ClothAggregate, MotionRecorder, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => (t = await testScene()));
afterEach(() => t.dispose());

const data = (mesh: Mesh, kind: string): Float32Array => Float32Array.from(mesh.getVerticesData(kind)!);
const far = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** Draws frames of 1/60 s without physics. */
function draw(frames: number): void {
  vi.spyOn(t.scene.getEngine(), "getDeltaTime").mockReturnValue(1000 / 60);
  for (let k = 0; k < frames; k++) t.scene.onBeforeRenderObservable.notifyObservers(t.scene);
}

/** A sheet that falls for half a second, its places in its own frame at 30 frames a second, and the motion. */
async function fallenSheet() {
  const mesh = makeSheet(t.scene, 1, 4);
  mesh.position.set(1, 2, 3);
  mesh.rotation.y = 0.7;
  const cloth = new ClothAggregate(mesh, { pins: [0] }, t.scene);
  const recorder = new MotionRecorder(cloth);
  const seen = [data(mesh, VertexBuffer.PositionKind)];
  for (let k = 0; k < 15; k++) {
    t.run(2);
    await cloth.bakeToMesh();
    seen.push(data(mesh, VertexBuffer.PositionKind));
  }
  const normals = data(mesh, VertexBuffer.NormalKind);
  const motion = await recorder.stopAsync();
  t.run(2);
  expect(recorder.frameCount).toBe(16);
  return { mesh, cloth, motion, seen, normals };
}

describe("a baked motion", () => {
  it("has the places that the mesh had, and plays them", async () => {
    const { mesh, cloth, motion, seen, normals } = await fallenSheet();
    expect(motion.frameCount).toBe(16);
    expect(motion.duration).toBeCloseTo(0.5, 12);
    seen.forEach((places, k) => expect(far(motion.frame(k), places)).toBeLessThan(1e-6));
    expect(far(motion.frame(15), motion.frame(0))).toBeGreaterThan(0.2);

    cloth.dispose({ restore: true });
    const playback = motion.play(mesh, { loop: false });
    const ended = vi.fn();
    playback.onEndObservable.add(ended);
    expect(far(data(mesh, VertexBuffer.PositionKind), seen[0])).toBeLessThan(1e-6);
    draw(6);
    expect(far(data(mesh, VertexBuffer.PositionKind), seen[3])).toBeLessThan(1e-5);
    draw(1);
    const between = seen[3].map((value, i) => (value + seen[4][i]) / 2);
    expect(far(data(mesh, VertexBuffer.PositionKind), between)).toBeLessThan(1e-5);
    draw(40);
    expect(ended).toHaveBeenCalledOnce();
    expect(far(data(mesh, VertexBuffer.PositionKind), seen[15])).toBeLessThan(1e-6);
    // Normals are those that the cloth is drawn with.
    expect(far(data(mesh, VertexBuffer.NormalKind), normals)).toBeLessThan(0.1);
    const { minimum, maximum } = mesh.getBoundingInfo();
    for (const frame of seen)
      for (let i = 0; i < frame.length; i += 3) {
        const place = Vector3.FromArray(frame, i);
        expect(place.equalsWithEpsilon(Vector3.Clamp(place, minimum, maximum), 1e-6)).toBe(true);
      }

    // A clone shares vertices with its original until it plays.
    const copy = mesh.clone("copy");
    motion.play(copy).time = 0.2;
    expect(far(data(copy, VertexBuffer.PositionKind), seen[6])).toBeLessThan(1e-5);
    expect(far(data(mesh, VertexBuffer.PositionKind), seen[15])).toBeLessThan(1e-6);

    playback.loop = true;
    playback.time = 0.4;
    draw(12);
    expect(playback.time).toBeCloseTo(0.1, 6);
    playback.isPaused = true;
    draw(12);
    expect(playback.time).toBeCloseTo(0.1, 6);
    playback.dispose();
  });

  it("goes through bytes", async () => {
    const { motion } = await fallenSheet();
    const bytes = motion.toBytes();
    expect(bytes.length).toBeLessThan(0.6 * motion.positions.byteLength);
    const read = BakedMotion.FromBytes(bytes);
    expect([read.frameRate, read.vertexCount, read.frameCount]).toEqual([30, 25, 16]);
    expect(far(read.positions, motion.positions)).toBeLessThan(2 / 100_000);
    for (const wrong of [bytes.subarray(1), bytes.subarray(0, 30), new Uint8Array(200)])
      expectRefusal(() => BakedMotion.FromBytes(wrong), "invalid-argument", "bytes of a motion");
  });

  it("becomes morph targets that a GLB file has", async () => {
    const { mesh, cloth, motion, seen } = await fallenSheet();
    cloth.dispose({ restore: true });
    const group = motion.toMorphTargets(mesh);
    const { morphTargetManager: manager } = mesh;
    expect(manager!.numTargets).toBe(15);
    // Halfway from one frame to the next both have half of the influence.
    group.start();
    for (const [at, shares] of [
      [4, { 4: 1 }],
      [4.5, { 4: 0.5, 5: 0.5 }],
    ] as const) {
      group.goToFrame(at);
      for (let k = 1; k < 16; k++)
        expect(manager!.getTarget(k - 1).influence).toBeCloseTo((shares as Record<number, number>)[k] ?? 0, 9);
    }
    expect(far(manager!.getTarget(3).getPositions()!, seen[4])).toBeLessThan(1e-6);
    const { files } = await GLTF2Export.GLBAsync(t.scene, "scene");
    const bytes = new Uint8Array(await (files["scene.glb"] as Blob).arrayBuffer());
    const size = new DataView(bytes.buffer).getUint32(12, true);
    const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size))) as {
      meshes: { primitives: { targets?: object[] }[] }[];
      animations: { channels: { target: { path: string } }[] }[];
    };
    expect(gltf.meshes[0].primitives[0].targets).toHaveLength(15);
    expect(gltf.animations[0].channels[0].target.path).toBe("weights");
  });

  it("is recorded of soft bodies and ropes, and ends with its aggregate", async () => {
    const jelly = CreateSphere("jelly", { diameter: 0.5, segments: 4 }, t.scene);
    const soft = new SoftBodyAggregate(jelly, { youngsModulus: 1e4, resolution: 4 }, t.scene);
    const rope = new RopeAggregate({ path: [Vector3.Zero(), new Vector3(1, 0, 0)], radius: 0.01 }, {}, t.scene);
    for (const aggregate of [soft, rope]) {
      const recorder = new MotionRecorder(aggregate, { frameRate: 60 });
      t.run(5);
      aggregate.dispose();
      t.run(5);
      const motion = await recorder.stopAsync();
      expect(motion.frameCount).toBe(6);
      expect(motion.vertexCount).toBe(aggregate.mesh.getTotalVertices());
      motion.play(aggregate.mesh).dispose();
    }
  });

  it("refuses what does not fit", async () => {
    const { mesh, cloth, motion } = await fallenSheet();
    expectRefusal(() => motion.play(makeSheet(t.scene, 1, 5)), "invalid-argument", "must have 25 vertices");
    expectRefusal(() => new MotionRecorder(cloth, { frameRate: 0 }), "invalid-argument", "frameRate");
    cloth.dispose();
    expectRefusal(() => new MotionRecorder(cloth), "disposed", "an aggregate");
    motion.toMorphTargets(mesh);
    expectRefusal(() => motion.play(mesh), "unsupported", "morph targets");
    const torn = new ClothAggregate(makeSheet(t.scene), { tearing: { strain: 1 } }, t.scene);
    expectRefusal(() => new MotionRecorder(torn), "unsupported", "tearing");
  });
});
