/** Distances that particles within obstacles keep, on the CPU: see overlap.ts. */
import { type Thickness, thicknessAt } from "../../../collision/contact/contact-material";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { PinTable } from "../../deformable";
import { facesOf, type GpbdModel } from "../model";
import { findHeld } from "../held/held";
import { addOverlaps } from "../overlap";
import { recedingSpeed } from "../../spacing";
import { LetGo } from "./let-go";

/** Pushes of so many times gravity are hard: see overlap.ts. */
const HARD = 30;

export class Overlap {
  /** how much less distance than its thickness a particle keeps [m] */
  private readonly depths = new Float64Array(this.particleCount);
  /** those that pins ask for in the frame: see `findHeld` [m] */
  private readonly held = new Float64Array(this.particleCount);
  readonly letGo = new LetGo(this.particleCount);
  private isAny = false;
  /** whether it has not looked since the body was put somewhere */
  private isNew = true;
  /** 1 for particles that pins or other bodies held when it looked last */
  private readonly pinned = new Uint8Array(this.particleCount);

  /** @param isGuarded whether a guard bounds its energy: then what is nearer than its thickness alone may leave at once */
  constructor(
    private readonly particleCount: number,
    private readonly isGuarded: boolean,
  ) {}

  /** Call when the body is put somewhere. */
  forget(): void {
    this.isNew = true;
    this.letGo.isOn = false;
    this.depths.fill(0);
  }

  save(): Float64Array {
    const { isNew, letGo, depths, pinned } = this;
    const lists = this.isAny || pinned.includes(1) ? [...depths, ...pinned] : [];
    return Float64Array.of(Number(isNew), Number(letGo.isOn), ...lists);
  }

  /** Call after `forget`. */
  load([isNew, isOn, ...lists]: Float64Array): void {
    const { depths, pinned, letGo } = this;
    this.isNew = isNew === 1;
    letGo.isOn = isOn === 1;
    depths.set(lists.slice(0, depths.length));
    pinned.fill(0).set(lists.slice(depths.length));
  }

  /**
   * Call at the start of a frame: looks for overlaps where the body or an obstacle is new or was put elsewhere, where pins are, and when they
   * have let go: what held a particle had it within itself, or near it.
   *
   * @param positions particleCount × 3 [m]
   * @param material distance to keep
   * @returns whether there are any
   */
  look(set: ColliderSet, positions: Float64Array, material: Thickness, pins: PinTable, model: GpbdModel): boolean {
    const { depths, held, letGo, pinned } = this;
    const isNew = this.isNew || pinned.some((was, p) => was > pins.pinned[p]);
    addOverlaps(set, positions, material, depths, isNew ? 0 : material.thickness, this.isGuarded ? 1 : undefined);
    this.isNew = false;
    pinned.set(pins.pinned);
    if (this.isGuarded) return (this.isAny = depths.some((depth) => depth > 0));
    letGo.look(set, positions, pins, model, facesOf(model), depths);
    this.isAny = letGo.isOn;
    if (findHeld(set, positions, pins, material, model, held))
      for (let p = 0; p < depths.length; p++) depths[p] = Math.max(depths[p], held[p]);
    for (let p = 0; p < depths.length && !this.isAny; p++) this.isAny = depths[p] > 0;
    return this.isAny;
  }

  /**
   * Call at the end of a substep: particles want more distance, unless obstacles push them hard as it is.
   *
   * @param h time step [s]
   * @param gravity |g| [m/s²]
   * @param contacts particleCount × 4, see `resolveParticleContact` [m]
   */
  recede(h: number, gravity: number, contacts: Float64Array): void {
    if (!this.isAny) return;
    const { depths, held } = this;
    const most = recedingSpeed(gravity);
    for (let p = 0; p < depths.length; p++) {
      if (depths[p] === 0) continue;
      const speed = gravity > 0 ? Math.min(most, Math.sqrt(gravity * depths[p])) : most;
      const acceleration = gravity > 0 ? gravity : (most * most) / depths[p];
      if (contacts[4 * p + 3] <= HARD * acceleration * h * h) depths[p] = Math.max(held[p], depths[p] - h * speed);
    }
  }

  /** Distance that a particle keeps [m], less than 0 if it is within an obstacle. */
  distanceOf(p: number, material: Thickness): number {
    return thicknessAt(material, p) - this.depths[p];
  }

  /** Whether all vertices of a face keep their distance. */
  isFree(faces: ArrayLike<number>, f: number): boolean {
    const { depths } = this;
    return this.letGo.isFree(f) && depths[faces[f]] === 0 && depths[faces[f + 1]] === 0 && depths[faces[f + 2]] === 0;
  }
}
