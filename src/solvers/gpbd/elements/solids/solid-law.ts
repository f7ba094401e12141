/**
 * Energies of Green strain for the fast sweep: what assembly/solid/law.ts asks its caller for. An energy is written once, for the reference,
 * and evaluated here between two calls of the kernel, for a batch of elements of a color.
 */
import type { EnergyTerm } from "../../model";
import type { ElementKind } from "../elements";

/** Numbers of a block of two elements, and places in it, as in assembly/solid. */
const BLOCK = 592;
const VOLUME = 206;
const STRAIN = 226;
const START = 238;
const GRADIENT = 250;
const HESSIAN = 262;
const TRIAL = 334;
const INERTIA = 346;
const SLOPE = 348;
const SOLVED = 350;

/** Elements of a batch: their blocks stay in the nearest cache. */
export const BATCH = 12;
export const BATCH_BYTES = 4 * BLOCK * BATCH;

const strain = new Float64Array(6);
const change = new Float64Array(6);
const gradient = new Float64Array(6);
const hessian = new Float64Array(36);
const rest = new Float64Array(36);
/** ψ of the elements of a batch */
const before = new Float64Array(BATCH);

export class SolidLaw {
  private viscosity = 0;

  constructor(
    private readonly term: EnergyTerm,
    private readonly kind: ElementKind,
  ) {}

  /** @returns whether elements are damped */
  begin(h: number): boolean {
    const { density, dampingAt } = this.kind;
    this.viscosity = this.term.material[dampingAt] / h;
    if (this.viscosity > 0) density.hessian(strain.fill(0), this.term.material, rest);
    return this.viscosity > 0;
  }

  /** Puts the derivatives of the energy into the blocks of so many elements. */
  derive(blocks: Float64Array, count: number): void {
    const { density } = this.kind;
    const { material } = this.term;
    for (let k = 0; k < count; k++) {
      const at = placeOf(k);
      read(blocks, at + STRAIN, strain);
      before[k] = density.value(strain, material) + this.loss(blocks, at);
      density.gradient(strain, material, gradient);
      density.hessian(strain, material, hessian);
      for (let i = 0; i < 6; i++) {
        let slope = gradient[i];
        for (let j = 0; j < 6; j++) {
          let entry = hessian[6 * i + j];
          if (this.viscosity > 0) {
            entry += this.viscosity * rest[6 * i + j];
            slope += this.viscosity * rest[6 * i + j] * change[j];
          }
          blocks[at + HESSIAN + 2 * (6 * i + j)] = entry;
        }
        blocks[at + GRADIENT + 2 * i] = slope;
      }
    }
  }

  /** Whether an element of a batch takes its step: 0 where the reference has to find a shorter one. */
  accepts(blocks: Float64Array, k: number): boolean {
    const at = placeOf(k);
    if (blocks[at + SOLVED] === 0) return false;
    const slope = blocks[at + SLOPE];
    const volume = blocks[at + VOLUME];
    read(blocks, at + TRIAL, strain);
    const objective = volume * before[k];
    const value = volume * (this.kind.density.value(strain, this.term.material) + this.loss(blocks, at));
    return slope < 0 && blocks[at + INERTIA] + value <= objective + 1e-4 * slope + 1e-14 * Math.abs(objective);
  }

  /** Potential of the damping at `strain`; leaves the change in `change`. */
  private loss(blocks: Float64Array, at: number): number {
    if (!(this.viscosity > 0)) return 0;
    let value = 0;
    for (let i = 0; i < 6; i++) change[i] = strain[i] - blocks[at + START + 2 * i];
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < 6; j++) value += 0.5 * this.viscosity * change[i] * rest[6 * i + j] * change[j];
    return value;
  }
}

/** The first number of an element's lane in its block, which is that of its displacements. */
export function placeOf(k: number): number {
  return BLOCK * (k >> 1) + (k & 1);
}

function read(blocks: Float64Array, at: number, out: Float64Array): void {
  for (let i = 0; i < 6; i++) out[i] = blocks[at + 2 * i];
}
