import type { GpuContext } from "../../gpu/device";
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { DeformableSolver, DeformableSystem, FrameInput } from "../../solvers/deformable";
import type { Guest, GuestSolver } from "../../solvers/guest";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";

/** The parts of a world that its bodies share. */
export interface SystemHost {
  /** rigid bodies, for solvers that solve them together with deformable ones */
  readonly rigid: RigidWorld;
  readonly systems: Systems;
}

/** An object that all bodies of a world share, made when the first of them asks for it. */
export interface SharedKind<T extends object> {
  readonly name: string;
  create(host: SystemHost): T;
}

/** As `SharedKind`, for an object that lives on a device: a world that moves to another device makes another object. */
export interface DeviceKind<T, Rest extends readonly unknown[]> {
  create(context: GpuContext, host: SystemHost, ...rest: Rest): T;
}

/** Methods of an object that keeps data from step to step, as plain data. */
interface Kept {
  save?(): unknown;
  load?(memory: never): void;
}

/** Plain data of the objects that bodies share, by name. */
export type SharedMemory = Readonly<Record<string, unknown>>;

/** The meetings of bodies of different solvers, around the step of the bodies of GPBD. */
export interface Meetings {
  /**
   * After the implicit steps: guests meet one another, and join the other bodies.
   *
   * @param guests all guests of the world
   */
  meet(guests: readonly Guest[], others: DeformableSystem | undefined, frame: FrameInput): void;
  /** After the step of the other bodies: moves guests by the impulses of that step. */
  settle(frame: FrameInput): void;
  /** A guest among bodies of GPBD; undefined while it takes no part in steps. */
  ghostOf(guest: Guest): object | undefined;
}

/** Attachments of a world: vertices of bodies that hold, and are held by, other bodies. */
interface Attachments {
  /** Before all bodies step by dt [s]. */
  prepare(dt: number): void;
  /** After all bodies have stepped. */
  finish(dt: number): void;
  /** Whether vertices of two bodies are attached to each other. */
  connects(a: object, b: object): boolean;
  /** Deformable and rigid bodies that are attached to one. */
  partnersOf(body: object): readonly object[];
  /** A body was put into another state. */
  noteWritten(body: object): void;
}

/** Deformable bodies that rest, and are not stepped; only in worlds on the CPU. */
export interface Sleepers {
  /** Before a frame of dt [s], when the table of obstacles is up to date: wakes what is disturbed. */
  begin(dt: number): void;
  /** Bodies that have been woken since the frame began. */
  takeWoken(): readonly { prepare(frame: FrameInput): void }[];
  /** After a frame of dt [s]: puts bodies to sleep. */
  finish(dt: number): void;
  /** Wakes a body, with those that fell asleep with it, and counts its time at rest anew. */
  wake(body: object): void;
  /** Puts a body to sleep, if all that it may touch rests. */
  sleep(body: object): void;
  /** Wakes all bodies, before other states are written. */
  clear(): void;
  save(): object;
  load(memory: object): void;
}

/** Rigid bodies that deformable ones bear, and push. */
export interface PressingBodies {
  /** those in stacks, and links of mechanisms */
  readonly stacked: readonly RigidBody[];
  /** smaller than edges of a sheet */
  readonly small: readonly RigidBody[];
  readonly obstacles: ColliderSet;
}

/** The processor of each body, in a world on a GPU. */
export interface Lanes {
  pressing: PressingBodies | undefined;
  /** whether states of bodies are on their way from the GPU */
  readonly isMoving: boolean;
  /** Resolves when these have come. */
  settled(): Promise<void>;
  /**
   * Before a frame of dt [s]: lets the CPU step bodies that may meet those of other solvers.
   *
   * @param bodies all bodies of the world
   * @returns false if the frame has to wait for a state
   */
  arrange(bodies: readonly object[], frame: number, dt: number): boolean;
}

/** The systems of deformable bodies of a world, and the objects that they share. */
export class Systems {
  /** for a world with bodies that may meet bodies of other solvers */
  meetings: Meetings | undefined;
  /** from the first attachment on */
  attachments: Attachments | undefined;
  /** of a world on a GPU */
  lanes: Lanes | undefined;
  /** longest edge of sheets there [m] */
  coarsest = 0;
  private made: Sleepers | undefined;
  private readonly shared = new Map<SharedKind<object>, Kept>();
  private readonly onDevice = new Map<unknown, { context: GpuContext; value: unknown }>();

  /** @param makeSleepers undefined as long as bodies can't sleep */
  constructor(
    private readonly rigid: RigidWorld,
    private readonly makeSleepers: () => Sleepers | undefined,
  ) {}

  /** only in worlds on the CPU, once their code is loaded */
  get sleepers(): Sleepers | undefined {
    return (this.made ??= this.makeSleepers());
  }

  of<T extends object>(kind: SharedKind<T>): T {
    const known = this.shared.get(kind) as T | undefined;
    if (known) return known;
    const made = kind.create(this.host);
    this.shared.set(kind, made);
    return made;
  }

  on<T, Rest extends readonly unknown[]>(context: GpuContext, kind: DeviceKind<T, Rest>, ...rest: Rest): T {
    const known = this.onDevice.get(kind);
    if (known?.context === context) return known.value as T;
    const value = kind.create(context, this.host, ...rest);
    this.onDevice.set(kind, { context, value });
    return value;
  }

  /**
   * Steps deformable bodies by a frame. Bodies with one implicit step a frame make it first, and then meet the others.
   */
  step(bodies: readonly { readonly stepper: DeformableSolver & GuestSolver }[], frame: FrameInput): void {
    if (bodies.length === 0) return;
    const systems = new Set(bodies.flatMap(({ stepper }) => stepper.system ?? []));
    const [implicit, others] = [true, false].map((is) => [...systems].filter(({ isImplicit }) => isImplicit === is));
    const guests = bodies.flatMap(({ stepper }) => stepper.guest ?? []);
    for (const system of implicit) {
      system.step(frame);
      frame.onStepped?.(bodies.flatMap(({ stepper }) => (stepper.system === system ? stepper : [])));
    }
    const onCpu = others.find((system) =>
      bodies.some(({ stepper }) => stepper.system === system && "state" in stepper),
    );
    this.meetings?.meet(guests, onCpu, frame);
    for (const system of others) system.step(frame);
    this.meetings?.settle(frame);
  }

  save(): SharedMemory {
    const memories = [...this.shared].map(([{ name }, part]) => [name, part.save?.()] as const);
    memories.push(["sleep", this.sleepers?.save()]);
    return Object.fromEntries(memories.filter(([, memory]) => memory !== undefined));
  }

  load(memory: SharedMemory): void {
    for (const [{ name }, part] of this.shared) if (name in memory) part.load?.(memory[name] as never);
    // Bodies can be put to sleep when nothing changes any more.
    if (memory.sleep) this.sleepers?.load(memory.sleep);
  }

  private get host(): SystemHost {
    return { rigid: this.rigid, systems: this };
  }
}
