/**
 * Sweeps over tetrahedra by WebAssembly SIMD, see assembly/solid-kernels.ts. The state stays in f64: only sides of elements, and
 * their displacements, are in f32.
 */
import { type SolidKernels, solidKernelsModule } from "../../../../generated/solid-kernels";
import { inflatedModule, roomIn } from "../../../../math/wasm";
import { QUADRATIC_NODES, QUADRATURE_POINTS } from "../../../../geometry/tetrahedra/quadrature";
import { isSolid, type EnergyTerm } from "../../model";
import { arityOf } from "../elements";
import { solidKindOf } from "./solid-kind";
import { BATCH, BATCH_BYTES, placeOf, SolidLaw } from "./solid-law";
import type { SolidSolve, SweptValues } from "./solid-solve";

/** Bytes that the kernel works with. */
const SCRATCH = 2816;

/** The memory of the kernels: terms take it in turns, as they are swept one after another. */
export class SolidMemory {
  /** the term that has its elements in the memory */
  owner: object | undefined;
  private readonly known = new WeakMap<EnergyTerm, SolidKernel>();

  private constructor(
    readonly kernels: SolidKernels,
    /** whether elements are solved in f32, and in f64 where that will not do; without, all are in f64 */
    readonly isSingle: boolean,
  ) {}

  /** @returns undefined where there is no WebAssembly, or not its SIMD, or where a content security policy forbids it */
  static async load(isSingle = true): Promise<SolidMemory | undefined> {
    const kernels = await inflatedModule<SolidKernels>(solidKernelsModule);
    return kernels && new SolidMemory(kernels, isSingle);
  }

  /** See `SolidSolve.sweep`. */
  readonly sweep: NonNullable<SolidSolve["sweep"]> = (
    term,
    values,
    h,
    { newtonIterations, relaxation },
    isCold,
    solve,
  ) => {
    if (newtonIterations > 1 || !isSolid(term.kind) || solidKindOf(term).strain.dimension !== GREEN) return false;
    let kernel = this.known.get(term);
    if (!kernel) this.known.set(term, (kernel = new SolidKernel(this, term, values.w.length)));
    kernel.begin(values);
    for (let color = 0; color + 1 < term.colours.length; color++)
      for (let point = 0; point < kernel.points; point++) {
        const left = kernel.sweep(color, point, h, relaxation, isCold);
        for (let k = 0; k < left; k++) solve(kernel, kernel.left[k]);
      }
    kernel.end(values);
    return true;
  };

  /** See `SolidSolve.forget`. */
  readonly forget = (): void => {
    this.owner = undefined;
  };
}

/** Entries of Green strain. */
const GREEN = 6;

/** The sweep of one term, color after color. */
class SolidKernel implements SweptValues {
  positions = new Float64Array();
  start = new Float64Array();
  w = new Float64Array();
  tracked = new Float64Array();
  /** elements that the last sweep left over */
  left = new Uint32Array();
  /** elements of a color that share vertices, one after another: points of a quadratic tetrahedron */
  readonly points: number;
  private readonly places;
  private readonly nodes: number = arityOf(this.term);
  /** of terms that are not neo-Hookean */
  private readonly law: SolidLaw | undefined;
  private blocks = new Float64Array();

  constructor(
    private readonly memory: SolidMemory,
    private readonly term: EnergyTerm,
    particleCount: number,
  ) {
    this.points = this.nodes === QUADRATIC_NODES ? QUADRATURE_POINTS : 1;
    const kind = solidKindOf(term);
    this.law = kind.barrier ? undefined : new SolidLaw(term, kind);
    const positions = kind.barrier ? SCRATCH : BATCH_BYTES;
    const start = positions + 24 * particleCount;
    const w = start + 24 * particleCount;
    const rest = w + 8 * particleCount;
    const tracked = rest + 8 * term.rest.length;
    const indices = tracked + 24 * term.indices.length;
    const list = indices + 4 * term.indices.length;
    this.places = { positions, start, w, rest, tracked, indices, list, end: list + 4 * term.elementCount };
  }

