import { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import { contextOn, describeAdapter, GpuContext } from "../../gpu/device";
import { PassRecorder } from "../../gpu/pass-recorder";
import { ReadbackRing } from "../../gpu/readback";
import { PassTimer } from "../../gpu/timestamps";
import { yieldOnHost } from "../../collision/obstacles/host-yield";
import { BodyBuffers } from "../../solvers/body-buffers";
import type {
  CpuDeformableSolver,
  DeformableSolver,
  FrameInput,
  GpuDeformableSolver,
  GpuFrameInput,
} from "../../solvers/deformable";
import { fromVec4 } from "../../solvers/gpbd/gpu/vec4";
import { seenNow, type Backend, type SeenState } from "./backend";
import { GpuOutput } from "../output/gpu-output";
import type { Part } from "../../part";
import type { RenderOutput } from "../output/render-output";
import type { BodyModel, BodySettings } from "./body-settings";
import { cpuPartOf, solverKindOf } from "./solvers";
import type { SystemHost } from "./systems";
import { WaitingOnGpu } from "./waiting-on-gpu";

/** Resources that the backend keeps for a body besides its solver. */
interface Attachment {
  /** of a solver on the CPU, for drawing */
  readonly buffers?: BodyBuffers | undefined;
  output?: GpuOutput | undefined;
  rings?: Record<"positions" | "velocities", ReadbackRing> & { frames: ReadbackRing | undefined };
}

/** Worlds on a WebGPU device: a frame is one command buffer. */
export class GpuBackend implements Backend {
  readonly name = "webgpu";
  readonly adapter: string = this.context.adapterName;
  private readonly colliders = new ColliderBuffers(this.context);
  private readonly attachments = new Map<DeformableSolver, Attachment>();
  private readonly timer: PassTimer | undefined = this.timestamps ? PassTimer.create(this.context) : undefined;

  /** @param timestamps whether to time every stage, if the device supports it */
  constructor(
    readonly context: GpuContext,
    private readonly timestamps: boolean,
  ) {}

  /** On a device that somebody else made. */
  static of(device: GPUDevice, timestamps: boolean): GpuBackend {
    const info = (device as { adapterInfo?: GPUAdapterInfo }).adapterInfo;
    return new GpuBackend(new GpuContext(device, describeAdapter(info)), timestamps);
  }

  static async request(adapter: GPUAdapter, timestamps: boolean): Promise<GpuBackend> {
    return new GpuBackend(await contextOn(adapter), timestamps);
  }

  on(device: GPUDevice): GpuBackend {
    return new GpuBackend(new GpuContext(device, this.adapter), this.timestamps);
  }

  onAdapter(adapter: GPUAdapter): Promise<GpuBackend> {
    return GpuBackend.request(adapter, this.timestamps);
  }

  partFor(model: BodyModel): Part<unknown> {
    return solverKindOf(model).gpu;
  }

  createWaiting(model: BodyModel): WaitingOnGpu {
    return this.attach(this.context.allOrNothing(() => new WaitingOnGpu(this.context, model)));
  }

  createSolver(model: BodyModel, host: SystemHost, options: BodySettings): GpuDeformableSolver {
    const { context } = this;
    const lane = solverKindOf(model).gpu.loaded!;
    return this.attach(context.allOrNothing(() => lane.create(model, host, context, this.colliders, options)));
  }

  createOnCpu(model: BodyModel, host: SystemHost, options: BodySettings): CpuDeformableSolver {
    const solver = cpuPartOf(solverKindOf(model), "cpu").loaded!.create(model, host, options);
    return this.attach(solver, new BodyBuffers(this.context, model));
  }

  /** Keeps resources for a solver, and frees them with it. */
  private attach<Solver extends DeformableSolver>(solver: Solver, buffers?: BodyBuffers): Solver {
    const attachment: Attachment = { buffers };
    this.attachments.set(solver, attachment);
    const dispose = solver.dispose.bind(solver);
    solver.dispose = () => {
      this.attachments.delete(solver);
      attachment.output?.dispose();
      attachment.buffers?.dispose();
      for (const ring of Object.values(attachment.rings ?? {})) ring?.dispose();
      dispose();
    };
    return solver;
  }

  frame(input: FrameInput, work: (frame: GpuFrameInput) => void): void {
    const { device } = this.context;
    this.colliders.update(input.colliders);
    const encoder = device.createCommandEncoder({ label: "Pliant frame" });
    this.timer?.beginFrame();
    const recorder = new PassRecorder(encoder, this.timer);
    const { proxies } = this.colliders;
    proxies.beginFrame(recorder, input.frame, input.dt);
    yieldOnHost(input, () => work({ ...input, recorder }));
    for (const [solver, { buffers, output }] of this.attachments) {
      if (buffers) buffers.write((solver as CpuDeformableSolver).state);
      else (solver as GpuDeformableSolver).show?.({ ...input, recorder });
      output?.encode(recorder);
    }
    recorder.end();
    this.timer?.endFrame(encoder);
    const { size: solvers } = this.attachments;
    const sendProxies = solvers > 0 ? proxies.endFrame(encoder) : undefined;
    device.queue.submit([encoder.finish()]);
    sendProxies?.();
  }

  setRenderOutput(solver: GpuDeformableSolver, output: RenderOutput | undefined): void {
    const attachment = this.attachments.get(solver)!;
    if (!output || !attachment.output?.update(output)) {
      const { surface } = attachment.buffers ?? solver.gpuState;
      const shown = { model: solver.model, surface };
      const next = output && this.context.allOrNothing(() => new GpuOutput(this.context, shown, output));
      attachment.output?.dispose();
      attachment.output = next;
    }
    // Write the present state, also before the next step.
    if (!attachment.output) return;
    attachment.buffers?.write((solver as DeformableSolver as CpuDeformableSolver).state);
    const encoder = this.context.device.createCommandEncoder({ label: "Pliant output" });
    const recorder = new PassRecorder(encoder, undefined);
    attachment.output.encode(recorder);
    recorder.end();
    this.context.device.queue.submit([encoder.finish()]);
  }

  readLater(solver: GpuDeformableSolver, receive: (state: SeenState) => void): boolean {
    const attachment = this.attachments.get(solver)!;
    const { hostState: state } = solver;
    const onCpu = "state" in solver ? (solver as DeformableSolver as CpuDeformableSolver) : state && { state };
    if (onCpu) {
      receive(seenNow(onCpu));
      return true;
    }
    const n = solver.model.particleCount;
    const source = solver.rods?.frames.edgeFrames;
    attachment.rings ??= {
      positions: new ReadbackRing(this.context, solver.gpuState.positions, 16 * n),
      frames: source && new ReadbackRing(this.context, source, source.size),
      velocities: new ReadbackRing(this.context, solver.gpuState.velocities, 16 * n),
    };
    const encoder = this.context.device.createCommandEncoder({ label: "Pliant readback" });
    let positions: Float32Array | undefined;
    let frames: Float32Array | undefined;
    const first = attachment.rings.positions.encode(encoder, (bytes) => (positions = fromVec4(bytes, n)));
    if (!first) return false;
    const second = attachment.rings.frames?.encode(encoder, (bytes) => {
      const q = new Float32Array(bytes);
      frames = new Float32Array((5 * q.length) / 4);
      for (let e = 0; 4 * e < q.length; e++) frames.set(q.subarray(4 * e, 4 * e + 4), 5 * e);
    });
    const third = attachment.rings.velocities.encode(encoder, (bytes) => {
      if (positions) receive({ positions, velocities: fromVec4(bytes, n), frames });
    });
    this.context.device.queue.submit([encoder.finish()]);
    void first().then(second).then(third);
    return true;
  }

  get isSettled(): boolean {
    return this.colliders.proxies.isSettled;
  }

  async settled(): Promise<void> {
    await this.context.device.queue.onSubmittedWorkDone();
    await this.colliders.proxies.settled();
  }

  async times(): Promise<Readonly<Record<string, number>> | undefined> {
    return this.timer?.read();
  }

  dispose(): void {
    this.colliders.dispose();
    this.timer?.dispose();
  }
}
