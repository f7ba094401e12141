/**
 * Contacts of bodies with one another and with themselves on the GPU: the search that GPBD has as well, once a step, and what of
 * its pairs become contacts; twin of detect-surfaces.ts.
 */
import { edgeKey } from "../../../../geometry/surface/twin-sides";
import { GpuSurfaceTrees } from "../../../../collision/surface/gpu-trees";
import { joinSurfaces, type SurfaceMesh } from "../../../../collision/surface/surface-mesh";
import { shaders } from "../../../../generated/shaders/local-global";
import { shaders as surfaceShaders } from "../../../../generated/shaders/surface";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { type Bindings, KernelMaker } from "../../../../gpu/kernel";
import type { PassRecorder } from "../../../../gpu/pass-recorder";
import { firstPairs } from "./contact-buffers";
import { dispatch, type Gate } from "./pass-gate";
import { firstVertices } from "../tables";
import { facesAtVertices } from "../../../../collision/soft/own-normals";
import { solidEdges } from "../../../../collision/soft/surface-detection";
import type { GroupBody } from "../../body/group-body";

/** Part of the room for pairs that may be used before more is made. */
const GROW_AT = 0.7;
const noOffsets = new Uint32Array(1);

/** Buffers of the kernels beside those that are made here. */
type Places = { readonly surfaceStart: GPUBuffer; readonly surfaceShift: GPUBuffer };
type ContactBindings = Omit<
  Bindings<(typeof shaders)["local-global/detect/surfaces"], "judgeSurfaces" | "writeSurfaces">,
  keyof Places | "surface" | "topology" | "pairs" | "ownerPairs" | "edgeFaces"
>;

export class GpuSurfaceDetection {
  /** pairs that there is room for */
  capacity: number;
  private readonly mesh: SurfaceMesh;
  private readonly trees: GpuSurfaceTrees;
  private readonly fixed;
  private sized;
  private kernels;
  private readonly limit: number;
  private readonly options: readonly number[];

  /** @param places of the vertices of all bodies, see `firstVertices` */
  constructor(
    private readonly context: GpuContext,
    bodies: readonly GroupBody[],
    private readonly places: Places & { readonly control: GPUBuffer },
  ) {
    const { maxStorageBufferBindingSize, maxBufferSize } = context.device.limits;
    this.limit = Math.floor(Math.min(maxStorageBufferBindingSize, maxBufferSize) / structs.SurfacePair.size);
    this.options = collisionOptions(bodies);
    this.mesh = joinSurfaces(
      bodies.map(({ model: { restPositions, faces }, options: { selfCollision, bodyCollision } }) => ({
        restPositions,
        faces,
        selfCollision,
        bodyCollision,
      })),
      firstVertices(bodies),
    );
    const { mesh } = this;
    this.trees = new GpuSurfaceTrees(context, mesh, places);
    const owners = this.trees.owners;
    this.fixed = {
      ownerPairs: context.createBuffer("local-global pairs of owners", 8 * owners),
      oldOwnerPairs: context.createBuffer("local-global kept pairs of owners", 8 * owners),
      mostPairs: context.createBuffer("local-global most pairs", 4),
      pairWorkgroups: context.createBuffer(
        "local-global pair workgroups",
        structs.PairWorkgroups.size,
        GPUBufferUsage.INDIRECT,
      ),
      edgeFaces: context.createBuffer("local-global faces around edges and vertices", facesAround(mesh, bodies)),
    };
    this.capacity = Math.min(this.limit, firstPairs(mesh.vertices.length));
    this.sized = this.createSized();
    this.kernels = this.createKernels();
  }

  /** Whether it is for these bodies with their options as they are. */
  fits(bodies: readonly GroupBody[]): boolean {
    return collisionOptions(bodies).every((value, k) => value === this.options[k]);
  }

  /** Vertices and edges, each with contacts of its own. */
  get owners(): number {
    return this.trees.owners;
  }

  /** The most pairs that a search has found. */
  get mostPairs(): GPUBuffer {
    return this.fixed.mostPairs;
  }

  /** Kernels of a step that see its contacts. */
  createContactKernels(bindings: ContactBindings) {
    const { context, fixed, sized, trees, places } = this;
    const all = { ...bindings, ...places, ...trees.buffers, ...fixed, pairs: sized.pairs };
    const make = new KernelMaker(context, shaders);
    return make.some("local-global/detect/surfaces", ["judgeSurfaces", "writeSurfaces"], all);
  }

  beginFrame(bodies: readonly GroupBody[]): void {
    const thickness = Math.max(...bodies.map(({ options }) => options.thickness + options.contactMargin));
    this.trees.write({ capacity: this.capacity, thickness, parting: 0, interval: 1 });
  }

