/** The commands that a host gives a GPU, counted by wrapping what a device hands out. Nothing is timed, so any adapter will do. */

/** Dispatches of one kernel. */
export interface KernelCount {
  direct: number;
  /** the GPU alone knows how many workgroups these have */
  indirect: number;
  /** of direct dispatches */
  workgroups: number;
  /** of direct dispatches: workgroups of the widest */
  widest: number;
}

/** Commands since the last look. */
export interface CommandCount {
  readonly kernels: Map<string, KernelCount>;
  passes: number;
  submits: number;
  /** copies between buffers, and fills */
  copies: number;
  /** of host memory to buffers */
  writes: number;
  writtenBytes: number;
  setPipeline: number;
  setBindGroup: number;
  /** bytes of buffers that the dispatches were bound to, each buffer once a frame */
  boundBytes: number;
  /** calls of any kind */
  hostCalls: number;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Runs `before` ahead of a method of one object; Dawn and browsers take only objects of their own, so these cannot be proxies. */
function watch(target: object, method: string, before: (...values: unknown[]) => void, after?: (made: object) => void) {
  const own = target as Record<string, Method>;
  const original = own[method].bind(target);
  own[method] = (...values) => {
    before(...values);
    const made = original(...values);
    after?.(made as object);
    return made;
  };
}

function nothing(): CommandCount {
  return {
    kernels: new Map(),
    passes: 0,
    submits: 0,
    copies: 0,
    writes: 0,
    writtenBytes: 0,
    setPipeline: 0,
    setBindGroup: 0,
    boundBytes: 0,
    hostCalls: 0,
  };
}

/** Counts a device's commands from now on. */
export class CommandCounter {
  private count = nothing();
  private readonly bound = new Set<GPUBuffer>();
  private readonly buffersOf = new WeakMap<object, readonly GPUBuffer[]>();

  constructor(private readonly device: GPUDevice) {
    watch(
      device,
      "createCommandEncoder",
      () => this.count.hostCalls++,
      (encoder) => this.follow(encoder),
    );
    let entries: readonly GPUBuffer[] = [];
    watch(
      device,
      "createBindGroup",
      (descriptor) => (entries = buffersIn(descriptor as GPUBindGroupDescriptor)),
      (group) => this.buffersOf.set(group, entries),
    );
    watch(device.queue, "submit", () => {
      this.count.submits++;
      this.count.hostCalls++;
    });
    watch(device.queue, "writeBuffer", (_buffer, _offset, data, first, size) => {
      this.count.writes++;
      this.count.hostCalls++;
      this.count.writtenBytes += bytesOf(data as ArrayBuffer | ArrayBufferView, first, size);
    });
  }

  /** The commands since the last call. */
  take(): CommandCount {
    const { count } = this;
    for (const { size } of this.bound) count.boundBytes += size;
    this.bound.clear();
    this.count = nothing();
    return count;
  }

  /** Leaves the device as it was. */
  stop(): void {
    for (const object of [this.device, this.device.queue])
      for (const method of ["createCommandEncoder", "createBindGroup", "submit", "writeBuffer"])
        Reflect.deleteProperty(object, method);
  }

  private follow(encoder: object): void {
    for (const method of ["copyBufferToBuffer", "clearBuffer"])
      watch(encoder, method, () => {
        this.count.copies++;
        this.count.hostCalls++;
      });
    watch(
      encoder,
      "beginComputePass",
      () => {
        this.count.passes++;
        this.count.hostCalls += 2;
      },
      (pass) => this.followPass(pass),
    );
  }

  private followPass(pass: object): void {
    let kernel = "";
    const groups: (object | undefined)[] = [];
    watch(pass, "setPipeline", (pipeline) => {
      kernel = (pipeline as GPUComputePipeline).label;
      this.count.setPipeline++;
      this.count.hostCalls++;
    });
    watch(pass, "setBindGroup", (index, group) => {
      groups[index as number] = group as object;
      this.count.setBindGroup++;
      this.count.hostCalls++;
    });
    const dispatched = (workgroups: number | undefined): void => {
      this.count.hostCalls++;
      const entry = this.entryOf(kernel);
      if (workgroups === undefined) entry.indirect++;
      else {
        entry.direct++;
        entry.workgroups += workgroups;
        entry.widest = Math.max(entry.widest, workgroups);
      }
      for (const group of groups)
        for (const buffer of (group && this.buffersOf.get(group)) ?? []) this.bound.add(buffer);
    };
    watch(pass, "dispatchWorkgroups", (x, y = 1, z = 1) => dispatched((x as number) * (y as number) * (z as number)));
    watch(pass, "dispatchWorkgroupsIndirect", () => dispatched(undefined));
  }

  private entryOf(kernel: string): KernelCount {
    let entry = this.count.kernels.get(kernel);
    if (!entry) this.count.kernels.set(kernel, (entry = { direct: 0, indirect: 0, workgroups: 0, widest: 0 }));
    return entry;
  }
}

function buffersIn({ entries }: GPUBindGroupDescriptor): GPUBuffer[] {
  return [...entries].flatMap(({ resource }) => {
    const buffer = "buffer" in resource ? resource.buffer : resource;
    return "mapState" in buffer ? [buffer] : [];
  });
}

/** `first` and `size` count elements of an array, or bytes of a buffer. */
function bytesOf(data: ArrayBuffer | ArrayBufferView, first: unknown, size: unknown): number {
  const unit = "BYTES_PER_ELEMENT" in data ? (data.BYTES_PER_ELEMENT as number) : 1;
  if (typeof size === "number") return unit * size;
  return data.byteLength - unit * (typeof first === "number" ? first : 0);
}

/** Dispatches of both kinds. */
export function dispatchesOf({ kernels }: CommandCount): { direct: number; indirect: number; workgroups: number } {
  const sum = { direct: 0, indirect: 0, workgroups: 0 };
  for (const { direct, indirect, workgroups } of kernels.values()) {
    sum.direct += direct;
    sum.indirect += indirect;
    sum.workgroups += workgroups;
  }
  return sum;
}
