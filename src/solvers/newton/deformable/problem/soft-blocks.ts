import type { BlockLu } from "../../../../math/sparse/block-lu";
import type { FemBody } from "../fem-body";

/**
 * A deformable body in the factors of an island, by vertices of two particles each. Components of its particles are
 * numbered from the slots of the particles: 3 slot + axis, so a vertex has six.
 */
export interface SoftBlocks {
  /** slot of each particle, two a vertex; −1 for particles without one */
  readonly place: Int32Array;
  readonly vertexCount: number;
  /** Takes the factors of the body; call this in every iteration. */
  update(body: FemBody): void;
  /** The number of A⁻¹ of two components of particles that one contact touches. */
  mobility(a: number, b: number): number;
  /** y = A⁻¹ f at particles in contact, both from `at` on */
  respond(f: Float64Array, y: Float64Array, at: number): void;
  /** y += A⁻¹ of an impulse on one component, at particles in contact, from `at` on */
  push(component: number, impulse: number, y: Float64Array, at: number): void;
  /** Adds pairs of vertices that share a block; the first vertex of the body has this number. */
  addEdges(add: (a: number, b: number) => void, first: number): void;
  addStiffness(lu: BlockLu, first: number): void;
}
