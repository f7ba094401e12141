import type { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { PickingInfo } from "@babylonjs/core/Collisions/pickingInfo";
import type { IPointerEvent } from "@babylonjs/core/Events/deviceInputEvents";
import { PointerEventTypes, PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Materials/standardMaterial";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ClothAggregate, ClothDragBehavior, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import type { ClothDragOptions } from "../../plugin/pointer-drag";
import type { DeformableAggregate } from "../../plugin/deformable/deformable-aggregate";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { buildEdges } from "../../src/geometry/surface/edges";
import { tetrahedronEdges } from "../../src/geometry/tetrahedra/tet-edges";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let gpu: GPU;
let t: TestScene;
let camera: FreeCamera;
let drag: ClothDragBehavior;

beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
});
afterEach(() => t.dispose());

async function begin(backend: "cpu" | "webgpu", options?: ClothDragOptions): Promise<void> {
  t = await testScene(backend === "cpu" ? {} : { backend, gpu });
  camera = t.scene.activeCamera as FreeCamera;
  camera.position.set(0, 1, -4);
  drag = new ClothDragBehavior(options);
  camera.addBehavior(drag);
}

function send(type: number, point: Vector3): void {
  const engine = t.scene.getEngine();
  const viewport = camera.viewport.toGlobal(engine.getRenderWidth(), engine.getRenderHeight());
  const { x, y } = Vector3.Project(point, Matrix.Identity(), t.scene.getTransformMatrix(), viewport);
  t.scene.pointerX = x;
  t.scene.pointerY = y;
  const event = { button: 0, pointerId: 1 } as IPointerEvent;
  t.scene.onPointerObservable.notifyObservers(new PointerInfo(type, event, new PickingInfo()));
}

/** Grabs a point, once the present state has been read. */
async function press(point: Vector3): Promise<void> {
  t.scene.render();
  const taken = new Promise((resolve) => drag.onDragStartObservable.addOnce(resolve));
  send(PointerEventTypes.POINTERDOWN, point);
  await taken;
}

/** The longest of a body's edges, relative to its rest length. */
async function stretchOf({ body }: DeformableAggregate): Promise<number> {
  const { model } = body;
  const rods = "rods" in model ? model.rods : undefined;
  const edges =
    rods?.edges ?? (model.tetrahedra ? tetrahedronEdges(model.tetrahedra) : buildEdges(model.faces).vertices);
  const now = await body.readPositions();
  const lengthIn = (x: ArrayLike<number>, e: number): number =>
    Vector3.Distance(Vector3.FromArray(x, 3 * edges[e]), Vector3.FromArray(x, 3 * edges[e + 1]));
  let most = 0;
  for (let e = 0; e < edges.length; e += 2) most = Math.max(most, lengthIn(now, e) / lengthIn(model.positions, e));
  return most;
}

const things = {
  sheet: () => {
    const mesh = makeSheet(t.scene, 1, 12);
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothAggregate(mesh, { airDensity: 0 }, t.scene);
    void cloth.pinEdge("top");
    return { aggregate: cloth, at: new Vector3(0.1, 0.7, 0), bound: 1.5 };
  },
  jelly: () => {
    const mesh = CreateBox("jelly", { size: 0.5 }, t.scene);
    mesh.position.y = 1;
    const soft = new SoftBodyAggregate(
      mesh,
      { resolution: 3, youngsModulus: 5e4, density: 200, substeps: 10 },
      t.scene,
    );
    void soft.pinWhere(({ y }) => y < 0.76);
    return { aggregate: soft, at: new Vector3(0.05, 1.1, -0.25), bound: 2 };
  },
  rope: () => {
    const path = [new Vector3(0, 1.5, 0), new Vector3(0, 0.6, 0)];
    const rope = new RopeAggregate({ path }, { segments: 24, stretchStiffness: 1e4, pins: [0] }, t.scene);
    return { aggregate: rope, at: new Vector3(0, 0.9, 0), bound: 1.25 };
  },
} as const;

type Case = readonly [backend: "cpu" | "webgpu", name: keyof typeof things];

describe("a drag", () => {
  it.each<Case>([
    ["cpu", "sheet"],
    ["cpu", "jelly"],
    ["cpu", "rope"],
    ["webgpu", "sheet"],
  ])("on %s pulls no needle out of a %s that is held", async (backend, name) => {
    const pulled = async (options?: ClothDragOptions): Promise<readonly [stretch: number, bound: number]> => {
      await begin(backend, options);
      const { aggregate, at, bound } = things[name]();
      await press(at);
      send(PointerEventTypes.POINTERMOVE, at.add(new Vector3(3, -0.5, 0)));
      t.run(24);
      return [await stretchOf(aggregate), bound];
    };
    const [stretch, bound] = await pulled();
    expect(stretch).toBeLessThan(bound);
    expect(stretch).toBeGreaterThan(1.01);
    if (backend === "webgpu" || name === "jelly") return;
    t.dispose();
    // the effect of one particle and any force
    expect((await pulled({ radius: 0, maxForce: Infinity }))[0]).toBeGreaterThan(2 * bound);
  });

  it.each([
    ["cpu", 0.5],
    ["cpu", 2],
    ["webgpu", 0.5],
  ] as const)("on %s pulls no harder than maxForce: %f times the weight", async (backend, share) => {
    const sheet = (): ClothAggregate => {
      const mesh = makeSheet(t.scene, 1, 6);
      mesh.rotation.x = -Math.PI / 2;
      return new ClothAggregate(mesh, { airDensity: 0, damping: 0 }, t.scene);
    };
    await begin("cpu");
    const mass = sheet().body.model.masses.reduce((sum, value) => sum + value, 0);
    t.dispose();
    await begin(backend, { radius: 2, maxForce: share * mass * 10 });
    const cloth = sheet();
    const mean = (values: ArrayLike<number>): number =>
      Array.from(values).reduce((sum, value, i) => sum + (i % 3 === 1 ? value : 0), 0) / 49;
    await press(new Vector3(0, 1, 0));
    t.run(30);
    // a force of half its weight lets it fall half as fast
    expect(mean(await cloth.readPositions())).toBeCloseTo(share < 1 ? 1 - 0.5 * 5 * 0.25 : 1, 1);
    expect(mean(await cloth.readVelocities())).toBeCloseTo(share < 1 ? -2.5 : 0, 0);
    send(PointerEventTypes.POINTERUP, new Vector3(0, 1, 0));
    const before = mean(await cloth.readVelocities());
    t.run(6);
    // from its release on it falls freely
    expect(mean(await cloth.readVelocities()) - before).toBeCloseTo(-1, 1);
  });
});

it("refuses forces and radii out of range", async () => {
  await begin("cpu");
  expectRefusal(() => new ClothDragBehavior({ maxForce: 0 }), "invalid-argument", "maxForce", "positive");
  expectRefusal(() => new ClothDragBehavior({ maxForce: NaN }), "invalid-argument", "maxForce");
  expectRefusal(() => new ClothDragBehavior({ radius: -1 }), "invalid-argument", "radius");
});
