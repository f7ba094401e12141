import { boxOf, sizeOf, type Box } from "../../geometry/box";
import type { Vec3 } from "../../math/types";
import { edgeGraph, reachFrom, type EdgeGraph } from "../../geometry/reach";
import { tetrahedronEdges } from "../../geometry/tetrahedra/tet-edges";
import { pinGives, pinHolds, type PinTable } from "../../solvers/deformable";
import type { BodyModel } from "../backend/body-settings";

/** Largest stretch that is assumed for cloth. */
const stretchAllowance = 1.25;
/** Largest stretch that is assumed for soft solids. */
const solidAllowance = 2;
/** A body slower than this [m/s] may lie still. */
const restSpeed = 0.2;
/** Largest change of the box of a still body between two observations, as a part of its size. */
const restDrift = 0.01;

/** A pin, and the distances along edges from it to all other pins [m]. */
interface Span {
  readonly from: number;
  readonly ways: ReadonlyMap<number, number>;
}

/**
 * Boxes that contain a body, found without a readback from the GPU. A pinned body stays within reach of its pins along
 * its edges. The box of a free body is that of its last observation, grown by the distance that the body may have moved
 * since.
 */
export class BoundsTracker {
  private readonly graph: EdgeGraph = edgeGraph(this.model.positions, this.model.faces, linksOf(this.model));
  private readonly allowance: number = this.model.tetrahedra ? solidAllowance : stretchAllowance;
  private seen: { box: Box; speed: number; speeds: Vec3; time: number };
  /** time and box of the first slow observation, as long as nothing has disturbed the body and it has stayed there */
  private slowSince: { box: Box; time: number } | undefined;
  private lies = false;
  /** Radius around each pin that contains the particles nearest to the pin; recomputed when a pin is removed. */
  private pinReach: Map<number, number> | undefined;
  private span: Span | undefined;

  constructor(
    private readonly model: BodyModel,
    time: number,
  ) {
    this.seen = { box: boxOf(model.positions), speed: 0, speeds: [0, 0, 0], time };
  }

  /**
   * Records the state at this time. A body counts as lying still if two observations found it slow, at the same place,
   * so long after each other that gravity would have made it fast if nothing had held it.
   *
   * @param gravity magnitude [m/s²]
   */
  observe(positions: ArrayLike<number>, velocities: ArrayLike<number>, time: number, gravity: number): void {
    if (time < this.seen.time) return;
    this.seen = { box: boxOf(positions), ...fastest(velocities), time };
    const { box, speed } = this.seen;
    if (speed >= restSpeed) {
      this.slowSince = undefined;
      this.lies = false;
    } else if (!this.slowSince || driftOf(this.slowSince.box, box) > restDrift * sizeOf(box)) {
      this.slowSince = { box, time };
      this.lies = false;
    } else if (gravity * (time - this.slowSince.time) > 2 * restSpeed) this.lies = true;
  }

  /** Records a state that was written. Observations from before, or of a later time, no longer count. */
  place(positions: ArrayLike<number>, velocities: ArrayLike<number>, time: number): void {
    this.seen = { box: boxOf(positions), ...fastest(velocities), time };
    this.slowSince = undefined;
    this.lies = false;
  }

  /**
   * Records a change that may set the body in motion.
   *
   * @param speed highest speed that obstacles may push the body to [m/s]
   */
  disturb(time: number, speed: number): void {
    this.seen = { ...this.seen, ...this.fasterBy(speed), time: this.lies ? time : this.seen.time };
    this.slowSince = undefined;
    this.lies = false;
  }

  /** Records that particles are faster by so much, at most [m/s]. */
  hasten(time: number, by: number): void {
    this.disturb(time, this.seen.speed + by);
  }

  /** Records that the body stays where it was seen last, until something disturbs it. */
  settle(): void {
    this.lies = true;
  }

  /** Whether the body was seen lying still, and nothing has disturbed it since. */
  get resting(): boolean {
    return this.lies;
  }

