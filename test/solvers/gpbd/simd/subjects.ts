import { random } from "../../../../samples/rigid";
import { type ColliderEntry, ColliderSet, type ColliderState } from "../../../../src/collision/obstacles/collider-set";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import { boxOf } from "../../../../src/geometry/box";
import type { ClothModel } from "../../../../src/models/gpbd/cloth";
import type { FrameInput, PinTable } from "../../../../src/solvers/deformable";
import { CpuGpbdSolver } from "../../../../src/solvers/gpbd/cpu/cpu-solver";
import { defaultOptions, type GpbdOptions } from "../../../../src/solvers/gpbd/options";
import { type ClothMemory, loadClothMemory } from "../../../../src/solvers/gpbd/simd/cloth-memory";
import { CpuTethers } from "../../../../src/solvers/gpbd/tethers/cpu-tethers";
import { SimdCloth } from "../../../../src/solvers/gpbd/simd/simd-cloth";

export interface Setting {
  readonly options?: Partial<GpbdOptions>;
  readonly pinned?: readonly number[];
  /** part of an edge by which particles are moved at random at the start, and their speed [m/s] */
  readonly shaken?: readonly [number, number];
  readonly obstacles?: readonly (readonly [ColliderShape, ColliderState])[];
  /** factor of all places at the start */
  readonly stretch?: number;
  /** part of its length that a tether gives; without, there are no tethers */
  readonly slack?: number;
}

let memory: Promise<ClothMemory | undefined> | undefined;

/** A body by itself, in f32 or in f64, with obstacles of its own. */
export class Subject {
  readonly solver: CpuGpbdSolver;
  readonly colliders = new ColliderSet();
  readonly ids: readonly ColliderEntry[];
  readonly options: GpbdOptions;
  readonly pins: PinTable;
  private frame = 0;

  private constructor(
    readonly model: ClothModel,
    private readonly setting: Setting,
    fast: ClothMemory | undefined,
  ) {
    this.solver = new CpuGpbdSolver(model, undefined, undefined, undefined, undefined, undefined, undefined, (solver) =>
      fast ? SimdCloth.of(fast, solver) : undefined,
    );
    const { options, pinned = [], obstacles = [] } = setting;
    this.options = { ...defaultOptions, substeps: 1, ...options };
    this.pins = {
      pinned: Uint8Array.from({ length: model.particleCount }, (_, p) => Number(pinned.includes(p))),
      targets: model.positions.slice(),
      changed: false,
    };
    this.ids = obstacles.map(([shape, state]) => this.colliders.add(shape, state));
  }

  /** The same body in f64 and in f32. */
  static async pair(model: ClothModel, setting: Setting, seed = 1): Promise<readonly [Subject, Subject]> {
    memory ??= loadClothMemory();
    const [exact, fast] = [new Subject(model, setting, undefined), new Subject(model, setting, await memory)];
    const next = random(seed);
    const [way, speed] = setting.shaken ?? [0, 0];
    const { positions, velocities } = exact.solver.state;
    for (let i = 0; i < positions.length; i++) {
      positions[i] = (setting.stretch ?? 1) * positions[i] + way * (2 * next() - 1);
      velocities[i] = speed * (2 * next() - 1);
    }
    fast.goOnFrom(exact);
    return [exact, fast];
  }

  goOnFrom({ solver: { state } }: Subject): void {
    this.solver.state.positions.set(state.positions);
    this.solver.state.velocities.set(state.velocities);
  }

  step(dt = 1 / 60): void {
    this.colliders.update();
    const frame = { dt, frame: ++this.frame, gravity: [0, -9.81, 0], colliders: this.colliders } as const;
    const { slack } = this.setting;
    if (slack !== undefined) this.tether(frame);
    this.solver.step(frame, { ...this.options, tetherSlack: slack }, this.pins);
    this.colliders.endFrame();
  }

  private tether(frame: FrameInput): void {
    const { solver, model, pins } = this;
    solver.tethers ??= new CpuTethers();
    const box = boxOf(solver.state.positions);
    const place = { arealMass: 0.15, box, isReach: false, load: 0 };
    solver.tethers.adapt(model, frame, { ...this.options, tethers: true }, pins, place);
  }

  /** Distances of the particles from those of another body [m]. */
  apart({ solver: { state } }: Subject): Float64Array {
    const { positions } = this.solver.state;
    return Float64Array.from({ length: this.model.particleCount }, (_, p) =>
      Math.hypot(...[0, 1, 2].map((c) => positions[3 * p + c] - state.positions[3 * p + c])),
    );
  }
}
