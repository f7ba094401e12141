/**
 * Bodies of a world on a GPU that the CPU steps. Bodies of different solvers, and those of the Newton solver among
 * themselves, touch on the CPU only (world/meeting). So those that may come to touch in the next frame are stepped there,
 * with the bodies of GPBD that these may touch, and all other bodies of their solvers that are one system. So are those
 * of GPBD that hold rigid bodies with loads, bear stacks of them or may push links of mechanisms, whose joints a GPU does not know, solids with much
 * lighter rigid bodies between them, which the GPU would throw (rigid/contact/answering-islands.ts, mechanism/link-island.ts,
 * gpbd/guard/hold-between.ts), and sheets on the ground with things that stand between their vertices, which faces hold on the CPU only
 * (collision/obstacles/squeeze.ts). The others stay on the GPU.
 *
 * Boxes tell which bodies may touch, as in `Encounters`. A world takes no step while a state is on its way from the GPU,
 * a frame or two: so nothing is missed, and nothing moves meanwhile. Bodies go back to the GPU some time after they have
 * parted.
 */
import { massOf } from "../../solvers/mass";
import { areApart, type Box, grown } from "../../geometry/box";
import { norm } from "../../math/vectors";
import { solverOf } from "../../solvers/alike";
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { BodyState, DeformableModel, GpuDeformableSolver } from "../../solvers/deformable";
import { longestEdge } from "../../solvers/gpbd/cpu/cpu-state";
import { findFirm } from "../../solvers/gpbd/held/held";
import { type GpbdModel, isSolid } from "../../solvers/gpbd/model";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";
import type { Lanes, PressingBodies, SharedKind, Systems } from "./systems";

/** Frames that the boxes of bodies on the GPU look ahead: obstacles may push them unforeseen in the first. */
const AHEAD = 2;
/** Time for which bodies on the CPU must not touch before they may go back [s]: longer than from one look at bodies to the next. */
const APART = 0.25;
/** Frames for which bodies stay on the CPU after that. */
const KEEP = 60;
/** Frames from one look at bodies on the GPU to the next. */
const LOOK_EVERY = 4;
/** A rigid body is light between solids of more than this many times its mass. */
const LIGHT = 16;

/** The parts of `DeformableBody` that tell where it is to be stepped, and take it there. */
interface LaneBody {
  readonly id: number;
  readonly model: DeformableModel;
  readonly options: { readonly bodyCollision?: boolean };
  readonly isOnCpu: boolean;
  readonly isResting: boolean;
  readonly bearsLoads: boolean;
  readonly known: BodyState | undefined;
  readonly stepper: object;
  readonly hostParts: readonly { readonly loaded: unknown; load(): Promise<unknown> }[];
  boxAfter(seconds: number): Box;
  look(): void;
  fetch(): Promise<void>;
  goOnWith(lane: "cpu" | "webgpu", state: BodyState): void;
}

/** Ids of bodies that are on the CPU, and the frames until which they stay. */
type LaneMemory = readonly (readonly [number, number])[];

const isGpbd = ({ model }: LaneBody): boolean => solverOf(model) === "gpbd";
const isNewton = ({ model }: LaneBody): boolean => model.solver === "newton";
const hasSolids = ({ terms }: GpbdModel): boolean => terms.some(({ kind }) => isSolid(kind));
const isOpen = ({ options }: LaneBody): boolean => options.bodyCollision !== false;

/** Whether two bodies of these solvers meet on the CPU only. */
const meetOnCpu = (a: LaneBody, b: LaneBody): boolean =>
  isGpbd(a) !== isGpbd(b) || (!isGpbd(a) && (isNewton(a) || isNewton(b)));

/** Radius around its center of mass that holds a rigid body [m]. */
const reachOf = ({ record }: RigidBody): number => record.compiled?.reach ?? 0;

/** Longest edge of a sheet [m]. */
const edgeOf = (model: GpbdModel): number => (model.sheet ? longestEdge(model) : 0);

function lookAt(body: LaneBody, frame: number): void {
  if (body.isOnCpu || (frame % LOOK_EVERY === 0 && !body.known && !body.isResting)) body.look();
}

class HostLanes implements Lanes {
  /** frame until which a body stays on the CPU */
  private until = new Map<number, number>();
  /** the same for the loads that it holds, and light bodies between it and others */
  private readonly boundUntil = new Map<number, number>();
  private readonly moves = new Map<LaneBody, Promise<void>>();
  /** bodies that cannot be stepped on the CPU, as its code cannot be loaded */
  private readonly refused = new WeakSet<LaneBody>();
  pressing: PressingBodies | undefined;
  private readonly firm: number[] = [];