  /**
   * Records that pins were added or removed. Particles that were held until now are within reach of their old pins.
   * They are no faster than after a fall through the whole box, plus the wind.
   */
  pinsChanged(pins: PinTable, time: number, gravity: number, drift: number, margin: number): void {
    this.span = undefined;
    const known = this.pinReach;
    // Additional pins only hold the body tighter: the old radii stay valid as long as their pins are there.
    if (known && known.size > 0 && [...known.keys()].every((pin) => pinHolds(pins, pin))) return;
    if (known && known.size > 0) {
      const box = this.aroundPins(pins, known, margin);
      const speed = Math.sqrt(2 * gravity * sizeOf(box)) + drift;
      this.seen = { box, ...this.fasterBy(speed), time };
    }
    this.pinReach = undefined;
  }

  /**
   * @param gravity magnitude [m/s²]
   * @param drift speed of the wind [m/s]
   * @param margin thickness [m]
   */
  box(pins: PinTable, time: number, gravity: number, drift: number, margin: number): Box {
    this.pinReach ??= this.reachOfPins(pins);
    if (this.pinReach.size > 0) return this.aroundPins(pins, this.pinReach, margin);
    const box = pins.compliances ? withPlaces(this.seen.box, pins, pinGives) : this.seen.box;
    // a particle on a compliant pin swings about its target, and as far beyond the target as it was away
    const swing = box === this.seen.box ? 0 : sizeOf(box);
    return this.sinceSeen(box, time, gravity, drift, margin, swing);
  }

  /** As `box`, but as small as the last observation allows, by its speeds along each axis, and of pinned bodies, too. */
  tightBox(pins: PinTable, time: number, gravity: number, drift: number, margin: number): Box {
    const box = this.box(pins, time, gravity, drift, margin);
    const places = withPlaces(this.seen.box, pins, (_, p) => pins.pinned[p] === 1);
    const gives = pins.pinned.some((_, p) => pinGives(pins, p));
    const { speeds } = this.seen;
    const since = this.sinceSeen(places, time, gravity, drift, margin, gives ? sizeOf(places) : 0, speeds);
    return {
      min: [0, 1, 2].map((c) => Math.max(box.min[c], since.min[c])) as unknown as Box["min"],
      max: [0, 1, 2].map((c) => Math.min(box.max[c], since.max[c])) as unknown as Box["max"],
    };
  }

  /**
   * @param swing additional way of a moving body [m]
   * @param speeds along the axes [m/s], default: its highest speed
   */
  private sinceSeen(
    box: Box,
    time: number,
    gravity: number,
    drift: number,
    margin: number,
    swing: number,
    speeds?: Vec3,
  ): Box {
    const { speed, time: since } = this.seen;
    const elapsed = Math.max(0, time - since);
    const growth = [0, 1, 2].map((c) => {
      const pace = speeds?.[c] ?? speed;
      const way = this.resting ? 0 : (pace + drift) * elapsed + 0.5 * gravity * elapsed * elapsed + swing;
      return margin + (elapsed === 0 ? 0 : 0.1 * sizeOf(box)) + way;
    });
    return {
      min: box.min.map((x, c) => x - growth[c]) as unknown as Vec3,
      max: box.max.map((x, c) => x + growth[c]) as unknown as Vec3,
    };
  }

  private fasterBy(speed: number): { speed: number; speeds: Vec3 } {
    const [x, y, z] = this.seen.speeds.map((own) => Math.max(speed, own));
    return { speed: Math.max(speed, this.seen.speed), speeds: [x, y, z] };
  }

  /** Whether the box stays valid without another observation. */
  get anchored(): boolean {
    return this.pinReach !== undefined && this.pinReach.size > 0;
  }

