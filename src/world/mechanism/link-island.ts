import type { ProxyIsland, RigidProxy } from "../../collision/obstacles/rigid-proxy";
import { solveCholesky } from "../../math/dense";
import type { Linkage } from "../../solvers/newton/linkage/linkage";

/** Numbers of a twist. */
const SIX = 6;
/** Added to the diagonal of the normal equations, as a part of it: coordinates that move no link stay. */
const RIDGE = 1e-12;

/**
 * Links as one answer to the pushes of a substep: Δu = J M⁻¹ Jᵀ j. Each link by itself would move
 * without the others, which hear of its push when the frame is over: two boards on a hinge that lie on a cloth shook each other and drifted.
 */
export class LinkIsland implements ProxyIsland {
  readonly proxies: readonly RigidProxy[];
  readonly impulses: Float64Array;
  readonly changes: Float64Array;
  /** of each proxy, its place in the linkage */
  private readonly links: readonly number[];
  private readonly force = new Float64Array(this.linkage.size);
  private readonly wrench = new Float64Array(SIX);

  /**
   * @param linkage with M⁻¹ and J of the end of its step
   * @param proxies of its links; undefined for those that deformable bodies do not meet
   */
  constructor(
    private readonly linkage: Linkage,
    proxies: readonly (RigidProxy | undefined)[],
  ) {
    this.links = [...proxies.keys()].filter((link) => proxies[link]);
    this.proxies = this.links.map((link) => proxies[link]!);
    this.impulses = new Float64Array(SIX * this.links.length);
    this.changes = new Float64Array(SIX * this.links.length);
  }

  /** Of the lightest link as a push sees it [kg]. */
  get mass(): number {
    return Math.min(...this.proxies.map(({ inverseMass }) => 1 / inverseMass));
  }

  respond(): void {
    const { links, impulses, changes } = this;
    changes.fill(0);
    links.forEach((_, k) => this.answer(k, impulses.subarray(SIX * k, SIX * k + SIX), changes));
  }

  answer(place: number, wrench: Float64Array, changes: Float64Array): void {
    const { linkage, links, force } = this;
    if (wrench.every((value) => value === 0)) return;
    force.fill(0);
    linkage.addForce(links[place], wrench, 0, force, 0);
    linkage.respond(force);
    links.forEach((link, k) => linkage.addTwist(link, force, changes, SIX * k));
  }

  /**
   * The change of coordinates that displaces links as the answers did: the least squares of J Δq − d.
   *
   * @param ways d of each link: offset of its center [m] and turn [rad]
   * @param reaches lengths by which turns count [m]
   * @param out Δq
   */
  shift(ways: readonly Float64Array[], reaches: readonly number[], out: Float64Array): void {
    const { linkage, links, wrench, force: row } = this;
    const { size } = linkage;
    const normal = new Float64Array(size * size);
    out.fill(0);
    for (const link of links)
      for (let c = 0; c < SIX; c++) {
        wrench.fill(0)[c] = 1;
        row.fill(0);
        linkage.addForce(link, wrench, 0, row, 0);
        const weight = c < 3 ? 1 : reaches[link] ** 2;
        for (let i = 0; i < size; i++) {
          const part = weight * row[i];
          out[i] += part * ways[link][c];
          for (let j = 0; j <= i; j++) normal[i * size + j] += part * row[j];
        }
      }
    for (let i = 0; i < size; i++) normal[i * size + i] = normal[i * size + i] * (1 + RIDGE) || 1;
    if (!solveCholesky(normal, out, size)) out.fill(0);
  }
}
