import { edgeGraph, reachFrom, type EdgeGraph } from "../geometry/reach";
import type { Vec3 } from "../math/types";
import type { GpbdModel } from "../solvers/gpbd/model";
import type { PinTable } from "../solvers/gpbd/solver";

export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Cloth is taken to stretch by no more than this. */
const stretchAllowance = 1.25;
/** A body slower than this [m/s] counts as lying still: something holds it. */
const restSpeed = 0.2;

/**
 * Boxes that contain a body without reading it back from the GPU. A pinned body stays within reach of its pins along its
 * edges; a free one is where it was last seen, grown by how far it can have gone since.
 */
export class BoundsTracker {
  private readonly graph: EdgeGraph;
  private seen: { box: Box; speed: number; time: number };
  /** since when the body was seen lying still, as long as nothing has disturbed it */
  private restingSince: number | undefined;
  /** Radius around each pin that holds what is nearest to it; recomputed when a pin is taken out. */
  private pinReach: Map<number, number> | undefined;

  constructor(
    private readonly model: GpbdModel,
    time: number,
  ) {
    const chain = model.faces.length === 0 ? model.terms.find((term) => term.kind === "distance")?.indices : undefined;
    this.graph = edgeGraph(model.positions, model.faces, chain);
    this.seen = { box: boxOf(model.positions), speed: 0, time };
    this.restingSince = undefined;
  }

  /** The state at this time is known. */
  observe(positions: ArrayLike<number>, velocities: ArrayLike<number>, time: number): void {
    if (time < this.seen.time) return;
    let speed = 0;
    for (let i = 0; i < velocities.length; i += 3)
      speed = Math.max(speed, Math.hypot(velocities[i]!, velocities[i + 1]!, velocities[i + 2]!));
    this.seen = { box: boxOf(positions), speed, time };
    this.restingSince = speed < restSpeed ? time : undefined;
  }

  /** Something changed that may set a resting body in motion. */
  disturb(time: number): void {
    if (this.restingSince === undefined) return;
    this.restingSince = undefined;
    this.seen = { ...this.seen, time };
  }

  /** Whether the body was seen lying still, and nothing has disturbed it since. */
  get resting(): boolean {
    return this.restingSince !== undefined;
  }

  /** Pins were added or taken out. */
  pinsChanged(pins: PinTable): void {
    const known = this.pinReach;
    // Further pins only hold the body tighter: the old radii stay true as long as their pins are there.
    if (known && known.size > 0 && [...known.keys()].every((pin) => pins.pinned[pin] === 1)) return;
    this.pinReach = undefined;
  }

  /**
   * @param gravity magnitude [m/s²]
   * @param drift speed of wind and fastest obstacle [m/s]
   * @param margin thickness [m]
   */
  box(pins: PinTable, time: number, gravity: number, drift: number, margin: number): Box {
    this.pinReach ??= this.reachOfPins(pins);
    if (this.pinReach.size > 0) return this.aroundPins(pins, this.pinReach, margin);
    const { box, speed, time: since } = this.seen;
    const elapsed = Math.max(0, time - since);
    const size = Math.max(...[0, 1, 2].map((c) => box.max[c]! - box.min[c]!));
    const way = this.resting ? 0 : (speed + drift) * elapsed + 0.5 * gravity * elapsed * elapsed;
    const growth = margin + (elapsed === 0 ? 0 : 0.1 * size) + way;
    return {
      min: box.min.map((value) => value - growth) as unknown as Vec3,
      max: box.max.map((value) => value + growth) as unknown as Vec3,
    };
  }

  /** Whether the box holds for good without another look at the body. */
  get anchored(): boolean {
    return this.pinReach !== undefined && this.pinReach.size > 0;
  }

  private reachOfPins(pins: PinTable): Map<number, number> {
    const sources: number[] = [];
    pins.pinned.forEach((pinned, p) => pinned === 1 && sources.push(p));
    const reach = new Map<number, number>();
    if (sources.length === 0) return reach;
    const { distances, nearest } = reachFrom(this.graph, sources);
    for (let p = 0; p < this.model.particleCount; p++) {
      // A part without a pin flies free: then pins do not bound the body.
      if (nearest[p]! < 0) return new Map();
      reach.set(nearest[p]!, Math.max(reach.get(nearest[p]!) ?? 0, distances[p]!));
    }
    return reach;
  }

  private aroundPins(pins: PinTable, reach: Map<number, number>, margin: number): Box {
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    for (const [pin, radius] of reach)
      for (let c = 0; c < 3; c++) {
        const r = stretchAllowance * radius + margin;
        min[c] = Math.min(min[c]!, pins.targets[3 * pin + c]! - r);
        max[c] = Math.max(max[c]!, pins.targets[3 * pin + c]! + r);
      }
    return { min, max };
  }
}

function boxOf(positions: ArrayLike<number>): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!);
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!);
  }
  return { min, max };
}