  /**
   * Largest ratio of the distance between the first pin and another one to their distance along the body's edges. If it
   * is above 1, no inelastic body could reach from one to the other. 0 with fewer than two pins.
   */
  pinStretch(pins: PinTable): number {
    this.span ??= this.spanOfPins(pins);
    const { from, ways } = this.span;
    let most = 0;
    for (const [pin, way] of ways) {
      let squared = 0;
      for (let c = 0; c < 3; c++) squared += (pins.targets[3 * pin + c] - pins.targets[3 * from + c]) ** 2;
      most = Math.max(most, Math.sqrt(squared) / way);
    }
    return most;
  }

  private spanOfPins(pins: PinTable): Span {
    const held: number[] = [];
    pins.pinned.forEach((_, p) => pinHolds(pins, p) && held.push(p));
    const ways = new Map<number, number>();
    if (held.length < 2) return { from: 0, ways };
    const from = held[0];
    const { distances } = reachFrom(this.graph, [from]);
    for (const pin of held) if (pin !== from && distances[pin] < Infinity) ways.set(pin, distances[pin]);
    return { from, ways };
  }

  private reachOfPins(pins: PinTable): Map<number, number> {
    const sources: number[] = [];
    pins.pinned.forEach((_, p) => pinHolds(pins, p) && sources.push(p));
    const reach = new Map<number, number>();
    if (sources.length === 0) return reach;
    const { distances, nearest } = reachFrom(this.graph, sources);
    for (let p = 0; p < this.model.particleCount; p++) {
      // A part without a pin flies free: then pins do not bound the body.
      if (nearest[p] < 0) return new Map();
      reach.set(nearest[p], Math.max(reach.get(nearest[p]) ?? 0, distances[p]));
    }
    return reach;
  }

  private aroundPins(pins: PinTable, reach: Map<number, number>, margin: number): Box {
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    for (const [pin, radius] of reach)
      for (let c = 0; c < 3; c++) {
        const r = this.allowance * radius + margin;
        min[c] = Math.min(min[c], pins.targets[3 * pin + c] - r);
        max[c] = Math.max(max[c], pins.targets[3 * pin + c] + r);
      }
    return { min, max };
  }
}

/** The box, extended to the targets of some pins. */
function withPlaces(box: Box, pins: PinTable, isMeant: typeof pinGives): Box {
  const { targets, pinned } = pins;
  const places: number[] = [];
  pinned.forEach((_, p) => isMeant(pins, p) && places.push(...targets.subarray(3 * p, 3 * p + 3)));
  return places.length > 0 ? boxOf([...box.min, ...box.max, ...places]) : box;
}

/** Connected pairs of particles, for bodies in which these are not the edges of the faces. */
function linksOf(model: BodyModel): ArrayLike<number> | undefined {
  if (model.tetrahedra) return tetrahedronEdges(model.tetrahedra);
  if (model.faces.length > 0 || !("terms" in model)) return undefined;
  return model.terms.find((term) => term.kind === "distance")?.indices;
}

/** Highest speeds, of all and along the axes [m/s]. */
function fastest(velocities: ArrayLike<number>): { speed: number; speeds: Vec3 } {
  let squared = 0;
  let alongX = 0;
  let alongY = 0;
  let alongZ = 0;
  for (let i = 0; i < velocities.length; i += 3) {
    const x = velocities[i];
    const y = velocities[i + 1];
    const z = velocities[i + 2];
    squared = Math.max(squared, x * x + y * y + z * z);
    alongX = Math.max(alongX, Math.abs(x));
    alongY = Math.max(alongY, Math.abs(y));
    alongZ = Math.max(alongZ, Math.abs(z));
  }
  return { speed: Math.sqrt(squared), speeds: [alongX, alongY, alongZ] };
}

/** Largest distance between corresponding sides of two boxes [m]. */
function driftOf(a: Box, b: Box): number {
  return Math.max(...[0, 1, 2].flatMap((c) => [Math.abs(a.min[c] - b.min[c]), Math.abs(a.max[c] - b.max[c])]));
}
