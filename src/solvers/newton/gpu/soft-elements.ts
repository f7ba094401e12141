import * as constants from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import type { ElementSet } from "../deformable/elements";
import type { FemModel } from "../deformable/fem-model";
import { RecordTable } from "./record-table";

/** Elements of bodies as the records of shaders/newton/deformable-model.wgsl. */
export class ElementTable {
  readonly records = new RecordTable(structs.FemElement);
  /** activation [Pa] and share of the elastic forces of each element; the host may change them between frames */
  driven = new Float32Array(0);
  isDamped = false;
  /** corners that count of each element; those beyond repeat the first, with a weight of zero */
  readonly arity: number[] = [];

  /** Appends all elements of a model whose particle p is node `nodeOf(p)`. */
  append(model: FemModel, nodeOf: (particle: number) => number): void {
    for (const set of model.elements) this.appendSet(set, nodeOf);
    for (const { count, arity, indices, weights } of model.bending ?? [])
      for (let e = 0; e < count; e++) {
        const { records } = this;
        const at = records.append();
        this.arity.push(arity);
        for (let a = 0; a < 4; a++)
          records.u32[at + records.at("corners") + a] = nodeOf(indices[e * arity + (a < arity ? a : 0)]!);
        for (let a = 1; a < arity; a++) records.f32[at + records.at("gradient1") + a - 1] = weights[e * arity + a]!;
        records.u32[at + records.at("stressAt")] = records.count - 1;
      }
    const grown = new Float32Array(2 * this.records.count);
    grown.set(this.driven);
    this.driven = grown;
  }

  /** Writes what drives a model's elements, which begin at `first`. @returns whether any of it has changed */
  update(model: FemModel, first: number, elasticShare: number): boolean {
    const { driven } = this;
    const share = Math.fround(elasticShare);
    let changed = false;
    let at = 2 * first;
    const drive = (activation: number): void => {
      const value = Math.fround(activation);
      changed ||= driven[at] !== value || driven[at + 1] !== share;
      driven[at++] = value;
      driven[at++] = share;
    };
    for (const { activation } of model.elements) activation.forEach(drive);
    for (const { count } of model.bending ?? []) for (let e = 0; e < count; e++) drive(0);
    return changed;
  }

  private appendSet(set: ElementSet, nodeOf: (particle: number) => number): void {
    const { records } = this;
    const { dimension: d } = set;
    if (set.damping > 0) this.isDamped = true;
    const gradients = [0, records.at("gradient1"), records.at("gradient2"), records.at("gradient3")];
    for (let e = 0; e < set.count; e++) {
      const at = records.append();
      const { f32, u32 } = records;
      this.arity.push(d + 1);
      for (let a = 0; a < 4; a++)
        u32[at + records.at("corners") + a] = nodeOf(set.indices[e * (d + 1) + (a <= d ? a : 0)]!);
      for (let a = 1; a <= d; a++)
        for (let i = 0; i < d; i++) f32[at + gradients[a]! + i] = set.gradients[(e * (d + 1) + a) * d + i]!;
      f32[at + records.at("volume")] = set.volumes[e]!;
      f32[at + records.at("mu")] = set.mu[e]!;
      f32[at + records.at("lambda")] = set.lambda[e]!;
      f32[at + records.at("damping")] = set.damping;
      u32[at + records.at("dimension")] = d;
      u32[at + records.at("law")] =
        set.energy === "corotational" ? constants.COROTATIONAL : constants.STABLE_NEO_HOOKEAN;
      u32[at + records.at("stressAt")] = records.count - 1;
    }
  }
}
