import type { GpuContext } from "./device";
import { Kernel, type ReflectedModule } from "./kernel";

type Modules = Readonly<Record<string, ReflectedModule>>;

/** Entry points of some modules, of which no two have one of the same name. */
export type EntryOf<M extends Modules> = { [N in keyof M]: keyof M[N]["entryPoints"] & string }[keyof M];

/** Kernels of some modules by their entry points. They are made when they are first needed. */
export class KernelSet<M extends Modules> {
  private readonly kernels = new Map<string, Kernel>();

  constructor(
    private readonly context: GpuContext,
    private readonly modules: M,
  ) {}

  /** @param buffers by their names in the shaders, for a kernel that is made now */
  get(entry: EntryOf<M>, buffers: () => Readonly<Record<string, GPUBuffer>>): Kernel {
    let kernel = this.kernels.get(entry);
    if (!kernel) {
      const [name, module] = Object.entries(this.modules).find(([, { entryPoints }]) => entry in entryPoints)!;
      this.kernels.set(entry, (kernel = Kernel.create(this.context, name, module, entry, buffers())));
    }
    return kernel;
  }

  /** Forgets the kernels: some buffers are other ones. */
  clear(): void {
    this.kernels.clear();
  }
}
