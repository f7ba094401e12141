/** Rigid bodies that slide over cloth on the ground: particles in front of their rims are no steps. */
import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { clothModel, fabrics, type ColliderShape } from "../../src/index";
import { inWorld, type BackendName } from "./worlds";

const G = 9.81;
const THICKNESS = 0.004;

interface Slide {
  readonly friction: number;
  readonly speed: number;
  /** of the bodies and the carpet */
  readonly size: number;
  readonly columns: number;
  /** of the body about the vertical [rad] */
  readonly angle?: number;
  readonly shape?: "box" | "hull";
  /** whether the long edges of the carpet are held */
  readonly isHeld?: boolean;
}

function shapeOf({ size, shape }: Slide): ColliderShape {
  const halfExtents: [number, number, number] = [0.12 * size, 0.05 * size, 0.12 * size];
  if (shape !== "hull") return { type: "box", halfExtents };
  const positions = Float64Array.from(
    { length: 24 },
    (_, i) => halfExtents[i % 3] * ((i / 3) & (1 << (i % 3)) ? 1 : -1),
  );
  return { type: "convex-hull", positions };
}

/** Way and highest rise in some frames [m]. */
function slide(backend: BackendName | "reference", given: Slide, frames: number) {
  const { friction, speed, size, columns, angle = 0, isHeld = true } = given;
  return inWorld(backend, { gravity: [0, -G, 0] }, async (world) => {
    world.addCollider({ type: "box", halfExtents: [20, 0.5, 20] }, { position: [0, -0.5 - THICKNESS, 0], friction: 1 });
    const mesh = gridMesh({ width: 3 * size, height: 0.6 * size, columns, rows: Math.round(columns / 5) });
    const edges = [...Array(mesh.positions.length / 3).keys()].filter(
      (v) => Math.abs(mesh.positions[3 * v + 2]) > 0.29 * size,
    );
    const pins = isHeld ? edges : [];
    world.addBody(clothModel({ ...mesh, fabric: fabrics.denim }), {
      friction,
      airDensity: 0,
      pins,
      thickness: THICKNESS,
    });
    const height = 0.05 * size + THICKNESS;
    const body = world.addRigidBody({
      shape: shapeOf(given),
      mass: 2,
      friction,
      position: [-size, height, 0],
      rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
      linearVelocity: [speed, 0, 0],
    });
    let rise = 0;
    for (let frame = 0; frame < frames; frame++) {
      world.step(1 / 60);
      await world.settled();
      rise = Math.max(rise, body.position[1] - height);
    }
    return { way: body.position[0] + size, rise };
  });
}

/** Way of what slides with a friction coefficient [m]. */
function wayOf({ friction, speed }: Slide, frames: number): number {
  const time = Math.min(frames / 60, speed / (friction * G));
  return speed * time - 0.5 * friction * G * time * time;
}

describe("what slides over a carpet goes as far as friction says", () => {
  describe.each(["reference", "cpu"] as const)("on %s", (backend) => {
    it.each<Slide>([
      { friction: 0, speed: 2, size: 1, columns: 30 },
      { friction: 0.3, speed: 2, size: 1, columns: 30 },
      { friction: 0.3, speed: 2, size: 1, columns: 30, isHeld: false, shape: "hull" },
      { friction: 0.3, speed: 2, size: 1, columns: 60, angle: 0.4 },
      { friction: 0.3, speed: 0.7, size: 0.3, columns: 30, angle: 0.3 },
      { friction: 0.3, speed: 4, size: 3, columns: 30 },
      { friction: 0.1, speed: 1, size: 1, columns: 30, angle: 0.2, isHeld: false },
    ])("%j", async (given) => {
      const { way, rise } = await slide(backend, given, 60);
      expect(way / wayOf(given, 60)).toBeGreaterThan(0.95);
      expect(way / wayOf(given, 60)).toBeLessThan(1.03);
      expect(rise).toBeLessThan(5e-4 * Math.max(1, given.size));
    });
  });

  // All holds of a body are solved at once there.
  it.each<Slide>([
    { friction: 0, speed: 2, size: 1, columns: 30 },
    { friction: 0.3, speed: 2, size: 1, columns: 30, angle: 0.3 },
  ])("on webgpu: %j", async (given) => {
    const { way, rise } = await slide("webgpu", given, 15);
    expect(way / wayOf(given, 15)).toBeGreaterThan(0.9);
    expect(way / wayOf(given, 15)).toBeLessThan(1.03);
    expect(rise).toBeLessThan(3e-3);
  });
});
