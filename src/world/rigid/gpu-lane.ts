import { unsupported } from "../../errors";
import type { GpuContext } from "../../gpu/device";
import { PassRecorder } from "../../gpu/pass-recorder";
import { readBuffer, ReadbackRing } from "../../gpu/readback";
import { PassTimer } from "../../gpu/timestamps";
import type { Vec3 } from "../../math/types";
import { Motion } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import { predict } from "../../solvers/newton/motion/free-motion";
import { FramePacker } from "../../solvers/newton/gpu/frame-packer";
import { NONE } from "../../solvers/newton/gpu/frame-tables";
import { GpuNewton } from "../../solvers/newton/gpu/gpu-newton";
import { FrameJoint } from "../../solvers/newton/joints/frame-joint";
import type { Joint } from "../../solvers/newton/joints/joint";
import { advance } from "../../solvers/newton/motion/kinematic-motion";
import type { NewtonOptions } from "../../solvers/newton/options";
import type { BodySlots } from "./body-slots";
import type { ContactFinder } from "./contact/contact-finder";
import { GpuPlaces } from "./gpu-places";
import type { Sleep } from "./sleep";
import type { SoftLane } from "./soft/soft-lane";

/** The parts of a rigid world that the lane works on. */
export interface LaneHost {
  readonly dynamics: RigidDynamics;
  readonly slots: BodySlots;
  readonly finder: ContactFinder;
  readonly sleep: Sleep;
}

/** Staging buffers for the present buffer of the solver. */
interface Ring {
  readonly ring: ReadbackRing;
  readonly source: GPUBuffer;
}

/**
 * Rigid bodies solved on the GPU in f32. Contacts are found on the CPU at the poses that were last read back, and
 * handed over in the bodies' own coordinates; all steps of a frame are one command buffer. Poses, and the impulses of
 * pairs, come back through rings of staging buffers: at the end of the frame for callers that await `settled`,
 * otherwise a frame later.
 */
export class GpuLane {
  private readonly solver: GpuNewton;
  private readonly packer = new FramePacker();
  private readonly places: GpuPlaces;
  private readonly timer: PassTimer | undefined;
  private poseRing: Ring | undefined;
  private impulseRing: Ring | undefined;
  private readonly underWay = new Set<Promise<void>>();
  private joints: FrameJoint[] = [];
  private placeOf = new Int32Array(0);
  private ids = new Int32Array(0);
  private frame = 0;
  private lastRead = 0;
  private isDisposed = false;
  /** number of residuals of a frame's last step that are kept for each island, 0: none */
  reportSize = 0;

  /**
   * @param timestamps whether to time the passes, if the device supports it
   * @throws PliantError `unsupported` for options that the GPU does not support
   */
  constructor(
    private readonly context: GpuContext,
    private readonly host: LaneHost,
    timestamps = false,
  ) {
    GpuLane.check(host.dynamics.options);
    this.solver = new GpuNewton(context);
    this.places = new GpuPlaces(host.dynamics.bodies);
    this.timer = timestamps ? PassTimer.create(context) : undefined;
  }

  /**
   * The linear problem is solved by PCR, for islands of any size.
   *
   * @throws PliantError `unsupported` for other options
   */
  static check(options: Readonly<NewtonOptions>): void {
    const { linearMethod } = options;
    if (linearMethod !== "pcr")
      throw unsupported("NewtonOptions.linearMethod", linearMethod, 'must be "pcr" on the GPU');
  }

  /**
   * Whether all islands are solved by passes, as islands that are too large for a workgroup always are. Default false.
   */
  get isPassesOnly(): boolean {
    return this.packer.isAllLarge;
  }

  set isPassesOnly(value: boolean) {
    this.packer.isAllLarge = value;
  }

  /** Frames whose poses are not back yet. */
  get lag(): number {
    return this.frame - this.lastRead;
  }

  /**
   * Steps one frame: submitted, not waited for.
   *
   * @param dt [s]
   * @param soft deformable bodies of the same system, after `prepare`
   * @throws PliantError `unsupported` for joints that the GPU does not support
   */
  step(dt: number, substeps: number, gravity: Vec3, joints: readonly Joint[], soft?: SoftLane): void {
    const { dynamics, slots, finder, sleep } = this.host;
    const { bodies, deformables } = dynamics;
    const { islands } = dynamics.stepper!;
    this.takeJoints(joints);
    finder.find(dt * (1 + this.lag), gravity);
    const { contacts, pairs } = finder;
    islands.reset(bodies, bodies.awake, bodies.awakeCount);
    for (let k = 0; k < pairs.count; k++)
      if (pairs.end[k] > pairs.first[k] && pairs.isSensor[k] === 0) islands.link(pairs.bodyA[k], pairs.bodyB[k]);
    for (const joint of joints) islands.link(joint.slotA, joint.slotB);
    if (soft) deformables.link(islands);
    islands.close();
    if (soft) deformables.assign(islands, pairs);
    this.frame++;
    this.numberBodies();
    const h = dt / substeps;
    const { placeOf: places, ids } = this;
    const placeCount = this.places.count;
    const coupled = soft && deformables;
    const scene = {
      bodies,
      islands,
      contacts,
      pairs,
      joints: this.joints,
      places,
      ids,
      placeCount,
      deformables: coupled,
    };
    const tables = this.packer.pack(scene, h);
    this.places.writeEdits(tables.inputs, slots.bodies, this.frame, this.lag > 1);
    this.submit(h, substeps, gravity, soft);
    this.moveKinematic(h, substeps, gravity);
    slots.updatePoses();
    sleep.update(dt, slots.bodies, gravity);
  }

