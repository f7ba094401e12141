/**
 * Parts of a sheet that go through some substeps by themselves. A patch has its own particles and those around them that their motion
 * depends on. It sweeps all elements that matter in the order of their colors, and so finds for its own particles what a sweep over all of
 * the sheet finds, to the bit. The rest, of the particles around, is true for as many substeps as their own neighbors are there, and
 * worth nothing after; the patches that own them find that.
 *
 * Elements of one color touch a particle once, so a substep does not reach one ring of elements a color: on a grid with eight colors three
 * rings, on its two sides.
 */
import { buildIncidence, NO_VERTEX, type Incidence } from "../../../geometry/surface/incidence";

/** Elements of a term, as a sweep takes them. */
export interface SweptElements {
  /** element × arity: vertices, or `NO_VERTEX` */
  readonly indices: Uint32Array;
  readonly arity: number;
  /** first element of each color, and the number of elements */
  readonly colours: Uint32Array;
}

export interface PatchInput {
  /** particleCount × 3 [m]: patches are boxes of these */
  readonly positions: ArrayLike<number>;
  readonly faces: Uint32Array;
  readonly membrane: SweptElements;
  readonly bending: SweptElements | undefined;
  /** whether contact pushes faces, too */
  readonly withFaces: boolean;
}

/** Numbers of entries of its lists that a patch takes in a substep. */
export interface PatchCounts {
  /** particles that are true before the sweep, after membranes, after bending, and at the end */
  readonly taken: number;
  readonly swept: number;
  readonly held: number;
  /** those whose faces must all be there */
  readonly pushed: number;
  readonly finished: number;
  readonly faces: number;
  /** elements of each color; none of bending in a substep without */
  readonly membranes: readonly number[];
  readonly bendings: readonly number[];
}

/** Lists whose first entries are those that are needed longest. */
export interface Patch {
  /** own ones first */
  readonly particles: readonly number[];
  readonly owned: number;
  /** elements of each color */
  readonly membranes: readonly (readonly number[])[];
  readonly bendings: readonly (readonly number[])[];
  /** faces whose contact matters */
  readonly faces: readonly number[];
  readonly substeps: readonly PatchCounts[];
}

/**
 * Cuts a sheet into patches, halves by halves, until none owns more than `mostOwned` particles or takes more than `mostTaken`.
 *
 * @param bends for each substep that the patches are to go through, whether it sweeps bending
 * @returns undefined if the elements of a few particles reach too far
 */
export function planPatches(
  input: PatchInput,
  bends: readonly boolean[],
  mostOwned: number,
  mostTaken: number,
): Patch[] | undefined {
  const planner = new Planner(input, bends, mostTaken);
  const patches: Patch[] = [];
  const pending: Uint32Array[] = [Uint32Array.from({ length: input.positions.length / 3 }, (_, p) => p)];
  for (let owned = pending.pop(); owned; owned = pending.pop()) {
    const patch = owned.length <= mostOwned ? planner.patch(owned) : undefined;
    if (patch) patches.push(patch);
    else if (owned.length < LEAST_OWNED) return undefined;
    else pending.push(...halves(owned, input.positions));
  }
  return patches;
}

/** Smaller patches would do almost nothing but the work of others. */
const LEAST_OWNED = 32;

/** Cuts across the longest side of their box. */
function halves(particles: Uint32Array, positions: ArrayLike<number>): [Uint32Array, Uint32Array] {
  const extent = (axis: number): number => {
    let least = Infinity;
    let most = -Infinity;
    for (const p of particles) {
      least = Math.min(least, positions[3 * p + axis]);
      most = Math.max(most, positions[3 * p + axis]);
    }
    return most - least;
  };
  const extents = [0, 1, 2].map(extent);
  const axis = extents.indexOf(Math.max(...extents));
  const sorted = particles.slice().sort((a, b) => positions[3 * a + axis] - positions[3 * b + axis] || a - b);
  const middle = sorted.length >> 1;
  return [sorted.subarray(0, middle).sort(), sorted.subarray(middle).sort()];
}

/** A list without duplicates, that only grows. */
class Growing {
  readonly entries: number[] = [];