  constructor(
    private readonly systems: Systems,
    private readonly rigid: RigidWorld,
  ) {}

  get isMoving(): boolean {
    return this.moves.size > 0;
  }

  async settled(): Promise<void> {
    await Promise.all(this.moves.values());
  }

  arrange(bodies: readonly LaneBody[], frame: number, dt: number): boolean {
    const wanted = this.wantedOnCpu(bodies, frame, dt);
    let areThere = true;
    for (const body of bodies) if (!this.place(body, wanted.has(body))) areThere = false;
    return areThere;
  }

  save(): LaneMemory {
    return [...this.until];
  }

  load(memory: LaneMemory): void {
    this.until = new Map(memory);
  }

  private wantedOnCpu(bodies: readonly LaneBody[], frame: number, dt: number): ReadonlySet<LaneBody> {
    for (const { id, bearsLoads } of bodies) if (bearsLoads) this.boundUntil.set(id, frame + KEEP);
    this.squeeze(bodies, frame, dt);
    this.bear(bodies, frame, dt);
    const isBound = ({ id }: LaneBody): boolean => (this.boundUntil.get(id) ?? -1) >= frame;
    const open = bodies.filter(
      (body) => isOpen(body) || isBound(body) || bodies.some((other) => this.hold(body, other)),
    );
    const wanted = new Set<LaneBody>();
    if (!open.some((body) => isBound(body) || meetOnCpu(open[0], body))) {
      this.until.clear();
      return wanted;
    }
    for (const body of open) lookAt(body, frame);
    this.meet(open, frame, dt);
    for (const [id, until] of this.until) if (until < frame) this.until.delete(id);
    for (const body of open) if (this.until.has(body.id) || isBound(body)) wanted.add(body);
    this.addNeighbors(open, wanted, dt);
    for (const solver of new Set([...wanted].map(({ model }) => solverOf(model))))
      if (solver !== "gpbd") for (const body of bodies) if (body.model.solver === solver) wanted.add(body);
    return wanted;
  }

  /** Notes solids that may press a light rigid body between them. */
  private squeeze(bodies: readonly LaneBody[], frame: number, dt: number): void {
    const solids = bodies.filter((body) => isGpbd(body) && hasSolids(body.model as GpbdModel));
    const movers = this.rigid.bodies.filter(({ motion, shape }) => motion === "dynamic" && shape);
    if (solids.length < 2 || movers.length === 0) return;
    const masses = solids.map(({ model }) => massOf(model));
    const [, second = 0] = [...masses].sort((a, b) => b - a);
    const light = movers.filter(({ mass }) => LIGHT * mass < second);
    if (light.length === 0) return;
    const by = this.besides(solids, light, frame, dt);
    for (const [k, near] of by.entries()) {
      const heavy = solids.filter((_, i) => near[i] && LIGHT * light[k].mass < masses[i]);
      if (heavy.length > 1) for (const { id } of heavy) this.boundUntil.set(id, frame + KEEP);
    }
  }

  /** Notes bodies that bear stacks and may push links, and sheets on something firm with what stands between their vertices. */
  private bear(bodies: readonly LaneBody[], frame: number, dt: number): void {
    const { pressing } = this;
    if (!pressing) return;
    const [stacked, small] = [pressing.stacked, pressing.small].map((all) =>
      all.filter(({ isDisposed }) => !isDisposed),
    );
    const movers = [...stacked, ...small];
    if (movers.length === 0) return;
    const soft = bodies.filter(isGpbd);
    this.besides(soft, movers, frame, dt).forEach((near, m) => {
      const isBorne = ({ model }: LaneBody): boolean =>
        m < stacked.length ||
        (reachOf(movers[m]) < edgeOf(model as GpbdModel) && this.isOnFirm(movers[m], pressing.obstacles));
      soft.forEach((body, k) => near[k] && isBorne(body) && this.boundUntil.set(body.id, frame + KEEP));
    });
  }

  /** Whether something that does not yield is no further from a body than the edge of a sheet. */
  private isOnFirm(body: RigidBody, obstacles: ColliderSet): boolean {
    const { centerOfMass: at } = body;
    findFirm(obstacles, grown({ min: at, max: at }, reachOf(body) + this.systems.coarsest), this.firm);
    return this.firm.length > 0;
  }

