import type { GpuContext } from "./device";

/** A binding of an entry point, as reflected from the WGSL. */
export interface ReflectedBinding {
  readonly group: number;
  readonly binding: number;
  readonly type: "uniform" | "storage" | "read-only-storage";
  readonly minSize: number;
}

/** A compute module, as reflected from the WGSL at build time. */
export interface ReflectedModule {
  readonly code: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly entryPoints: Readonly<
    Record<
      string,
      {
        readonly workgroupSize: readonly [number, number, number];
        readonly bindings: Readonly<Record<string, ReflectedBinding>>;
      }
    >
  >;
}

type EntryPoints<M extends ReflectedModule> = keyof M["entryPoints"] & string;

/** Names of the resources that an entry point, or any of several, uses. */
export type BindingNames<M extends ReflectedModule, E extends EntryPoints<M>> = {
  [K in E]: keyof M["entryPoints"][K]["bindings"] & string;
}[E];

/** A buffer for each resource, by its name in the shader; a missing or misspelled name does not compile. */
export type Bindings<M extends ReflectedModule, E extends EntryPoints<M>> = Readonly<
  Record<BindingNames<M, E>, GPUBuffer | GPUBufferBinding>
>;

/** Uniforms of this group have dynamic offsets: one slot for each substep or color. */
const dynamicGroup = 1;

/** The kernel that each pass has set: dispatches of a sweep differ in an offset alone. */
const setIn = new WeakMap<GPUComputePassEncoder, Kernel>();

/** A compute pipeline with its buffers. It is made once; `dispatch` allocates nothing. */
export class Kernel {
  private constructor(
    readonly label: string,
    private readonly pipeline: GPUComputePipeline,
    private readonly workgroupSize: number,
    private readonly groups: readonly { group: number; bindGroup: GPUBindGroup; dynamicCount: number }[],
  ) {}

  /**
   * @param name name of the module, for labels
   * @param constants values for the module's overrides
   */
  static create<M extends ReflectedModule, E extends EntryPoints<M>>(
    context: GpuContext,
    name: string,
    module: M,
    entryPoint: E,
    bindings: Bindings<M, E>,
    constants: Readonly<Record<string, number>> = {},
  ): Kernel {
    const { device } = context;
    const label = `${name}:${entryPoint}`;
    const entry = module.entryPoints[entryPoint];
    const { shader, pipelines } = context.cached<Compiled>(module.code, () => ({
      shader: device.createShaderModule({ label: name, code: module.code }),
      pipelines: new Map<string, Pipeline>(),
    }));
    const key = `${entryPoint} ${JSON.stringify(constants)}`;
    const { layouts, pipeline } =
      pipelines.get(key) ?? createPipeline(device, label, shader, module, entryPoint, constants);
    pipelines.set(key, { layouts, pipeline });
    const reflected = Object.entries(entry.bindings);
    const groups = layouts.map((layout, group) => {
      const own = reflected.filter(([, binding]) => binding.group === group);
      return {
        group,
        dynamicCount: group === dynamicGroup ? own.length : 0,
        bindGroup: device.createBindGroup({
          label,
          layout,
          entries: own.map(([variable, { binding, minSize }]) => {
            const resource = bindings[variable as BindingNames<M, E>];
            const whole: GPUBufferBinding = "buffer" in resource ? resource : { buffer: resource };
            return {
              binding,
              resource: group === dynamicGroup ? { ...whole, size: Math.ceil(minSize / 16) * 16 } : whole,
            };
          }),
        }),
      };
    });
    return new Kernel(label, pipeline, entry.workgroupSize[0], groups);
  }

  /**
   * @param threads number of invocations along x; the caller keeps workgroups within `maxComputeWorkgroupsPerDimension`
   * @param dynamicOffsets byte offsets of the uniforms of group 1, in order of binding; unused ones at the end are dropped
   */
  dispatch(pass: GPUComputePassEncoder, threads: number, dynamicOffsets: Uint32Array): void {
    const workgroups = this.workgroupsFor(threads);
    if (workgroups > 0) this.dispatchWorkgroups(pass, workgroups, dynamicOffsets);
  }

