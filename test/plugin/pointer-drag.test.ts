import type { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { PickingInfo } from "@babylonjs/core/Collisions/pickingInfo";
import type { IPointerEvent } from "@babylonjs/core/Events/deviceInputEvents";
import { PointerEventTypes, PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Materials/standardMaterial";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, ClothDragBehavior, SoftBodyAggregate } from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
let camera: FreeCamera;
let cloth: ClothAggregate;
let drag: ClothDragBehavior;
const MIDDLE = 40;

beforeEach(async () => {
  t = await testScene();
  camera = t.scene.activeCamera as FreeCamera;
  camera.position.set(0, 1, -3);
  const sheet = makeSheet(t.scene, 1, 8);
  sheet.rotation.x = -Math.PI / 2;
  cloth = new ClothAggregate(sheet, { gravityFactor: 0, airDensity: 0, pins: [0] }, t.scene);
  drag = new ClothDragBehavior({ radius: 0.15, maxForce: Infinity });
  camera.addBehavior(drag);
  t.scene.render();
});
afterEach(() => t.dispose());

/** Puts the pointer on a point of the world. */
function pointAt(point: Vector3): void {
  const engine = t.scene.getEngine();
  const viewport = camera.viewport.toGlobal(engine.getRenderWidth(), engine.getRenderHeight());
  const { x, y } = Vector3.Project(point, Matrix.Identity(), t.scene.getTransformMatrix(), viewport);
  t.scene.pointerX = x;
  t.scene.pointerY = y;
}

function send(type: number, button = 0): void {
  const event = { button, pointerId: 1 } as IPointerEvent;
  t.scene.onPointerObservable.notifyObservers(new PointerInfo(type, event, new PickingInfo()));
}

/** Waits for picks that have begun: each asks for its code, and gets it in the order of asking. */
async function settle(): Promise<void> {
  await t.plugin.world.bodies[0].pick([0, 9, 0], [0, 1, 0]);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

async function press(point: Vector3): Promise<void> {
  pointAt(point);
  send(PointerEventTypes.POINTERDOWN);
  await settle();
}

async function position(vertex: number): Promise<Vector3> {
  return Vector3.FromArray(await cloth.readPositions(), 3 * vertex);
}

describe("ClothDragBehavior", () => {
  it("takes hold, moves in the plane that faces the camera, and lets go", async () => {
    const starts: unknown[] = [];
    const ends: unknown[] = [];
    drag.onDragStartObservable.add((taken) => starts.push(taken));
    drag.onDragEndObservable.add((taken) => ends.push(taken));
    await press(new Vector3(0, 1, 0));
    expect(drag.dragging).toBe(true);
    expect(starts).toEqual([cloth]);
    const neighbours = [...cloth.particles].filter((particle) => cloth.body.isPinned(particle)).length;
    // the middle, its four neighbors, and the pin
    expect(neighbours).toBe(6);
    pointAt(new Vector3(0.1, 1.2, 0));
    send(PointerEventTypes.POINTERMOVE);
    t.run(1);
    const moved = await position(MIDDLE);
    expect(moved.subtract(new Vector3(0.1, 1.2, 0)).length()).toBeLessThan(1e-3);
    send(PointerEventTypes.POINTERUP);
    expect(drag.dragging).toBe(false);
    expect(ends).toEqual([cloth]);
    expect(cloth.body.isPinned(cloth.particles[MIDDLE])).toBe(false);
  });

  it("leaves pinned what was pinned before", async () => {
    const corner = await position(0);
    await press(corner.add(new Vector3(0.001, -0.001, 0)));
    expect(drag.dragging).toBe(true);
    pointAt(corner.add(new Vector3(0.05, 0, 0)));
    send(PointerEventTypes.POINTERMOVE);
    t.run(1);
    send(PointerEventTypes.POINTERUP);
    t.run(1);
    expect(cloth.body.isPinned(cloth.particles[0])).toBe(true);
    expect((await position(0)).x - corner.x).toBeCloseTo(0.05, 2);
  });

  it("takes nothing beside the cloth, behind a mesh, with another button or when it is off", async () => {
    await press(new Vector3(2, 1, 0));
    expect(drag.dragging).toBe(false);
    const box = CreateBox("box", { size: 0.5 }, t.scene);
    box.position.set(0, 1, -1);
    t.scene.render();
    await press(new Vector3(0, 1, 0));
    expect(drag.dragging).toBe(false);
    box.dispose();
    pointAt(new Vector3(0, 1, 0));
    send(PointerEventTypes.POINTERDOWN, 2);
    await settle();
    expect(drag.dragging).toBe(false);
    drag.enabled = false;
    await press(new Vector3(0, 1, 0));
    expect(drag.dragging).toBe(false);
  });

  it("lets go when the button was up before the pick came, when it is detached, and when the cloth goes", async () => {
    pointAt(new Vector3(0, 1, 0));
    send(PointerEventTypes.POINTERDOWN);
    send(PointerEventTypes.POINTERUP);
    await settle();
    expect(drag.dragging).toBe(false);
    expect(cloth.body.isPinned(cloth.particles[MIDDLE])).toBe(false);
    await press(new Vector3(0, 1, 0));
    expect(drag.dragging).toBe(true);
    camera.removeBehavior(drag);
    expect(drag.dragging).toBe(false);
    expect(cloth.body.isPinned(cloth.particles[MIDDLE])).toBe(false);
    camera.addBehavior(drag);
    await press(new Vector3(0, 1, 0));
    cloth.dispose();
    pointAt(new Vector3(0, 1.3, 0));
    send(PointerEventTypes.POINTERMOVE);
    send(PointerEventTypes.POINTERUP);
    expect(drag.dragging).toBe(false);
  });

  it.each([
    ["gpbd", 10],
    ["local-global", 2],
  ] as const)(
    "drags soft bodies of solver %s, and leaves what was let go to its elasticity",
    async (solver, substeps) => {
      cloth.dispose();
      const cube = CreateBox("cube", { size: 0.4 }, t.scene);
      cube.position.set(0, 1, 0);
      const options = {
        solver,
        youngsModulus: 2e4,
        density: 500,
        resolution: 4,
        gravityFactor: 0,
        airDensity: 0,
        damping: 8,
        substeps,
      };
      const soft = new SoftBodyAggregate(cube, options, t.scene);
      t.scene.render();
      const starts: unknown[] = [];
      drag.onDragStartObservable.add((taken) => starts.push(taken));
      const { body } = soft;
      /** middle of the corners, and their largest distance from it, which rotation does not change [m] */
      const corners = async (): Promise<{ middle: Vector3; reach: number }> => {
        const positions = await soft.readPositions();
        const points = Array.from({ length: positions.length / 3 }, (_, p) => Vector3.FromArray(positions, 3 * p));
        const middle = points.reduce((sum, point) => sum.add(point), Vector3.Zero()).scale(1 / points.length);
        return { middle, reach: Math.max(...points.map((point) => Vector3.Distance(point, middle))) };
      };
      const before = await corners();
      const front = new Vector3(0, 1, -0.2);
      await press(front);
      expect(starts).toEqual([soft]);
      const held = Array.from({ length: body.model.particleCount }, (_, p) => p).filter((p) => body.isPinned(p));
      expect(held.length).toBeGreaterThan(0);
      pointAt(front.add(new Vector3(0.3, 0, 0)));
      send(PointerEventTypes.POINTERMOVE);
      t.run(3);
      const pulled = await body.readPositions();
      for (const p of held) expect(pulled[3 * p] - body.model.positions[3 * p]).toBeCloseTo(0.3, 2);
      // the corners lag behind the held vertices
      expect((await corners()).middle.x).toBeLessThan(0.2);
      send(PointerEventTypes.POINTERUP);
      expect(drag.dragging).toBe(false);
      t.run(25);
      const after = await corners();
      // it followed, and has recovered its shape
      expect(after.middle.x).toBeGreaterThan(0.1);
      expect(Math.abs(after.reach / before.reach - 1)).toBeLessThan(0.03);
    },
  );

  it.each([
    ["gpbd", 0.5],
    ["local-global", 0.5],
    ["local-global", 0.05],
    ["newton", 0.5],
    ["newton", 0.05],
  ] as const)("%s: pulls a free sheet with at most %f N", async (solver, maxForce) => {
    cloth.dispose();
    camera.removeBehavior(drag);
    camera.addBehavior(new ClothDragBehavior({ radius: 0.15, maxForce }));
    const sheet = makeSheet(t.scene, 1, 8);
    sheet.rotation.x = -Math.PI / 2;
    const still = solver === "newton" ? {} : { airDensity: 0 };
    cloth = new ClothAggregate(sheet, { solver, gravityFactor: 0, ...still }, t.scene);
    t.scene.render();
    await press(new Vector3(0, 1, 0));
    const frames = 12;
    for (let frame = 0; frame < frames; frame++) {
      pointAt(new Vector3(1, 1, 0));
      send(PointerEventTypes.POINTERMOVE);
      t.run(1);
    }
    const { velocities } = await cloth.body.readState();
    const momentum = cloth.body.model.masses.reduce((sum, mass, p) => sum + mass * velocities[3 * p], 0);
    expect(momentum).toBeLessThan((1.05 * maxForce * frames) / 60);
    expect(momentum).toBeGreaterThan((0.5 * maxForce * frames) / 60);
  });
});
