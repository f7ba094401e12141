import { massOf } from "../../mass";
import type { PlacedSurface } from "../../../collision/surface/free-surfaces";
import type { SurfaceContactSettings } from "../../../collision/surface/surface-contact";
import type { NearestPlaces } from "../../../collision/surface/nearest-places";
import type { SurfaceMesh, SurfacePart } from "../../../collision/surface/surface-mesh";
import type { DeformableSystem, FrameInput, PinTable, StepCounts } from "../../deformable";
import type { Waits } from "../cpu/waits";
import type { CpuGuard } from "../guard/cpu-guard";
import type { Presser } from "../guard/hold-between";
import { areGuests, distanceOf, Encounters, type Encountered, type Member } from "./encounters";
import type { GpbdStepOptions } from "../options";
import { type GuardStage, stepPhases, type PhasedSolver, type ProxyStage, type SurfaceStage, turnOf } from "../phases";

/** A solver whose body may touch others. */
export interface GroupedSolver extends PhasedSolver, Encountered {
  /** A frame by itself. */
  step(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void;
  beginFrame(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void;
  /** Options of the frame, when it is known where everything is. @param load of bodies that it may touch [kg] */
  adapt?(
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    load: number,
  ): Readonly<GpbdStepOptions>;
}

/** A body on the CPU whose surface may touch others. */
export interface CpuGroupedSolver extends GroupedSolver, Presser {
  /** velocities of bodies that finish their substeps themselves */
  readonly state: { readonly positions: Float64Array; readonly velocities?: Float64Array };
  readonly guard?: CpuGuard | undefined;
  /** Tells it how to leave out tests of contact that find nothing; pages with one sheet do not need that. */
  waitWith?(makes: typeof Waits): void;
  /** Takes back a part of the impulses of the substep; of guests, of those that it was given. */
  giveBack?(part: number): void;
  /** Contact of its vertices alone with obstacles. */
  projectParticles?(substep: number): void;
  /** Which pairs with guests push; of a guest, as pages without any do not load that. */
  nearestPlaces?(mesh: SurfaceMesh, solvers: readonly CpuGroupedSolver[]): NearestPlaces;
}

/** Settings of contact between the surfaces of a group in a frame. */
export interface GroupSettings extends SurfaceContactSettings {
  /** bodies × bodies, see `SurfaceMesh.keeps` */
  readonly keeps: Float64Array;
  /** of each body [m], and factors of its particles, see `setThinner` */
  readonly distances: readonly number[];
  readonly thicknessFactors: readonly (ArrayLike<number> | undefined)[] | undefined;
  /** places of bodies that are attached to each other */
  readonly tied: readonly (readonly [number, number])[];
}

/** Surface contact of a group on a backend. */
export interface GroupSurfaces extends SurfaceStage {
  /** @param turn substeps of a turn, see `SurfaceStage` */
  beginFrame(frame: FrameInput, substeps: number, turn: number, settings: GroupSettings): void;
  /** of bodies that have begun their frame, those with a guard together; undefined where there are none */
  openAccount(): GuardStage | undefined;
  dispose(): void;
}

/** The parts of a backend that the group needs. */
export interface GroupBackend<Solver extends GroupedSolver> {
  /** whether it has other stages for bodies that may have turns */
  gathers?(): boolean;
  /** as in free-surfaces.ts */
  areFree(a: PlacedSurface, b: PlacedSurface, least: number): boolean;
  /** @param mode 0 for turns of a substep, 1 for longer ones, 2 for other stages */
  createSurfaces(solvers: readonly Solver[], parts: readonly SurfacePart[], mode: number): GroupSurfaces;
  createProxies(frame: FrameInput, solvers: readonly Solver[], substeps: number): ProxyStage | undefined;
  /** For the frames of so many bodies or groups of them, one after the other; undefined where each is by itself. */
  separate?(frame: FrameInput, count: number): FramesOfMany | undefined;
}

/** Separates frames that share rigid bodies. */
interface FramesOfMany {
  begin(): void;
  end(): void;
  finish(): void;
}

/** Attachments of bodies to each other, see ties/clusters.ts. */
interface Ties<Solver> {
  /** Joins lists of bodies that are attached. */
  join(groups: readonly (readonly Member<Solver>[])[]): (readonly Member<Solver>[])[];
  /** Whether two bodies are attached to each other: they do not touch. */
  connects(a: Solver, b: Solver): boolean;
  /** The bodies as they step together, after all of them have begun the frame. */
  tie(members: readonly Member<Solver>[], frame: FrameInput, substeps: number): readonly PhasedSolver[];
}

/** Surface contact that was set up for bodies that have touched. */
interface Connection<Solver> {
  readonly solvers: readonly Solver[];
  readonly surfaces: GroupSurfaces;
  readonly mode: number;
  /** number of the frame in which it was of use last */
  usedIn: number;
}

/**
 * Speed at which surfaces that are nearer than they may be part [m/s]. In a stack the speeds of all layers add up, and at rest layers
 * that a load presses together part again and again: with 0.4 a sheet folded twice kept moving at 0.03 m/s.
 */
const PARTING_SPEED = 0.05;
/** Frames for which the connection of some bodies is kept after they have parted. */
const KEEP_FRAMES = 300;

/**
 * Half of the substeps for what is far: its time step is twice as long, as in a step every second frame, but contact, attachments and what is
 * drawn stay those of every frame. Cloth that bears bodies keeps all, and yarn-level cloth those in which its sweeps are sound.
 */
function paced(
  { sweptAtOnceBelow }: GroupedSolver["model"],
  options: Readonly<GpbdStepOptions>,
): Readonly<GpbdStepOptions> {
  if (!options.isFar || options.isLoaded || sweptAtOnceBelow) return options;
  return { ...options, substeps: Math.ceil(options.substeps / 2) };
}

/** Members of a group with their options of the frame. */
function settled<Solver extends GroupedSolver>(
  members: readonly Member<Solver>[],
  frame: FrameInput,
): readonly Member<Solver>[] {
  const masses = members.map(({ solver }) => massOf(solver.model));
  const all = masses.reduce((sum, mass) => sum + mass, 0);
  return members.map((member, k) => {
    const { solver, options, pins } = member;
    return {
      ...member,
      options: paced(solver.model, solver.adapt?.(frame, options, pins, all - masses[k]) ?? options),
    };
  });
}

/**
 * All bodies of GPBD in a world. Bodies whose surfaces may come to touch in a frame are stepped side by side, with the substeps and
 * iterations of the one that needs most; a body that touches no other steps by itself.
 */
export class SurfaceGroup<Solver extends GroupedSolver> implements DeformableSystem {
  readonly isImplicit = false;
  private members: Member<Solver>[] = [];
  private readonly encounters: Encounters<Solver> = new Encounters(this.backend.areFree);
  private connections: Connection<Solver>[] = [];
  /** hears of bodies that are about to step together */
  onTogether: ((solvers: readonly Solver[]) => void) | undefined;
  /** undefined while no body is attached to another */
  ties: Ties<Solver> | undefined;

  constructor(private readonly backend: GroupBackend<Solver>) {}

  /** A body takes part in the next frame. */
  join(solver: Solver, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    const { frictionFactors, thicknessFactors } = solver.model;
    const isPlain = !frictionFactors && !thicknessFactors;
    this.members.push({ solver, options: isPlain ? options : { ...options, frictionFactors, thicknessFactors }, pins });
  }

  step(frame: FrameInput): void {
    const members = this.members.splice(0);
    const groups = this.groupsOf(members, frame);
    // The first of a group steps all of it.
    const firsts = members.filter(({ solver }) => (groups.get(solver)?.[0].solver ?? solver) === solver);
    const frames = this.backend.separate?.(frame, firsts.length);
    for (const member of firsts) {
      frames?.begin();
      const group = groups.get(member.solver);
      const together = settled(group ?? [member], frame);
      const steps = group ? this.stepTogether(together, frame) : together[0].options;
      if (!group) member.solver.step(frame, together[0].options, member.pins);
      frames?.end();
      frame.onStepped?.(
        together.map(({ solver }) => solver),
        steps,
      );
    }
    frames?.finish();
    this.drop(({ usedIn }) => Math.abs(frame.frame - usedIn) > KEEP_FRAMES);
  }

  /** A body is gone: drops its connections. */
  leave(solver: Solver): void {
    this.forget(solver);
    this.drop(({ solvers }) => solvers.includes(solver));
  }

  /** A body was put somewhere else. */
  forget(solver: Solver): void {
    this.encounters.forget(solver);
  }

  /** The group that each body steps with. */
  private groupsOf(members: readonly Member<Solver>[], frame: FrameInput): Map<Solver, readonly Member<Solver>[]> {
    const groups = new Map<Solver, readonly Member<Solver>[]>();
    const mayMeet = ({ solver, options, pins }: Member<Solver>): boolean =>
      solver.isFrozen !== true && (options.selfCollision || options.bodyCollision || pins.proxies !== undefined);
    const near = this.encounters.groups(members.filter(mayMeet), frame);
    const alone = this.ties ? members.filter((member) => !mayMeet(member)).map((member) => [member]) : [];
    for (const group of this.ties?.join([...near, ...alone]) ?? near)
      if (group.length > 1 || group[0].options.selfCollision) for (const { solver } of group) groups.set(solver, group);
    return groups;
  }

  private stepTogether(members: readonly Member<Solver>[], frame: FrameInput): StepCounts {
    const solvers = members.map(({ solver }) => solver);
    const most = (key: "substeps" | "iterations"): number => Math.max(...members.map(({ options }) => options[key]));
    const shared = { substeps: most("substeps"), iterations: most("iterations") };
    const settings = this.settings(members);
    // Rigid bodies, accounts of energy, frames of rods and what is attached see what surfaces do in each substep.
    const mayTurn =
      !this.ties &&
      frame.colliders.proxies.length === 0 &&
      !solvers.some(({ guard, isGuest, model }) => guard || isGuest || model.rods);
    const turn = mayTurn ? turnOf(shared.substeps) : 1;
    const mode = mayTurn ? (this.backend.gathers?.() ? 2 : Number(turn > 1)) : 0;
    // Attached bodies may step together without touching.
    const surfaces = settings.keeps.some((share) => share > 0) ? this.connect(members, frame, mode) : undefined;
    this.onTogether?.(solvers);
    for (const { solver, options, pins } of members) solver.beginFrame(frame, { ...options, ...shared }, pins);
    surfaces?.beginFrame(frame, shared.substeps, turn, settings);
    const proxies = this.backend.createProxies(frame, solvers, shared.substeps);
    const stepped = this.ties?.tie(members, frame, shared.substeps) ?? solvers;
    stepPhases(stepped, { ...shared, turn }, proxies, surfaces, surfaces?.openAccount());
    return shared;
  }

  private settings(members: readonly Member<Solver>[]): GroupSettings {
    const distances = members.map(({ options }) => distanceOf(options));
    const thickness = Math.max(...distances);
    const tied: [number, number][] = [];
    const keeps = members.flatMap((a, k) =>
      members.map((b, l) => {
        const isTied = this.ties?.connects(a.solver, b.solver) ?? false;
        if (isTied) tied.push([k, l]);
        const mayTouch =
          k === l
            ? a.options.selfCollision
            : a.options.bodyCollision &&
              b.options.bodyCollision &&
              !areGuests(a, b) &&
              !isTied &&
              !this.encounters.passThrough(a.solver, b.solver);
        return mayTouch ? (distances[k] + distances[l]) / (2 * thickness) : 0;
      }),
    );
    return {
      thickness,
      keeps: Float64Array.from(keeps),
      distances,
      tied,
      friction: members.map(({ options }) => options.friction),
      frictionFactors: factorsOf(members, "frictionFactors"),
      thicknessFactors: factorsOf(members, "thicknessFactors"),
      partingSpeed: PARTING_SPEED,
    };
  }

  /** Surface contact for exactly these bodies: known, or set up now. */
  private connect(members: readonly Member<Solver>[], { frame }: FrameInput, mode: number): GroupSurfaces {
    const solvers = members.map(({ solver }) => solver);
    let connection = this.connections.find(
      (known) =>
        known.mode === mode &&
        known.solvers.length === solvers.length &&
        known.solvers.every((solver, k) => solver === solvers[k]),
    );
    if (!connection) {
      const parts = members.map(({ solver: { model }, options: { selfCollision, bodyCollision } }) => ({
        restPositions: model.positions,
        faces: model.faces,
        edges: model.rods?.edges,
        selfCollision,
        bodyCollision,
      }));
      const surfaces = this.backend.createSurfaces(solvers, parts, mode);
      connection = { solvers, surfaces, mode, usedIn: frame };
      this.connections.push(connection);
    }
    connection.usedIn = frame;
    return connection.surfaces;
  }

  private drop(isPast: (connection: Connection<Solver>) => boolean): void {
    for (const connection of this.connections) if (isPast(connection)) connection.surfaces.dispose();
    this.connections = this.connections.filter((connection) => !isPast(connection));
  }
}

/** Factors of all members' particles; undefined where none has any. */
function factorsOf(
  members: readonly { readonly options: Readonly<GpbdStepOptions> }[],
  name: "frictionFactors" | "thicknessFactors",
): GroupSettings["frictionFactors"] {
  const factors = members.map(({ options }) => options[name]);
  return factors.some((list) => list) ? factors : undefined;
}
