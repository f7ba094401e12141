/** Sweeps over joints of rods in f64 by WebAssembly SIMD, see assembly/rod-kernels.ts. */
import { type RodKernels, rodKernelsModule } from "../../../generated/rod-kernels";
import { inflatedModule, roomIn } from "../../../math/wasm";
import type { JointSweep, JointValues } from "./cpu-rods";
import { REST, type RodSet } from "./rod-set";

/** Bytes that the kernel works with. */
const SCRATCH = 2832;

/** The memory of the kernel: bodies take it in turns, as they are swept one after another. */
export class RodMemory {
  /** the body that has its joints in the memory */
  owner: object | undefined;

  private constructor(readonly kernels: RodKernels) {}

  /** @returns undefined where there is no WebAssembly, or not its SIMD, or where a content security policy forbids it */
  static async load(): Promise<RodMemory | undefined> {
    const kernels = await inflatedModule<RodKernels>(rodKernelsModule);
    return kernels && new RodMemory(kernels);
  }
}

/** Numbers of each kind of value of a body. */
type Counts = Readonly<Record<keyof JointValues, number>>;

const NAMES = ["x", "start", "w", "frames", "turns", "turnW", "tracked", "trackedTurns"] as const;
/** The values that a sweep changes. */
const CHANGED = ["x", "turns", "tracked", "trackedTurns"] as const;

/** The sweep of one body. */
export class RodKernel implements JointSweep {
  private values: JointValues | undefined;
  /** joints that the last sweep left over */
  private left = new Uint32Array();
  private readonly counts: Counts;
  private readonly places;

  constructor(
    private readonly memory: RodMemory,
    private readonly rods: RodSet,
    particleCount: number,
  ) {
    const { jointCount } = rods;
    const edgeCount = rods.inertias.length;
    const x = 3 * particleCount;
    this.counts = {
      x,
      start: x,
      w: particleCount,
      frames: 4 * edgeCount,
      turns: edgeCount,
      turnW: edgeCount,
      tracked: 9 * jointCount,
      trackedTurns: 2 * jointCount,
    };
    let end = SCRATCH;
    const take = (bytes: number): number => (end += bytes) - bytes;
    const numbers = NAMES.map((name) => [name, take(8 * this.counts[name])]);
    this.places = {
      ...(Object.fromEntries(numbers) as Counts),
      rest: take(8 * REST * jointCount),
      particles: take(12 * jointCount),
      edges: take(8 * jointCount),
      list: take(4 * jointCount),
      end,
    };
  }

  sweep(values: JointValues, h: number, share: number, left: (values: JointValues, joint: number) => void): void {
    const { rods, places } = this;
    const { x, start, w, frames, turns, turnW, tracked, trackedTurns, rest, particles, edges, list } = places;
    const own = this.enter();
    for (const name of NAMES) own[name].set(values[name]);
    const { kernels } = this.memory;
    const viscosity = rods.damping / h;
    for (let color = 0; color + 1 < rods.colours.length; color++) {
      const count = kernels.joints(
        rods.colours[color],
        rods.colours[color + 1],
        particles,
        edges,
        rest,
        tracked,
        trackedTurns,
        x,
        start,
        w,
        frames,
        turns,
        turnW,
        viscosity,
        share,
        0,
        list,
      );
      for (let k = 0; k < count; k++) left(own, this.left[k]);
    }
    for (const name of CHANGED) values[name].set(own[name]);
  }

  /** Brings the joints into the memory, unless they are there. @returns the values in it */
  private enter(): JointValues {
    const { memory, rods, places, counts } = this;
    const buffer = roomIn(memory.kernels.memory, places.end);
    if (this.values?.x.buffer !== buffer) {
      const view = (name: keyof JointValues) => [name, new Float64Array(buffer, places[name], counts[name])];
      this.values = Object.fromEntries(NAMES.map(view)) as Record<keyof JointValues, Float64Array<ArrayBuffer>>;
      this.left = new Uint32Array(buffer, places.list, rods.jointCount);
    }
    if (memory.owner !== this) {
      memory.owner = this;
      new Float64Array(buffer, places.rest, rods.rest.length).set(rods.rest);
      new Uint32Array(buffer, places.particles, rods.vertices.length).set(rods.vertices);
      new Uint32Array(buffer, places.edges, rods.joints.length).set(rods.joints);
    }
    return this.values;
  }
}