  /** Takes over the values of the body. */
  begin({ positions, start, w, tracked }: SweptValues): void {
    this.enter();
    this.positions.set(positions);
    this.start.set(start);
    this.w.set(w);
    this.tracked.set(tracked);
  }

  /**
   * Sweeps the elements of a color, of quadratic tetrahedra one point each.
   *
   * @param h time step [s]
   * @param share part of each displacement that is made
   * @param isCold see `ElementScratch`
   * @returns number of elements in `left`, which remain to be solved with the values of this kernel
   */
  sweep(color: number, point: number, h: number, share: number, isCold: boolean): number {
    if (this.law) return this.sweepLaw(this.law, color, point, h, share);
    const { colours, material, kind } = this.term;
    const { indices, rest, tracked, positions, start, w, list } = this.places;
    return this.memory.kernels.neoHookean(
      this.nodes,
      colours[color] + point,
      colours[color + 1],
      this.points,
      this.memory.isSingle ? 1 : 0,
      indices,
      rest,
      tracked,
      positions,
      start,
      w,
      material[0],
      material[1],
      material[4] / h,
      share,
      isCold ? 1 : 0,
      kind === "neo-hookean-tet" ? 1 : 0,
      0,
      list,
    );
  }

  private sweepLaw(law: SolidLaw, color: number, point: number, h: number, share: number): number {
    const { nodes, points, blocks } = this;
    const { kernels } = this.memory;
    const { indices, rest, tracked, positions, start, w } = this.places;
    const end = this.term.colours[color + 1];
    const isDamped = law.begin(h);
    let left = 0;
    for (let from = this.term.colours[color] + point; from < end; from += BATCH * points) {
      const count = Math.min(BATCH, Math.ceil((end - from) / points));
      const last = from + count * points;
      kernels.lawStrains(nodes, from, last, points, indices, rest, tracked, positions, start, w, +isDamped, 0);
      law.derive(blocks, count);
      kernels.lawSteps(nodes, (count + 1) >> 1, 0);
      for (let k = 0; k < count; k++) {
        const e = from + k * points;
        if (law.accepts(blocks, k)) this.move(e, placeOf(k), share);
        else this.left[left++] = e;
      }
    }
    return left;
  }

  /** Adds a displacement in the blocks to the positions and to dᵢ. */
  private move(e: number, found: number, share: number): void {
    const first = e * this.nodes;
    for (let a = 0; a < this.nodes; a++) {
      const p = 3 * this.term.indices[first + a];
      for (let c = 0; c < 3; c++) {
        const delta = share * this.blocks[found + 2 * (3 * a + c)];
        this.positions[p + c] += delta;
        this.tracked[3 * (first + a) + c] += delta;
      }
    }
  }

  /** Hands back positions and dᵢ. */
  end({ positions, tracked }: SweptValues): void {
    positions.set(this.positions);
    tracked.set(this.tracked);
  }

  /** Brings the elements into the memory, unless they are there. */
  private enter(): void {
    const { memory, term, places } = this;
    const buffer = roomIn(memory.kernels.memory, places.end);
    if (this.positions.buffer !== buffer) {
      const count = (places.w - places.start) / 8;
      this.positions = new Float64Array(buffer, places.positions, count);
      this.start = new Float64Array(buffer, places.start, count);
      this.w = new Float64Array(buffer, places.w, count / 3);
      this.tracked = new Float64Array(buffer, places.tracked, 3 * term.indices.length);
      this.blocks = new Float64Array(buffer, 0, BATCH_BYTES / 8);
      this.left = new Uint32Array(buffer, places.list, term.elementCount);
    }
    if (memory.owner === this) return;
    memory.owner = this;
    new Float64Array(buffer, places.rest, term.rest.length).set(term.rest);
    new Uint32Array(buffer, places.indices, term.indices.length).set(term.indices);
  }
}
