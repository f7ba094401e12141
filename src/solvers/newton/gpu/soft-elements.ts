import * as constants from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import type { ElementSet } from "../deformable/elements";
import type { FemModel } from "../deformable/fem-model";
import { RecordTable } from "./record-table";

/** Elements of bodies as the records of shaders/newton/deformable-model.wgsl. */
export class ElementTable {
  readonly records = new RecordTable(structs.FemElement);
  /** [Pa] an element; the host may change it between frames */
  activation = new Float32Array(0);
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
    const grown = new Float32Array(this.records.count);
    grown.set(this.activation);
    this.activation = grown;
  }

  /** Writes the activation of a model's elements, which begin at `first`. @returns whether any has changed */
  updateActivation(model: FemModel, first: number): boolean {
    let changed = false;
    let at = first;
    for (const { activation } of model.elements)
      for (let e = 0; e < activation.length; e++, at++) {
        const value = Math.fround(activation[e]!);
        if (this.activation[at] === value) continue;
        this.activation[at] = value;
        changed = true;
      }
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
