import type { Vec3 } from "../../math/types";
import type { DeformableBody } from "../body";

/** Changes of the places of pins up to this part of the size of their box are rounding. */
const ROUNDING = 1e-9;

/** All that calls may change on a sleeping body: they need not report it. */
export class Marks {
  private readonly model = this.body.model;
  private options = this.body.options;
  private readonly pinned = this.body.pins.pinned.slice();
  private readonly targets = this.body.pins.targets.slice();
  private readonly lists: readonly (readonly unknown[])[] = listsOf(this.body);

  /** @param size of the body [m] */
  constructor(
    private readonly body: DeformableBody,
    private readonly size: number,
  ) {}

  get differ(): boolean {
    const { body, pinned, targets, size, lists } = this;
    const { pins, options } = body;
    if (!body.canSleep || body.isDisposed || body.model !== this.model) return true;
    if (options !== this.options && JSON.stringify(options) !== JSON.stringify(this.options)) return true;
    this.options = options;
    // Each frame asks: methods of lists would box every number.
    for (let i = 0; i < targets.length; i++) {
      const p = Math.floor(i / 3);
      if (pinned[p] !== pins.pinned[p]) return true;
      if (pinned[p] === 1 && Math.abs(targets[i] - pins.targets[i]) > ROUNDING * size) return true;
    }
    return listsOf(body).some((list, k) => list.length !== lists[k].length || list.some((v, p) => v !== lists[k][p]));
  }
}

function listsOf({ pins }: DeformableBody): readonly (readonly unknown[])[] {
  return [
    [...(pins.limits ?? [])],
    [...(pins.compliances ?? [])],
    [...(pins.proxies ?? [])],
    [pins.range],
    [...(pins.range?.save()[1] ?? [])],
  ];
}

/** Whether two vectors are the same. */
export const areSame = (a: Vec3, b: Vec3): boolean => a.every((value, c) => value === b[c]);
