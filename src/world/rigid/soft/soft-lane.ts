import type { GpuContext } from "../../../gpu/device";
import { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer, ReadbackRing } from "../../../gpu/readback";
import type { Vec3 } from "../../../math/types";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import type { CoupledPart } from "../../../solvers/newton/gpu/gpu-newton";
import { GpuSoft, type SoftFrameInput } from "../../../solvers/newton/gpu/gpu-soft";
import { SoftContactTable } from "../../../solvers/newton/gpu/soft-contact-table";
import { SoftLayout, type SoftPart } from "../../../solvers/newton/gpu/soft-layout";
import type { SoftBodies } from "./soft-bodies";

/** The data on the CPU of a body on the GPU. */
interface Known {
  part: SoftPart;
  /** the body's own count of states that were written */
  revision: number;
  /** first frame that contains the last state from the CPU */
  changedIn: number;
}

/** The place of a body's states on the GPU, in bytes of `outputs`. */
export interface SoftOutput {
  readonly buffer: GPUBuffer;
  readonly positions: number;
  readonly velocities: number;
}

/**
 * Deformable bodies of the Newton solver on the GPU in f32: by themselves in worlds where they touch nothing that they
 * could push, otherwise as part of the system that `GpuLane` solves. Contacts are found on the CPU at the positions
 * that were last read back; all steps of a frame are one command buffer. Positions come back through a ring of staging
 * buffers: at the end of the frame for callers that await `settled`, otherwise a frame later.
 */
export class SoftLane {
  private solver: GpuSoft | undefined;
  private readonly contacts = new SoftContactTable();
  private readonly known = new Map<FemBody, Known>();
  private ring: ReadbackRing | undefined;
  private readonly underWay = new Set<Promise<void>>();
  private frame = 0;
  private lastRead = 0;
  private isDisposed = false;

  constructor(
    private readonly context: GpuContext,
    private readonly dynamics: RigidDynamics,
    private readonly soft: SoftBodies,
  ) {}

  /** Frames whose positions are not back yet. */
  get lag(): number {
    return this.frame - this.lastRead;
  }

  /**
   * Prepares a frame: finds contacts.
   *
   * @param dt [s]
   * @returns false if there are more contacts than the device has room for
   */
  prepare(dt: number, gravity: Vec3): boolean {
    const { deformables } = this.dynamics;
    this.refresh(deformables.bodies);
    this.soft.findContacts(dt * (1 + this.lag), 0, dt, gravity);
    return deformables.contacts.count <= this.solver!.mostContacts;
  }

  /** Steps one frame by itself, after `prepare`: submitted, not waited for. */
  step(dt: number, substeps: number, gravity: Vec3): void {
    const encoder = this.context.device.createCommandEncoder({ label: "Pliant deformable bodies" });
    const recorder = new PassRecorder(encoder, undefined);
    this.encode(recorder, { h: dt / substeps, substeps, gravity });
    recorder.end();
    const send = this.encodeReadback(encoder);
    this.context.device.queue.submit([encoder.finish()]);
    send();
  }

  /**
   * Encodes a frame after `prepare`.
   *
   * @param rigid the rigid bodies and joints in the same system
   * @param places places of the rigid bodies there
   */
  encode(recorder: PassRecorder, input: SoftFrameInput, rigid?: CoupledPart, places?: Int32Array): void {
    const solver = this.solver!;
    const { deformables, bodies, options } = this.dynamics;
    this.frame++;
    for (const known of this.known.values()) {
      const { body } = known.part;
      if (known.revision === body.revision) continue;
      solver.place(known.part);
      known.revision = body.revision;
      known.changedIn = this.frame;
    }
    this.contacts.pack(deformables.contacts, solver.layout, bodies, places);
    solver.frame(recorder, this.contacts, input, options, rigid);
  }

  /** Encodes the readback of positions. @returns a function to call after the submit */
  encodeReadback(encoder: GPUCommandEncoder): () => void {
    const { frame } = this;
    const solver = this.solver!;
    const send = this.ring!.encode(encoder, (bytes) => this.receive(new Float32Array(bytes), frame, solver));
    return () => {
      if (!send) return;
      const done = send().finally(() => this.underWay.delete(done));
      this.underWay.add(done);
    };
  }

  /** Resolves when the positions of all frames are back. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
    // If the ring was full, the last frame was not read back.
    const { frame, solver } = this;
    if (this.lag === 0 || this.isDisposed || !solver) return;
    try {
      this.receive(new Float32Array(await readBuffer(this.context, solver.outputs)), frame, solver);
    } catch {
      // The device was lost: bodies continue from the last positions that came back.
    }
  }

  /** The place of a body's state on the GPU, once it was stepped there. */
  outputOf(body: FemBody): SoftOutput | undefined {
    const known = this.known.get(body);
    if (!known || !this.solver || known.changedIn === 0) return undefined;
    const { nodeCount } = this.solver.layout;
    const at = 16 * known.part.firstNode;
    return { buffer: this.solver.outputs, positions: at, velocities: 32 * nodeCount + at };
  }

  /** Makes bodies continue from the data on the CPU, and discards results that are under way. */
  forget(): void {
    this.contacts.forget();
    for (const known of this.known.values()) {
      known.revision = -1;
      known.changedIn = 0;
    }
    this.lastRead = ++this.frame;
  }

  dispose(): void {
    this.isDisposed = true;
    this.ring?.dispose();
    this.solver?.dispose();
  }

  /** Makes new tables if bodies came, went, or have another material; bodies that stay keep their state. */
  private refresh(bodies: readonly FemBody[]): void {
    const old = this.solver;
    if (old?.layout.isOf(bodies)) return;
    const solver = new GpuSoft(this.context, new SoftLayout(bodies));
    for (const body of this.known.keys()) if (!bodies.includes(body)) this.known.delete(body);
    for (const part of solver.layout.parts) {
      const known = this.known.get(part.body);
      if (!known) {
        this.known.set(part.body, { part, revision: -1, changedIn: 0 });
        continue;
      }
      if (old) solver.adopt(part, old, known.part);
      known.part = part;
    }
    this.contacts.forget();
    this.ring?.dispose();
    this.ring = new ReadbackRing(this.context, solver.outputs, solver.outputs.size);
    old?.dispose();
    this.solver = solver;
  }

  private receive(data: Float32Array, frame: number, solver: GpuSoft): void {
    if (frame < this.lastRead || this.isDisposed || solver !== this.solver) return;
    this.lastRead = frame;
    const { nodeCount, parts } = solver.layout;
    for (const part of parts) {
      const known = this.known.get(part.body)!;
      const { body, firstNode } = part;
      // Changes on the CPU since then are newer.
      if (known.revision !== body.revision || known.changedIn === 0 || known.changedIn > frame) continue;
      for (let p = 0; p < body.count; p++) {
        const at = 4 * (firstNode + p);
        for (let k = 0; k < 3; k++) {
          body.positions[3 * p + k] = data[at + k] + data[4 * nodeCount + at + k];
          body.velocities[3 * p + k] = data[8 * nodeCount + at + k]!;
        }
      }
      if (data[8 * nodeCount + 4 * firstNode + 3] === 1) body.isFrozen = true;
    }
  }
}
