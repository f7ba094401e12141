import { resized } from "../../../math/arrays";
import * as constants from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import { bendingSprings } from "../deformable/bending-set";
import type { ElementSet } from "../deformable/elements";
import { flatInertias } from "../deformable/flat-inertias";
import type { FemModel } from "../deformable/fem-model";
import { RecordTable } from "./record-table";
import { springQuads } from "./spring-quads";

/** Elements of bodies as the records of shaders/newton/deformable/model.wgsl. */
export class ElementTable {
  readonly records = new RecordTable(structs.FemElement);
  /** activation [Pa] and share of the elastic forces of each element; the host may change them between frames */
  driven = new Float32Array(0);
  isDamped = false;
  /** number of used corners of each element; further corners repeat the first, with zero weight */
  readonly arity: number[] = [];

  /** Appends all elements of a model whose particle p is node `nodeOf(p)`. */
  append(model: FemModel, nodeOf: (particle: number) => number): void {
    for (const set of model.elements) this.appendSet(set, model.masses, nodeOf);
    const { records } = this;
    for (const set of model.bending ?? [])
      for (const { corners, stiffness } of springQuads(bendingSprings(set))) {
        const at = records.append();
        this.arity.push(corners.length);
        for (let a = 0; a < 4; a++) records.u32[at + records.at("corners") + a] = nodeOf(corners[a] ?? corners[0]);
        const springs = [records.at("gradient1"), records.at("gradient2")];
        stiffness.forEach((k, pair) => (records.f32[at + springs[Math.floor(pair / 3)] + (pair % 3)] = k));
        records.u32[at + records.at("stressAt")] = records.count - 1;
      }
    this.driven = resized(this.driven, new Float32Array(2 * this.records.count));
  }

  /** Writes the driving values of a model's elements, `first` to `end`. Returns whether any value has changed. */
  update(model: FemModel, first: number, end: number, elasticShare: number): boolean {
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
    while (at < 2 * end) drive(0);
    return changed;
  }

  private appendSet(set: ElementSet, masses: ArrayLike<number>, nodeOf: (particle: number) => number): void {
    const { records } = this;
    const { dimension: d } = set;
    if (set.damping > 0) this.isDamped = true;
    const gradients = [0, records.at("gradient1"), records.at("gradient2"), records.at("gradient3")];
    const inertias = flatInertias(set, masses);
    for (let e = 0; e < set.count; e++) {
      const at = records.append();
      const { f32, u32 } = records;
      this.arity.push(d + 1);
      for (let a = 0; a < 4; a++)
        u32[at + records.at("corners") + a] = nodeOf(set.indices[e * (d + 1) + (a <= d ? a : 0)]);
      for (let a = 1; a <= d; a++)
        for (let i = 0; i < d; i++) f32[at + gradients[a] + i] = set.gradients[(e * (d + 1) + a) * d + i]!;
      f32[at + records.at("volume")] = set.volumes[e]!;
      f32[at + records.at("mu")] = set.mu[e]!;
      f32[at + records.at("lambda")] = set.lambda[e]!;
      f32[at + records.at("inertia")] = inertias[e]!;
      f32[at + records.at("damping")] = set.damping;
      u32[at + records.at("dimension")] = d;
      u32[at + records.at("law")] =
        set.energy === "corotational" ? constants.COROTATIONAL : constants.STABLE_NEO_HOOKEAN;
      u32[at + records.at("stressAt")] = records.count - 1;
    }
  }
}
