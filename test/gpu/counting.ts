/** Objects created on a device, and the buffers that still exist. */
export interface ObjectCount {
  /** calls by name of the method */
  readonly created: Map<string, number>;
  /** labels of buffers and query sets that were not destroyed */
  alive(): string[];
}

const methods = [
  "createBuffer",
  "createTexture",
  "createSampler",
  "createBindGroupLayout",
  "createPipelineLayout",
  "createBindGroup",
  "createShaderModule",
  "createComputePipeline",
  "createComputePipelineAsync",
  "createRenderPipeline",
  "createRenderPipelineAsync",
  "createQuerySet",
] as const;

/** Counts objects created on a device from now on, except command encoders: a frame is one. */
export function countObjects(device: GPUDevice): ObjectCount {
  const created = new Map<string, number>();
  const alive = new Set<{ label: string }>();
  const patched = device as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const method of methods) {
    const original = patched[method].bind(device);
    patched[method] = (...values) => {
      created.set(method, (created.get(method) ?? 0) + 1);
      const made = original(...values);
      if (method === "createBuffer" || method === "createQuerySet") {
        const resource = made as GPUBuffer | GPUQuerySet;
        alive.add(resource);
        const destroy = resource.destroy.bind(resource);
        resource.destroy = () => {
          alive.delete(resource);
          destroy();
          return undefined;
        };
      }
      return made;
    };
  }
  return { created, alive: () => [...alive].map(({ label }) => label) };
}
