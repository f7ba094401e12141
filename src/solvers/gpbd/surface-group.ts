import type { SurfaceContactSettings } from "../../collision/surface/surface-contact";
import type { SurfacePart } from "../../collision/surface/surface-mesh";
import type { FrameInput, PinTable } from "../deformable";
import type { GpbdModel } from "./model";
import type { GpbdOptions } from "./options";
import { stepPhases, type PhasedSolver, type ProxyStage, type SurfaceStage } from "./phases";

/** A solver whose body may touch others. */
export interface GroupedSolver extends PhasedSolver {
  readonly model: GpbdModel;
  beginFrame(frame: FrameInput, options: Readonly<GpbdOptions>, pins: PinTable): void;
}

/** Surface contact of a group on a backend. */
export interface GroupSurfaces extends SurfaceStage {
  beginFrame(frame: FrameInput, substeps: number, settings: SurfaceContactSettings): void;
  dispose(): void;
}

/** What the group needs of a backend. */
export interface GroupBackend<Solver extends GroupedSolver> {
  createSurfaces(solvers: readonly Solver[], parts: readonly SurfacePart[]): GroupSurfaces;
  createProxies(frame: FrameInput, solvers: readonly Solver[], substeps: number): ProxyStage | undefined;
}

interface Member<Solver> {
  readonly solver: Solver;
  readonly options: Readonly<GpbdOptions>;
  readonly pins: PinTable;
}

/**
 * Speed at which surfaces that are nearer than they may be part [m/s]. In a stack the speeds of all layers add up, and at rest what a
 * load presses together is parted again and again: with 0.4 a sheet folded twice kept moving at 0.03 m/s.
 */
const PARTING_SPEED = 0.05;

/**
 * Bodies of a world whose surfaces touch each other or themselves. They are stepped side by side, with the substeps and iterations
 * of the one that needs most.
 */
export class SurfaceGroup<Solver extends GroupedSolver> {
  private members: Member<Solver>[] = [];
  private surfaces: GroupSurfaces | undefined;
  private joined: readonly Solver[] = [];
  private joinedFlags = "";

  constructor(private readonly backend: GroupBackend<Solver>) {}

  /** A body says for each frame whether it takes part. */
  join(solver: Solver, options: Readonly<GpbdOptions>, pins: PinTable): void {
    if (options.selfCollision || options.bodyCollision) this.members.push({ solver, options, pins });
  }

  /**
   * Steps all that have joined when the first of them is to be stepped.
   *
   * @returns false when this solver has not joined, and is to step by itself
   */
  step(solver: Solver, frame: FrameInput): boolean {
    if (this.stepped.frame === frame && this.stepped.solvers.has(solver)) return true;
    const { members } = this;
    if (!members.some((member) => member.solver === solver)) return false;
    this.members = [];
    this.stepped = { frame, solvers: new Set(members.map((member) => member.solver)) };
    const solvers = members.map((member) => member.solver);
    const most = (key: "substeps" | "iterations"): number => Math.max(...members.map(({ options }) => options[key]));
    const shared = { substeps: most("substeps"), iterations: most("iterations") };
    this.connect(members);
    for (const member of members) member.solver.beginFrame(frame, { ...member.options, ...shared }, member.pins);
    this.surfaces!.beginFrame(frame, shared.substeps, {
      thickness: Math.max(...members.map(({ options }) => options.selfThickness ?? options.thickness)),
      friction: members.map(({ options }) => options.friction),
      partingSpeed: PARTING_SPEED,
    });
    stepPhases(solvers, shared, this.backend.createProxies(frame, solvers, shared.substeps), this.surfaces);
    return true;
  }

  private stepped: { frame: FrameInput | undefined; solvers: ReadonlySet<Solver> } = {
    frame: undefined,
    solvers: new Set(),
  };

  /** A body that is gone takes along what was set up for it. */
  leave(solver: Solver): void {
    if (!this.joined.includes(solver)) return;
    this.surfaces?.dispose();
    this.surfaces = undefined;
    this.joined = [];
  }

  /** Pairs are found anew when bodies came or went. */
  private connect(members: readonly Member<Solver>[]): void {
    const flags = members.map(({ options }) => `${options.selfCollision}${options.bodyCollision}`).join();
    const isSame =
      flags === this.joinedFlags &&
      members.length === this.joined.length &&
      members.every(({ solver }, k) => solver === this.joined[k]);
    if (isSame && this.surfaces) return;
    this.surfaces?.dispose();
    this.joinedFlags = flags;
    this.joined = members.map(({ solver }) => solver);
    this.surfaces = this.backend.createSurfaces(
      this.joined,
      members.map(({ solver, options }) => ({
        restPositions: solver.model.positions,
        faces: solver.model.faces,
        edges: solver.model.rods?.edges,
        selfCollision: options.selfCollision,
        bodyCollision: options.bodyCollision,
      })),
    );
  }
}