  /** Whether the device holds so many pairs. */
  holds(wanted: number): boolean {
    return wanted <= this.limit;
  }

  /**
   * Makes more room for pairs before there is none left.
   *
   * @param wanted pairs that were found, that the device holds
   * @returns whether there are other buffers now
   */
  makeRoom(wanted: number, recorder: PassRecorder): boolean {
    if (wanted <= GROW_AT * this.capacity || this.capacity === this.limit) return false;
    const { sized: old } = this;
    this.capacity = Math.min(this.limit, 2 * wanted);
    this.sized = this.createSized();
    this.kernels = this.createKernels();
    recorder.end();
    recorder.encoder.copyBufferToBuffer(old.keptPairs, 0, this.sized.keptPairs, 0, old.keptPairs.size);
    // the copy is still to be done
    void this.context.device.queue.onSubmittedWorkDone().then(() => old.keptPairs.destroy());
    old.pairs.destroy();
    return true;
  }

  /** Finds the pairs that may touch in a step. */
  search(pass: GPUComputePassEncoder, gate: Gate): void {
    const { find, tally } = this.kernels;
    this.trees.refit(pass);
    for (const kernel of find) dispatch(gate, kernel, pass, this.owners, noOffsets);
    gate.dispatchWorkgroups(tally, pass, 1, noOffsets);
  }

  /** Buffers that outlive a step. */
  get kept(): readonly GPUBuffer[] {
    return [this.fixed.oldOwnerPairs, this.sized.keptPairs];
  }

  /** The step is done: the next one goes on from its pairs. */
  keep(pass: GPUComputePassEncoder): void {
    const { keepOwnerPairs, keepPairs } = this.kernels;
    keepOwnerPairs.dispatch(pass, this.owners, noOffsets);
    keepPairs.dispatchIndirect(pass, this.fixed.pairWorkgroups, noOffsets);
  }

  dispose(): void {
    this.trees.dispose();
    for (const buffer of [...Object.values(this.fixed), ...Object.values(this.sized)]) buffer.destroy();
  }

  private createSized() {
    const size = structs.SurfacePair.size * this.capacity;
    return {
      pairs: this.context.createBuffer("local-global pairs", size),
      keptPairs: this.context.createBuffer("local-global kept pairs", size),
    };
  }

  private createKernels() {
    const { context, fixed, sized, trees, places } = this;
    const all = { ...places, ...trees.buffers, ...fixed, ...sized };
    const searching = { ...all, oldPairs: sized.keptPairs };
    const make = new KernelMaker(context, surfaceShaders);
    return {
      // counts, and writes
      find: [0, 1].map((writesPairs) => make.one("surface/pairs", "findPairs", searching, { writesPairs })),
      tally: make.one("surface/incidence", "tallyPairs", all),
      ...new KernelMaker(context, shaders).some("local-global/detect/keep-pairs", ["keepOwnerPairs", "keepPairs"], all),
    };
  }
}

function collisionOptions(bodies: readonly GroupBody[]): number[] {
  return bodies.map(({ options }) => (options.selfCollision ? 2 : 0) + (options.bodyCollision ? 1 : 0));
}

/** Of the faces at an edge, that they are nearly in one plane; see detect/surfaces.wgsl. */
const FLAT_EDGE = 0xffffffff;

/**
 * Two numbers an edge: its faces, counted from 1, where it is one of a solid. Behind them two numbers a vertex: where it has its faces in
 * this list, and how many; then two a face at a vertex, the first of which is its own.
 */
function facesAround(mesh: SurfaceMesh, bodies: readonly GroupBody[]): Uint32Array {
  const { edges, faces, particleCount } = mesh;
  const kinds = bodies.map(({ model }) => ({ isSolid: model.tetrahedra !== undefined }));
  const known = solidEdges(mesh, kinds);
  const { facesAt, facesFrom } = facesAtVertices(faces, particleCount);
  const first = edges.length + 2 * particleCount;
  const out = new Uint32Array(first + 2 * facesAt.length);
  for (let v = 0; v < particleCount; v++)
    out.set([first / 2 + facesFrom[v], facesFrom[v + 1] - facesFrom[v]], edges.length + 2 * v);
  facesAt.forEach((face, i) => (out[first + 2 * i] = face / 3));
  for (let e = 0; e < edges.length; e += 2) {
    const own = known.get(edgeKey(edges[e], edges[e + 1]));
    own?.faces.slice(0, 2).forEach((first, k) => (out[e + k] = own.isFlat ? FLAT_EDGE : first / 3 + 1));
  }
  return out;
}