  /** @param seenBy for each entry that may be, the last user of the memory who had it */
  constructor(
    private readonly seenBy: Uint32Array,
    private readonly user: number,
  ) {}

  add(entry: number): void {
    if (this.seenBy[entry] === this.user) return;
    this.seenBy[entry] = this.user;
    this.entries.push(entry);
  }
}

/** Elements at particles, color after color. */
class Sweep {
  private readonly around: Incidence;
  private readonly colourOf = new Uint8Array(this.elements.indices.length / this.elements.arity);
  private readonly seenBy = new Uint32Array(this.elements.indices.length / this.elements.arity);

  constructor(
    private readonly elements: SweptElements,
    particleCount: number,
  ) {
    const { indices, colours } = elements;
    this.around = buildIncidence(indices, particleCount);
    for (let c = 1; c < colours.length; c++) this.colourOf.fill(c - 1, colours[c - 1], colours[c]);
  }

  /** Of a patch, empty at first. */
  lists(user: number): Growing[] {
    return Array.from({ length: this.elements.colours.length - 1 }, () => new Growing(this.seenBy, user));
  }

  /** Goes from the last color back to the first one: adds the elements that change the particles, and then their particles. */
  back(lists: readonly Growing[], particles: Growing): void {
    const { indices, arity } = this.elements;
    const { offsets, entries } = this.around;
    for (let colour = lists.length - 1; colour >= 0; colour--) {
      const list = lists[colour];
      const before = list.entries.length;
      for (const p of particles.entries)
        for (let i = offsets[p]; i < offsets[p + 1]; i++) {
          const element = Math.floor(entries[i] / arity);
          if (this.colourOf[element] === colour) list.add(element);
        }
      for (let k = before; k < list.entries.length; k++)
        for (let i = arity * list.entries[k]; i < arity * (list.entries[k] + 1); i++)
          if (indices[i] !== NO_VERTEX) particles.add(indices[i]);
    }
  }
}

class Planner {
  private readonly membrane = new Sweep(this.input.membrane, this.input.positions.length / 3);
  private readonly bending: Sweep | undefined;
  private readonly faces: Sweep;
  private readonly seenBy = new Uint32Array(this.input.positions.length / 3);
  private user = 0;

  constructor(
    private readonly input: PatchInput,
    private readonly bends: readonly boolean[],
    private readonly mostTaken: number,
  ) {
    const { positions, faces } = input;
    const particleCount = positions.length / 3;
    this.bending = input.bending && new Sweep(input.bending, particleCount);
    this.faces = new Sweep({ indices: faces, arity: 3, colours: Uint32Array.of(0, faces.length / 3) }, particleCount);
  }

  /** From the end of the last substep back to the start of the first. */
  patch(owned: Uint32Array): Patch | undefined {
    const { bends, bending, membrane, mostTaken } = this;
    this.user++;
    const particles = new Growing(this.seenBy, this.user);
    const [faces] = this.faces.lists(this.user);
    const membranes = membrane.lists(this.user);
    const bendings = bending?.lists(this.user) ?? [];
    const lengths = (lists: readonly Growing[]): number[] => lists.map(({ entries }) => entries.length);
    owned.forEach((p) => particles.add(p));
    const substeps: PatchCounts[] = [];
    for (let k = bends.length - 1; k >= 0; k--) {
      const finished = particles.entries.length;
      if (this.input.withFaces) this.faces.back([faces], particles);
      const pushed = particles.entries.length;
      // A face shares its push with the faces around it.
      if (this.input.withFaces) this.faces.back([faces], particles);
      const held = particles.entries.length;
      if (bends[k]) bending?.back(bendings, particles);
      const swept = particles.entries.length;
      membrane.back(membranes, particles);
      const taken = particles.entries.length;
      if (taken > mostTaken) return undefined;
      substeps.unshift({
        taken,
        swept,
        held,
        pushed,
        finished,
        faces: faces.entries.length,
        membranes: lengths(membranes),
        bendings: bends[k] ? lengths(bendings) : bendings.map(() => 0),
      });
    }
    return {
      particles: particles.entries,
      owned: owned.length,
      membranes: membranes.map(({ entries }) => entries),
      bendings: bendings.map(({ entries }) => entries),
      faces: faces.entries,
      substeps,
    };
  }
}
