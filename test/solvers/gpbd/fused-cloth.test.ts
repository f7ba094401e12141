import { beforeAll, expect, it, vi } from "vitest";
import { Kernel } from "../../../src/gpu/kernel";
import type { ClothDescription } from "../../../src/models/gpbd/cloth";
import { FusedCloth } from "../../../src/solvers/gpbd/fused/fused-cloth";
import type { GpbdOptions } from "../../../src/solvers/gpbd/options";
import { WindField } from "../../../src/solvers/wind/wind-field";
import { fusedPart } from "../../../src/world/backend/sheet-parts";
import type { DeformableBody } from "../../../src/world/body";
import type { World } from "../../../src/world/world";
import { gridCloth, verticesWhere } from "../../world/cloths";
import { frameTime, inWorld } from "../../world/worlds";

beforeAll(() => fusedPart.load());

interface Case {
  readonly name: string;
  readonly cells: number;
  readonly size: number;
  readonly cloth: Omit<ClothDescription, "positions" | "indices" | "uvs">;
  readonly options: Partial<GpbdOptions>;
  readonly isPinned?: boolean;
  /** adds obstacles, and gives what moves them */
  readonly obstacles?: (world: World) => ((frame: number) => void) | void;
}

const cases: Case[] = [
  {
    name: "a coarse sheet by two corners, with tethers and wind, and a small ball that moves into its faces",
    cells: 7,
    size: 1,
    cloth: { fabric: "cotton" },
    options: { substeps: 12, tethers: true, wind: [1, 0.5, 0] },
    isPinned: true,
    obstacles(world) {
      world.wind = new WindField({ turbulence: { speed: 2, size: 0.5 } });
      world.wind.addZone({ kind: "vortex", speed: 3 });
      const ball = world.addCollider({ type: "sphere", radius: 0.1 }, { position: [0.03, -0.108, 0.02] });
      return (frame) => ball.setPose([0.03, -0.108 + 0.01 * frame, 0.02]);
    },
  },
  {
    name: "a curved sheet of rubber, all elements at once",
    cells: 13,
    size: 2,
    cloth: { fabric: "rubber-sheet", membrane: "neo-hookean", bending: "dihedral" },
    options: { substeps: 9, method: "jacobi", damping: 1, airDensity: 0 },
    isPinned: true,
  },
];

const more: Case[] = [
  {
    name: "a free sheet on a box, in the wind",
    cells: 24,
    size: 1,
    cloth: { fabric: "cotton" },
    options: { substeps: 41, wind: [0.5, 0.2, 0] },
    obstacles: (world) =>
      void world.addCollider({ type: "box", halfExtents: [0.3, 0.05, 0.2] }, { position: [0.02, -0.056, 0.01] }),
  },
  {
    name: "a fine sheet by two corners, with two iterations of Newton, and a box that moves into it",
    cells: 17,
    size: 0.5,
    cloth: { fabric: "denim" },
    options: { substeps: 11, tethers: true, newtonIterations: 2 },
    isPinned: true,
    obstacles(world) {
      const box = world.addCollider({ type: "box", halfExtents: [0.1, 0.05, 0.1] }, { position: [0, -0.06, 0] });
      return (frame) => box.setPose([0, -0.06 + 0.01 * frame, 0]);
    },
  },
  {
    name: "one color after another, on the rim of a cylinder",
    cells: 16,
    size: 1,
    cloth: { fabric: "silk", bending: "isometric" },
    options: { substeps: 21, method: "gauss-seidel", relaxation: 1.2 },
    obstacles: (world) =>
      void world.addCollider({ type: "cylinder", pointA: [0, -0.2, 0], pointB: [0, -0.006, 0], radius: 0.2 }),
  },
];

const FRAMES = 5;

type Way = "stages" | "oneDispatch" | "patches";

function addSheet(world: World, { cells, size, cloth, options, isPinned }: Case, way: Way): DeformableBody {
  const model = gridCloth({ width: size, height: size, columns: cells, rows: cells }, cloth);
  const pins = isPinned ? verticesWhere(model.positions, (x, _, z) => Math.min(Math.abs(x), -z) > 0.49 * size) : [];
  return world.addBody(model, { pins, [way === "stages" ? "damping" : way]: way === "stages" ? 0 : true, ...options });
}

async function bytesAfter(test: Case, way: Way): Promise<[Float64Array, Float64Array]> {
  return inWorld("webgpu", {}, async (world) => {
    const body = addSheet(world, test, way);
    const move = test.obstacles?.(world);
    for (let frame = 0; frame < FRAMES; frame++) {
      move?.(frame);
      world.step(frameTime);
    }
    const { positions, velocities } = await body.readState();
    return [Float64Array.from(positions), Float64Array.from(velocities)];
  });
}

const both = (test: Case) => (["oneDispatch", "patches"] as const).map((way) => ({ ...test, way }));
/** A software adapter takes seconds to compile each of these. */
const some = [
  { ...cases[0], way: "oneDispatch" },
  { ...cases[1], way: "patches" },
] as const;

it.each(process.env.PLIANT_FUSED ? [...cases, ...more].flatMap(both) : some)(
  "$way moves $name to the same bytes as a dispatch for each stage",
  async (test) => {
    const taken = vi.spyOn(FusedCloth.prototype, "step");
    const dispatch = vi.spyOn(Kernel.prototype, "dispatchWorkgroups");
    const one = await bytesAfter(test, test.way);
    const perFrame = dispatch.mock.calls.length / FRAMES;
    dispatch.mockRestore();
    if (test.way === "oneDispatch") expect(perFrame).toBe(1);
    // two substeps at a time at least, if there are no tethers
    else expect(perFrame).toBeLessThanOrEqual(2 + Math.ceil(test.options.substeps! / (test.options.tethers ? 1 : 1.5)));
    expect(taken.mock.results.map(({ value }) => value as boolean)).toEqual(Array.from({ length: FRAMES }, () => true));
    taken.mockClear();
    const many = await bytesAfter(test, "stages");
    expect(taken).not.toHaveBeenCalled();
    taken.mockRestore();
    expect(one).toEqual(many);
    // It has moved, and what rises does so at the obstacle's speed.
    const up = one[1].filter((_, i) => i % 3 === 1);
    expect(Math.max(...up.map(Math.abs))).toBeGreaterThan(0.05);
    if (test.obstacles && test.isPinned) expect(Math.max(...up)).toBeGreaterThan(0.3);
  },
);
