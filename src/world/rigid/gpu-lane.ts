import type { GpuContext } from "../../gpu/device";
import { PassRecorder } from "../../gpu/pass-recorder";
import { ReadbackRing } from "../../gpu/readback";
import { advance, predict } from "../../solvers/newton/free-motion";
import { Motion } from "../../solvers/newton/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import { FramePacker } from "../../solvers/newton/gpu/frame-packer";
import { GpuNewton } from "../../solvers/newton/gpu/gpu-newton";
import { FrameJoint } from "../../solvers/newton/joints/frame-joint";
import type { Joint } from "../../solvers/newton/joints/joint";
import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import type { BodySlots } from "./body-slots";
import type { ContactFinder } from "./contact-finder";
import { GpuPlaces } from "./gpu-places";
import type { Sleep } from "./sleep";

/** What the lane works on: the parts of a rigid world. */
export interface LaneHost {
  readonly dynamics: RigidDynamics;
  readonly slots: BodySlots;
  readonly finder: ContactFinder;
  readonly sleep: Sleep;
}

/**
 * Rigid bodies solved on the GPU in f32. Contacts are found on the CPU at the poses that were last read back, and handed over
 * in the bodies' own coordinates; all steps of a frame are one command buffer. Poses come back through a ring of staging
 * buffers: at the end of the frame for those who wait for `settled`, else a frame later.
 */
export class GpuLane {
  private readonly solver: GpuNewton;
  private readonly packer = new FramePacker();
  private readonly places: GpuPlaces;
  private ring: { ring: ReadbackRing; version: number } | undefined;
  private readonly underWay = new Set<Promise<void>>();
  private joints: FrameJoint[] = [];
  private placeOf = new Int32Array(0);
  private ids = new Int32Array(0);
  private frame = 0;
  private lastRead = 0;
  /** residuals of a frame's last step that are kept for each island, 0: none */
  reportSize = 0;

  constructor(
    private readonly context: GpuContext,
    private readonly host: LaneHost,
  ) {
    this.solver = new GpuNewton(context);
    this.places = new GpuPlaces(host.dynamics.bodies);
  }

  /** Whether all islands are solved by passes, as those are that no workgroup can hold. Default false. */
  get isPassesOnly(): boolean {
    return this.packer.isAllLarge;
  }

  set isPassesOnly(value: boolean) {
    this.packer.isAllLarge = value;
  }

  /** What the GPU adapter calls itself. */
  get adapter(): string {
    return this.context.adapterName;
  }

  /** Frames whose poses are not back yet. */
  get lag(): number {
    return this.frame - this.lastRead;
  }

  /**
   * One frame: submitted, not waited for.
   *
   * @param dt [s]
   * @throws PliantError `unsupported` for joints that the GPU does not know
   */
  step(dt: number, substeps: number, gravity: Vec3, joints: readonly Joint[]): void {
    const { dynamics, slots, finder, sleep } = this.host;
    const { bodies, islands } = dynamics;
    this.takeJoints(joints);
    finder.find(dt * (1 + this.lag), gravity);
    const { contacts, pairs } = finder;
    islands.reset(bodies);
    for (let k = 0; k < pairs.count; k++)
      if (pairs.end[k]! > pairs.first[k]! && pairs.isSensor[k] === 0) islands.link(pairs.bodyA[k]!, pairs.bodyB[k]!);
    for (const joint of joints) islands.link(joint.slotA, joint.slotB);
    islands.close(bodies);
    this.frame++;
    this.numberBodies();
    const h = dt / substeps;
    const scene = { bodies, islands, contacts, pairs, joints: this.joints, places: this.placeOf, ids: this.ids };
    const tables = this.packer.pack({ ...scene, placeCount: this.places.count }, h);
    this.places.writeEdits(tables.inputs, slots.bodies, this.frame, this.lag > 1);
    this.submit(h, substeps, gravity);
    this.moveKinematic(h, substeps, gravity);
    slots.updatePoses();
    sleep.update(dt, slots.bodies);
  }

  /** Resolves when the poses of all frames are back. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** ‖residual‖₂ [m/s] of each island of the last frame at the start and after every Newton iteration; see `reportSize`. */
  async readReports(): Promise<number[][]> {
    return this.solver.readReports();
  }

  /** Forgets what it knows of impulses: bodies were put where they are. */
  forget(): void {
    this.packer.forget();
  }

  dispose(): void {
    this.ring?.ring.dispose();
    this.solver.dispose();
  }

  private takeJoints(joints: readonly Joint[]): void {
    this.joints.length = 0;
    for (const joint of joints) {
      if (!(joint instanceof FrameJoint))
        throw new PliantError("unsupported", "GpuLane", joint.constructor.name, "must be a joint between two frames");
      this.joints.push(joint);
    }
  }

  private numberBodies(): void {
    const { bodies } = this.host.slots;
    if (this.placeOf.length < bodies.length) {
      this.placeOf = new Int32Array(2 * bodies.length);
      this.ids = new Int32Array(2 * bodies.length);
    }
    this.places.number(bodies, this.placeOf);
    for (let slot = 0; slot < bodies.length; slot++) this.ids[slot] = bodies[slot]!.id;
  }

  private submit(h: number, substeps: number, gravity: Vec3): void {
    const { device } = this.context;
    const { solver } = this;
    const encoder = device.createCommandEncoder({ label: "Pliant rigid bodies" });
    const recorder = new PassRecorder(encoder, undefined);
    const { reportSize } = this;
    solver.frame(recorder, this.packer.tables, { h, substeps, gravity, reportSize }, this.host.dynamics.options);
    recorder.end();
    if (this.ring?.version !== solver.states.size) {
      this.ring?.ring.dispose();
      this.ring = {
        ring: new ReadbackRing(this.context, solver.states, solver.states.size),
        version: solver.states.size,
      };
    }
    const { frame } = this;
    const send = this.ring.ring.encode(encoder, (bytes) => {
      if (frame < this.lastRead) return;
      this.lastRead = frame;
      this.places.take(new Float32Array(bytes), this.host.slots.bodies, frame);
      this.host.slots.updatePoses();
    });
    device.queue.submit([encoder.finish()]);
    if (!send) return;
    const done = send().finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  /** Bodies that nothing pushes go their way on the CPU. */
  private moveKinematic(h: number, substeps: number, gravity: Vec3): void {
    const { bodies } = this.host.dynamics;
    for (let slot = 0; slot < bodies.count; slot++) {
      if (bodies.model.motion[slot] !== Motion.kinematic) continue;
      for (let k = 0; k < substeps; k++) {
        predict(bodies, slot, gravity, h);
        advance(bodies, slot, h);
      }
    }
  }
}