  workgroupsFor(threads: number): number {
    return Math.ceil(threads / this.workgroupSize);
  }

  /** As `dispatch`, for kernels in which each workgroup has its own work. */
  dispatchWorkgroups(pass: GPUComputePassEncoder, workgroups: number, dynamicOffsets: Uint32Array): void {
    this.bind(pass, dynamicOffsets);
    pass.dispatchWorkgroups(workgroups);
  }

  /**
   * @param workgroups buffer with the numbers of workgroups, computed on the GPU: three u32 from an offset on [bytes]
   */
  dispatchIndirect(pass: GPUComputePassEncoder, workgroups: GPUBuffer, dynamicOffsets: Uint32Array, offset = 0): void {
    this.bind(pass, dynamicOffsets);
    pass.dispatchWorkgroupsIndirect(workgroups, offset);
  }

  private bind(pass: GPUComputePassEncoder, dynamicOffsets: Uint32Array): void {
    const isSet = setIn.get(pass) === this;
    if (!isSet) {
      pass.setPipeline(this.pipeline);
      setIn.set(pass, this);
    }
    for (const { group, bindGroup, dynamicCount } of this.groups)
      if (!isSet || dynamicCount > 0) pass.setBindGroup(group, bindGroup, dynamicOffsets, 0, dynamicCount);
  }
}

/** Makes kernels of the modules of a part. */
export class KernelMaker<S extends Readonly<Record<string, ReflectedModule>>> {
  constructor(
    private readonly context: GpuContext,
    private readonly shaders: S,
  ) {}

  /** As `Kernel.create`. */
  one<N extends keyof S & string, E extends EntryPoints<S[N]>>(
    name: N,
    entry: E,
    bindings: Bindings<S[N], E>,
    constants?: Readonly<Record<string, number>>,
  ): Kernel {
    return Kernel.create(this.context, name, this.shaders[name], entry, bindings, constants);
  }

  /** Kernels of several entry points of a module, by their names. */
  some<N extends keyof S & string, E extends EntryPoints<S[N]>>(
    name: N,
    entries: readonly E[],
    bindings: Bindings<S[N], E>,
    constants?: Readonly<Record<string, number>>,
  ): Readonly<Record<E, Kernel>> {
    const made = entries.map((entry) => [
      entry,
      this.one(name, entry, bindings as Bindings<S[N], typeof entry>, constants),
    ]);
    return Object.fromEntries(made) as Readonly<Record<E, Kernel>>;
  }
}

/** The pipeline of an entry point, and the layouts of its groups of bindings. */
interface Pipeline {
  readonly layouts: readonly GPUBindGroupLayout[];
  readonly pipeline: GPUComputePipeline;
}

/** A module on a device, with the pipelines of its entry points and constants so far. */
interface Compiled {
  readonly shader: GPUShaderModule;
  readonly pipelines: Map<string, Pipeline>;
}

function createPipeline(
  device: GPUDevice,
  label: string,
  shader: GPUShaderModule,
  module: ReflectedModule,
  entryPoint: string,
  constants: Readonly<Record<string, number>>,
): Pipeline {
  const reflected = Object.values(module.entryPoints[entryPoint].bindings);
  const groupCount = Math.max(0, ...reflected.map((binding) => binding.group + 1));
  const layouts = Array.from({ length: groupCount }, (_, group) =>
    device.createBindGroupLayout({
      label,
      entries: reflected
        .filter((binding) => binding.group === group)
        .map(({ binding, type }) => ({
          binding,
          visibility: GPUShaderStage.COMPUTE,
          buffer: { type, hasDynamicOffset: group === dynamicGroup },
        })),
    }),
  );
  const pipeline = device.createComputePipeline({
    label,
    layout: device.createPipelineLayout({ label, bindGroupLayouts: layouts }),
    compute: { module: shader, entryPoint, constants: { ...constants } },
  });
  return { layouts, pipeline };
}
