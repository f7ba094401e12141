/**
 * Bodies of a world on a GPU that the CPU steps. Bodies of different solvers, and those of the Newton solver among
 * themselves, touch on the CPU only (world/meeting). So those that may come to touch in the next frame are stepped there,
 * with the bodies of GPBD that these may touch, and all other bodies of their solvers that are one system. The others
 * stay on the GPU.
 *
 * Boxes tell which bodies may touch, as in `Encounters`. A world takes no step while a state is on its way from the GPU,
 * a frame or two: so nothing is missed, and nothing moves meanwhile. Bodies go back to the GPU some time after they have
 * parted.
 */
import { areApart, type Box } from "../../geometry/box";
import type { GpuDeformableSolver } from "../../solvers/deformable";
import type { DeformableBody } from "../body";
import { cpuPartOf, solverKindOf } from "./solvers";
import type { Lanes, SharedKind, Systems } from "./systems";
import { tetherParts } from "./tether-parts";

/** Frames that the boxes of bodies on the GPU look ahead: obstacles may push them unforeseen in the first. */
const AHEAD = 2;
/** Time for which bodies on the CPU must not touch before they may go back [s]: longer than from one look at bodies to the next. */
const APART = 0.25;
/** Frames for which bodies stay on the CPU after that. */
const KEEP = 60;
/** Frames from one look at bodies on the GPU to the next. */
const LOOK_EVERY = 4;

/** Ids of bodies that are on the CPU, and the frames until which they stay. */
type LaneMemory = readonly (readonly [number, number])[];

const isGpbd = ({ model }: DeformableBody): boolean => (model.solver ?? "gpbd") === "gpbd";
const isNewton = ({ model }: DeformableBody): boolean => model.solver === "newton";
const isOpen = ({ options }: DeformableBody): boolean => options.bodyCollision !== false;

/** Whether two bodies of these solvers meet on the CPU only. */
const meetOnCpu = (a: DeformableBody, b: DeformableBody): boolean =>
  isGpbd(a) !== isGpbd(b) || (!isGpbd(a) && (isNewton(a) || isNewton(b)));

class HostLanes implements Lanes {
  /** frame until which a body stays on the CPU */
  private until = new Map<number, number>();
  private readonly moves = new Map<DeformableBody, Promise<void>>();
  /** bodies that cannot be stepped on the CPU, as its code cannot be loaded */
  private readonly refused = new WeakSet<DeformableBody>();

  constructor(private readonly systems: Systems) {}

  get isMoving(): boolean {
    return this.moves.size > 0;
  }

  async settled(): Promise<void> {
    await Promise.all(this.moves.values());
  }

  arrange(bodies: readonly DeformableBody[], frame: number, dt: number): boolean {
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

  private wantedOnCpu(bodies: readonly DeformableBody[], frame: number, dt: number): ReadonlySet<DeformableBody> {
    const open = bodies.filter(isOpen);
    const wanted = new Set<DeformableBody>();
    if (!open.some((body) => meetOnCpu(open[0], body))) {
      this.until.clear();
      return wanted;
    }
    for (const body of open)
      if (body.isOnCpu || (frame % LOOK_EVERY === 0 && !body.known && !body.isResting)) body.look();
    this.meet(open, frame, dt);
    for (const [id, until] of this.until) if (until < frame) this.until.delete(id);
    for (const body of open) if (this.until.has(body.id)) wanted.add(body);
    this.addNeighbors(open, wanted, dt);
    for (const solver of new Set([...wanted].map(({ model }) => model.solver ?? "gpbd")))
      if (solver !== "gpbd") for (const body of bodies) if (body.model.solver === solver) wanted.add(body);
    return wanted;
  }

  /** Notes the bodies that may come to touch those of other solvers. */
  private meet(open: readonly DeformableBody[], frame: number, dt: number): void {
    const boxes: readonly Box[] = open.map((body) => body.boxAfter(AHEAD * dt));
    const later = open.map((body) => (body.isOnCpu ? body.boxAfter(APART) : undefined));
    open.forEach((a, k) => {
      for (let l = 0; l < k; l++) {
        const b = open[l];
        if (!meetOnCpu(a, b) || this.refused.has(a) || this.refused.has(b)) continue;
        const [inA, inB] = [later[k], later[l]];
        const arePast = inA && inB ? areApart(inA, inB) : areApart(boxes[k], boxes[l]);
        if (!arePast || this.areTied(a, b)) for (const { id } of [a, b]) this.until.set(id, frame + KEEP);
      }
    });
  }

  /** Adds bodies of GPBD that may touch, or are attached to, those on the CPU. */
  private addNeighbors(open: readonly DeformableBody[], wanted: Set<DeformableBody>, dt: number): void {
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
  private place(body: DeformableBody, isWanted: boolean): boolean {
    const { stayOnCpu, come } = body.stepper as GpuDeformableSolver;
    if (!isGpbd(body)) {
      if (!stayOnCpu || stayOnCpu.call(body.stepper, isWanted)) return true;
      this.await(body, async () => come!.call(body.stepper));
      return false;
    }
    if (isWanted === body.isOnCpu || this.refused.has(body)) return true;
    return isWanted ? this.toCpu(body) : this.toGpu(body);
  }

  private toCpu(body: DeformableBody): boolean {
    const part = cpuPartOf(solverKindOf(body.model), "cpu");
    const tethers = "sheet" in body.model && body.model.sheet ? tetherParts.cpu : undefined;
    const isLoaded = part.loaded && (!tethers || tethers.loaded);
    if (isLoaded && body.known) {
      body.goOnWith("cpu", body.known);
      return true;
    }
    this.await(body, async () => {
      try {
        await Promise.all([part.load(), tethers?.load()]);
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
  private toGpu(body: DeformableBody): boolean {
    if (body.known) body.goOnWith("webgpu", body.known);
    else void body.fetch().catch(() => undefined);
    return true;
  }

  /** Whether two bodies are attached to each other. */
  private areTied(a: DeformableBody, b: DeformableBody): boolean {
    return this.systems.attachments?.connects(a, b) === true;
  }

  private await(body: DeformableBody, move: () => Promise<void>): void {
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

/** For a world on a GPU, from the first body of another solver than GPBD on. */
export const hostLanes: SharedKind<Lanes> = { name: "lanes", create: ({ systems }) => new HostLanes(systems) };
