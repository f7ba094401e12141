import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { invalid, unsupported } from "../../src/errors";
import { type DeformableBody, MotionRange } from "../../src/index";
import { checkNames, optionNames } from "../../src/option-names";
import {
  carrierNames,
  carrierOf,
  type AttachmentCarrier,
  type Burden,
  type CarriedPoints,
  type Carrier,
} from "../deformable/carrier";
import { factorsAt, type VertexMap } from "./cloth-maps";

/** The animated shape, and how far vertices may leave it. */
export type ClothRangeOptions = AttachmentCarrier & {
  /** most distance of each vertex from its place, units of the scene (m): one for all, or a map; default: no limit */
  maxDistance?: number | VertexMap;
  /**
   * most distance of each vertex behind its place, against the normal of the mesh, units of the scene (m): one for all,
   * or a map; default: no limit
   */
  backstop?: number | VertexMap;
};

const clothRangeNames = optionNames<ClothRangeOptions>()("maxDistance backstop", carrierNames);

/** A range with its numbers for each vertex. */
interface CheckedRange {
  readonly carrier: Carrier;
  readonly maxDistance: ArrayLike<number> | undefined;
  readonly backstop: ArrayLike<number> | undefined;
}

/**
 * An animated shape that a cloth keeps near: each vertex has a place on a node, a bone or the skin of a mesh, where it is
 * when the cloth is made. Option `range` of `ClothAggregate`.
 *
 * @example
 * ```ts
 * const range = new ClothRange({ skin: skinnedMesh, maxDistance: { channel: "r", from: 0, to: 0.2 }, backstop: 0.01 });
 * const coat = new ClothAggregate(mesh, { range }, scene);
 * ```
 */
export class ClothRange {
  /** @throws PliantError for an unknown option */
  constructor(private readonly options: ClothRangeOptions) {
    checkNames("ClothRange", options, clothRangeNames);
  }

  /**
   * @internal reads its numbers before the mesh becomes cloth
   *
   * @param places of the vertices in the scene, three numbers each
   * @returns what leads the body, whose particle of each vertex is given
   * @throws PliantError as `carrierOf`, and for a map out of its range; `unsupported` for another solver than `gpbd`
   */
  _of(
    object: string,
    mesh: AbstractMesh,
    burden: Burden,
    places: ArrayLike<number>,
  ): (body: DeformableBody, particles: ArrayLike<number>) => LedRange {
    if (burden.solver !== "gpbd") throw unsupported(`${object}.range`, burden.solver, "needs solver gpbd");
    const { unitsPerMetre } = burden.plugin.frame;
    const distances = (name: "maxDistance" | "backstop"): Float64Array | undefined => {
      const map = this.options[name];
      if (map === undefined) return undefined;
      const owner = `${object}.range.${name}`;
      const count = places.length / 3;
      const list = typeof map === "number" ? new Float64Array(count).fill(map) : factorsAt(owner, mesh, map, places);
      if (list.length !== count) throw invalid(owner, list.length, `must be ${count}, one for each vertex`);
      return Float64Array.from(list, (value, v) => {
        if (!(value >= 0)) throw invalid(`${owner}[${v}]`, value, "must be at least 0");
        return value / unitsPerMetre;
      });
    };
    const carrier = carrierOf(`${object}.range`, this.options, burden);
    const checked = { carrier, maxDistance: distances("maxDistance"), backstop: distances("backstop") };
    return (body, particles) => new LedRange(body, checked, particles);
  }
}

/** Leads the places of a cloth's motion range by their carrier. */
export class LedRange {
  /** keeps the places where they are, while their skeleton jumps */
  isHeld = false;
  /** whose bones carry the places */
  readonly skeleton: Skeleton | undefined;
  private readonly points: CarriedPoints;
  private readonly range: MotionRange;
  private readonly stop: () => void;
  private start: Float64Array;
  private goal: Float64Array;

  /** @param particles the particle of each vertex */
  constructor(body: DeformableBody, { carrier, maxDistance, backstop }: CheckedRange, particles: ArrayLike<number>) {
    this.start = this.goal = body.model.positions.slice();
    this.skeleton = carrier.skeleton;
    this.points = carrier.bind(this.start);
    // Of vertices at one place, the tightest limit counts.
    const ofParticles = (list: ArrayLike<number> | undefined): Float64Array | undefined => {
      if (!list) return undefined;
      const out = new Float64Array(body.particleCount).fill(Infinity);
      for (let v = 0; v < list.length; v++) out[particles[v]] = Math.min(out[particles[v]], list[v]);
      return out;
    };
    this.range = new MotionRange(body, { maxDistance: ofParticles(maxDistance), backstop: ofParticles(backstop) });
    this.stop = carrier.onGone(() => this.release());
  }

  /**
   * Before a step that ends at a part of the frame.
   *
   * @throws PliantError `non-finite` for a carrier without a finite position: the places stay
   */
  beforeStep(fraction: number): void {
    if (this.isHeld) return;
    this.goal = this.points.follow() ?? this.goal;
    const { start, goal } = this;
    if (start === goal) return;
    this.range.setPlaces(goal.map((value, i) => start[i] + fraction * (value - start[i])));
    if (fraction >= 1) this.start = goal;
  }

  /** Ends the limits, and no longer watches the carrier. */
  release(): void {
    this.stop();
    this.range.dispose();
  }

  /** Goes to the carrier at once. @returns the places there, three numbers each [m] */
  jump(): Float64Array {
    this.start = this.goal = this.points.follow() ?? this.goal;
    this.range.jump(this.goal);
    return this.goal;
  }
}
