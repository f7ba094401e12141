import { deviceOf, isWebGPU } from "./device";
import type { ClothPlugin } from "./cloth-plugin";

/**
 * Keeps deformable bodies going when a WebGPU engine loses its device: Babylon makes another device and rebuilds its
 * own resources; then the world continues from its last snapshot on that device.
 *
 * @returns a function that ends this
 */
export function followEngineDevice(plugin: ClothPlugin): () => void {
  const { engine, world } = plugin;
  if (!plugin.drawsFromGpu || !isWebGPU(engine)) return () => undefined;
  const lost = engine.onContextLostObservable.add(() => {
    for (const aggregate of plugin.deformableAggregates) aggregate._output.release();
  });
  const restored = engine.onContextRestoredObservable.add(() => {
    world.replaceDevice(deviceOf(engine));
    for (const aggregate of plugin.deformableAggregates) aggregate._output.restore();
  });
  return () => {
    engine.onContextLostObservable.remove(lost);
    engine.onContextRestoredObservable.remove(restored);
  };
}