  /** Resolves when the poses of all frames are back. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
    // If the ring was full, the last frame was not read back.
    if (this.lag === 0 || this.isDisposed) return;
    const { frame } = this;
    try {
      this.receivePoses(await readBuffer(this.context, this.solver.states), frame);
    } catch {
      // The device was lost: bodies continue from the last poses that came back.
    }
  }

  /** ‖residual‖₂ [m/s] of each island of the last frame at the start and after every Newton iteration; see `reportSize`. */
  async readReports(): Promise<number[][]> {
    return this.solver.readReports();
  }

  /** GPU milliseconds of the last frame by stage; undefined without timestamp queries. */
  async gpuTime(): Promise<Readonly<Record<string, number>> | undefined> {
    return this.timer?.read();
  }

  /** Makes bodies continue from the data on the CPU, and discards results that are under way. */
  forget(): void {
    this.packer.forget();
    this.places.forget();
    this.lastRead = ++this.frame;
  }

  dispose(): void {
    this.isDisposed = true;
    this.poseRing?.ring.dispose();
    this.impulseRing?.ring.dispose();
    this.timer?.dispose();
    this.solver.dispose();
  }

  private takeJoints(joints: readonly Joint[]): void {
    this.joints.length = 0;
    for (const joint of joints) {
      if (!(joint instanceof FrameJoint))
        throw unsupported("GpuLane", joint.constructor.name, "must be a joint between two frames");
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
    for (let slot = 0; slot < bodies.length; slot++) this.ids[slot] = bodies[slot].id;
  }

  private submit(h: number, substeps: number, gravity: Vec3, soft: SoftLane | undefined): void {
    const { device } = this.context;
    const { solver, timer, reportSize, frame } = this;
    const { model, count } = this.host.dynamics.bodies;
    let pace = Infinity;
    for (let slot = 0; slot < count; slot++)
      if (model.motion[slot] === Motion.dynamic) pace = Math.min(pace, model.pace[slot]);
    if (pace === Infinity) pace = 1;
    const encoder = device.createCommandEncoder({ label: "Pliant rigid bodies" });
    timer?.beginFrame();
    const recorder = new PassRecorder(encoder, timer);
    solver.frame(recorder, this.packer.tables, { h, substeps, gravity, pace, reportSize }, this.host.dynamics.options);
    if (soft) {
      const rigid = solver.coupledPart(recorder, this.packer.tables, substeps);
      soft.encode(recorder, { h, substeps, gravity }, rigid, this.placeOf);
    }
    recorder.end();
    timer?.endFrame(encoder);
    const { buffer, offset, byteLength } = solver.impulses;
    this.poseRing = this.ringFor(solver.states, solver.states.size, this.poseRing);
    this.impulseRing = this.ringFor(buffer, byteLength, this.impulseRing);
    const sendPoses = this.poseRing.ring.encode(encoder, (bytes) => this.receivePoses(bytes, frame));
    const sendImpulses =
      sendPoses && this.impulseRing.ring.encode(encoder, (bytes) => this.receiveImpulses(bytes, frame), offset);
    const sendSoft = soft?.encodeReadback(encoder);
    device.queue.submit([encoder.finish()]);
    sendSoft?.();
    if (sendPoses) this.await(sendPoses());
    if (sendImpulses) this.await(sendImpulses());
  }

  private ringFor(source: GPUBuffer, byteLength: number, known: Ring | undefined): Ring {
    if (known?.source === source) return known;
    known?.ring.dispose();
    return { ring: new ReadbackRing(this.context, source, byteLength), source };
  }

  private await(work: Promise<void>): void {
    const done = work.finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  private receivePoses(bytes: ArrayBuffer, frame: number): void {
    if (frame < this.lastRead || this.isDisposed) return;
    this.lastRead = frame;
    this.places.take(new Float32Array(bytes), this.host.slots.bodies, frame);
    this.host.slots.updatePoses();
  }

  /** Receives impulses of the frame's last step; as on the CPU, those of an earlier frame are of no use. */
  private receiveImpulses(bytes: ArrayBuffer, frame: number): void {
    if (frame !== this.frame || this.isDisposed) return;
    const { pairs } = this.host.finder;
    const { blockOf } = this.packer;
    const impulses = new Float32Array(bytes);
    for (let k = 0; k < pairs.count; k++) {
      pairs.impulse[k] = 0;
      for (let c = pairs.first[k]; c < pairs.end[k]; c++)
        if (blockOf[c] !== NONE) pairs.impulse[k] += impulses[4 * blockOf[c]];
    }
  }

  /** Moves bodies that nothing pushes on the CPU. */
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
