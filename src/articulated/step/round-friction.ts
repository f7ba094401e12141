/**
 * Coulomb's cone for contacts, f_t = -µ f_n v / |v| at the velocity v after the step, by Newton's method on its direction. With t₁ along v,
 * the force for velocities near v is, to first order,
 *
 *   f₁ = -µ f_n,   f₂ = -(µ f_n / |v|) v₂,
 *
 * the bound of the first friction row, and a compliance |v| / (µ f_n) on the diagonal of A for the second one, which bears nothing once t₁ is
 * right. So the boxed problem is solved for a few directions, and its linearization is that of the cone. A contact that sticks has two rows
 * without compliance; if its force is outside of the cone it slides against that force.
 */
import type { ContactSet } from "../contact/contact-set";
import { RowClass, type BoxedLcp } from "../lcp/problem";
import { RowPart, type ConstraintRows } from "./constraint-rows";

/** Largest number of solutions of a step. */
const ROUNDS = 30;
/** Part of the speed, of the force or of the compliance that is rounding. */
const ROUNDING = 1e-11;

export class RoundFriction {
  /** Compliance of second friction rows, in the present round. */
  private compliance = new Float64Array(0);
  private round = 0;

  constructor(
    private readonly rows: ConstraintRows,
    private readonly lcp: BoxedLcp,
    private readonly contacts: ContactSet,
  ) {}

  /** Turns tangents along the velocity without contact. Call when A, b and bounds are filled. */
  start(response: Float64Array): void {
    const { rows, lcp } = this;
    if (this.compliance.length < rows.count) this.compliance = new Float64Array(2 * rows.count);
    this.compliance.fill(0, 0, rows.count);
    this.round = 0;
    for (let r = 1; r < rows.count; r++) if (this.isSecond(r)) this.turn(r, lcp.b[r - 1], lcp.b[r], response);
  }

  /** Turns tangents along the velocity of the solution. @returns whether the problem has to be solved again */
  improve(response: Float64Array): boolean {
    const { rows, lcp } = this;
    if (++this.round >= ROUNDS) return false;
    let speed = 0;
    for (let r = 0; r < rows.count; r++) speed = Math.max(speed, Math.abs(lcp.b[r]));
    let isChanged = false;
    for (let r = 1; r < rows.count; r++)
      if (this.isSecond(r) && this.improveContact(r, ROUNDING * speed, response)) isChanged = true;
    return isChanged;
  }

  private improveContact(second: number, rounding: number, response: Float64Array): boolean {
    const { lcp, rows, compliance } = this;
    const first = second - 1;
    const most = lcp.hi[first] * Math.max(0, lcp.f[rows.normalRow[second]]);
    const before = compliance[second];
    const along = lcp.w[first];
    const aside = lcp.w[second] - before * lcp.f[second];
    const speed = Math.sqrt(along * along + aside * aside);
    if (most === 0) return this.setCompliance(second, 0);
    if (speed > rounding) {
      const isTurned = Math.abs(aside) > ROUNDING * speed || along < 0;
      const isOther = Math.abs(speed / most - before) > 1e-9 * (speed / most);
      if (!isTurned && !isOther) return false;
      this.setCompliance(second, 0);
      if (isTurned) this.turn(second, along, aside, response);
      this.setCompliance(second, speed / most);
      [lcp.classes[first], lcp.classes[second]] = [RowClass.Lower, RowClass.Clamping];
      return true;
    }
    const isReleased = this.setCompliance(second, 0);
    const [f1, f2] = [lcp.f[first], lcp.f[second]];
    if (Math.sqrt(f1 * f1 + f2 * f2) <= most * (1 + 1e-9)) return isReleased;
    this.turn(second, -f1, -f2, response);
    [lcp.classes[first], lcp.classes[second]] = [RowClass.Lower, RowClass.Clamping];
    return true;
  }

  /** Whether a row is the second one for the friction of a contact that has two. */
  private isSecond(r: number): boolean {
    const { part } = this.rows;
    return part[r] === RowPart.SecondTangent && part[r - 1] === RowPart.FirstTangent;
  }

  private setCompliance(r: number, value: number): boolean {
    const { lcp, compliance } = this;
    if (compliance[r] === value) return false;
    lcp.a[r * (lcp.n + 1)] += value - compliance[r];
    compliance[r] = value;
    return true;
  }

  /** Turns the two tangents of a contact so that the first is along (x, y) of now. */
  private turn(second: number, x: number, y: number, response: Float64Array): void {
    const size = Math.sqrt(x * x + y * y);
    if (size === 0 || (y === 0 && x > 0)) return;
    const { rows, lcp, contacts } = this;
    const [c, s] = [x / size, y / size];
    const first = second - 1;
    const { n } = lcp;
    const { nv } = rows;
    rotate(rows.jacobian, first * nv, second * nv, 1, nv, c, s);
    rotate(response, first, second, n, nv, c, s);
    rotate(lcp.a, first * n, second * n, 1, n, c, s);
    rotate(lcp.a, first, second, n, n, c, s);
    rotate(lcp.b, first, second, 1, 1, c, s);
    rotate(rows.direction, 3 * first, 3 * second, 1, 3, c, s);
    for (let k = 0; k < 3; k++) contacts.tangent[3 * rows.contact[first] + k] = rows.direction[3 * first + k];
  }
}

/** (x, y) ← (c x + s y, c y - s x) for `count` pairs. */
function rotate(x: Float64Array, i: number, j: number, stride: number, count: number, c: number, s: number): void {
  for (let k = 0; k < count; k++, i += stride, j += stride) {
    const [a, b] = [x[i], x[j]];
    x[i] = c * a + s * b;
    x[j] = c * b - s * a;
  }
}