  /** Tells which bodies may be at each of the rigid ones. */
  private besides(bodies: readonly LaneBody[], movers: readonly RigidBody[], frame: number, dt: number): boolean[][] {
    for (const body of bodies) lookAt(body, frame);
    const boxes = bodies.map((body) => body.boxAfter(AHEAD * dt));
    return movers.map((mover) => {
      const { centerOfMass, linearVelocity } = mover;
      const box = grown({ min: centerOfMass, max: centerOfMass }, reachOf(mover) + AHEAD * dt * norm(linearVelocity));
      return boxes.map((other) => !areApart(other, box));
    });
  }

  /** Notes the bodies that may come to touch those of other solvers. */
  private meet(open: readonly LaneBody[], frame: number, dt: number): void {
    const boxes: readonly Box[] = open.map((body) => body.boxAfter(AHEAD * dt));
    const later = open.map((body) => (body.isOnCpu ? body.boxAfter(APART) : undefined));
    open.forEach((a, k) => {
      for (let l = 0; l < k; l++) {
        const b = open[l];
        if (!meetOnCpu(a, b) || this.refused.has(a) || this.refused.has(b)) continue;
        const [inA, inB] = [later[k], later[l]];
        const mayTouch = isOpen(a) && isOpen(b);
        const arePast = !mayTouch || (inA && inB ? areApart(inA, inB) : areApart(boxes[k], boxes[l]));
        if (!arePast || this.hold(a, b)) for (const { id } of [a, b]) this.until.set(id, frame + KEEP);
      }
    });
  }

  /** Adds bodies of GPBD that may touch, or are attached to, those on the CPU. */
  private addNeighbors(open: readonly LaneBody[], wanted: Set<LaneBody>, dt: number): void {
    const boxes = new Map(open.filter(isGpbd).map((body) => [body, body.boxAfter(AHEAD * dt)]));
    const queue = [...wanted].filter(isGpbd);
    for (let body = queue.pop(); body; body = queue.pop())
      for (const [other, box] of boxes) {
        if (wanted.has(other) || (areApart(boxes.get(body)!, box) && !this.areTied(body, other))) continue;
        wanted.add(other);
        queue.push(other);
      }
  }

  /** @returns whether the body can take the next frame */
  private place(body: LaneBody, isWanted: boolean): boolean {
    const { stayOnCpu, come } = body.stepper as GpuDeformableSolver;
    if (!isGpbd(body)) {
      if (!stayOnCpu || stayOnCpu.call(body.stepper, isWanted)) return true;
      this.await(body, async () => come!.call(body.stepper));
      return false;
    }
    if (isWanted === body.isOnCpu || this.refused.has(body)) return true;
    return isWanted ? this.toCpu(body) : this.toGpu(body);
  }

  private toCpu(body: LaneBody): boolean {
    const parts = body.hostParts;
    if (parts.every(({ loaded }) => loaded) && body.known) {
      body.goOnWith("cpu", body.known);
      return true;
    }
    this.await(body, async () => {
      try {
        await Promise.all(parts.map((part) => part.load()));
      } catch {
        // The body stays on the GPU, and goes through those of other solvers.
        this.refused.add(body);
        return;
      }
      if (!body.known) await body.fetch();
    });
    return false;
  }

  /** Nothing waits for that: a world that steps on meanwhile tries it again. */
  private toGpu(body: LaneBody): boolean {
    if (body.known) body.goOnWith("webgpu", body.known);
    else void body.fetch().catch(() => undefined);
    return true;
  }

  /** Whether two bodies hold each other on the CPU only. */
  private hold(a: LaneBody, b: LaneBody): boolean {
    return meetOnCpu(a, b) && this.areTied(a, b);
  }

  /** Whether two bodies are attached to each other. */
  private areTied(a: LaneBody, b: LaneBody): boolean {
    return this.systems.attachments?.connects(a, b) === true;
  }

  private await(body: LaneBody, move: () => Promise<void>): void {
    if (this.moves.has(body)) return;
    // If the device was lost, bodies are made anew on another one.
    const done = move()
      .catch(() => undefined)
      .then(() => {
        this.moves.delete(body);
      });
    this.moves.set(body, done);
  }
}

const hostLanes: SharedKind<Lanes> = { name: "lanes", create: ({ systems, rigid }) => new HostLanes(systems, rigid) };

/** For a world on a GPU, from the first body of another solver than GPBD, solid or load on: cloth and ropes of GPBD alone meet on the GPU. */
export function joinLanes(systems: Systems): void {
  systems.lanes ??= systems.of(hostLanes);
}
