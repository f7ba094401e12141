import { NO_VERTEX, type Incidence } from "../../../geometry/surface/incidence";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { StructWriter } from "../../../gpu/struct";
import { packed } from "../../../materials/hylc/pack";
import { NEIGHBOURS, neighbourPlace } from "./hylc-neighbours";
import { gpuHylcTable } from "./hylc-table";
import { isSolid, termLayout, type EnergyTerm } from "../model";
import { WEIGHTS } from "../strains/curvature-vectors";

/** The elements as their kernel has them; for those of solids see pack-solids.ts. */
export function packElements(term: EnergyTerm, incidence: Incidence): Uint8Array {
  const { arity, rest: stride } = termLayout[term.kind];
  const vertices = (e: number) => term.indices.subarray(e * arity, (e + 1) * arity);
  const rest = (e: number, from: number, to: number) => term.rest.subarray(e * stride + from, e * stride + to);
  const pack = (): ArrayBuffer => {
    if (term.kind === "distance") {
      const writer = new StructWriter(structs.DistanceElement, term.elementCount);
      for (let e = 0; e < term.elementCount; e++) {
        writer.set(e, "vertices", vertices(e));
        writer.set(e, "restLength", term.rest[e * stride]);
        writer.set(e, "compliance", term.rest[e * stride + 1]);
      }
      return writer.bytes;
    }
    if (term.kind === "stvk-membrane" || term.kind === "neo-hookean-membrane") {
      const writer = new StructWriter(structs.MembraneElement, term.elementCount);
      for (let e = 0; e < term.elementCount; e++) {
        writer.set(e, "vertices", vertices(e));
        writer.set(e, "inverse", rest(e, 0, 4));
        writer.set(e, "area", term.rest[e * stride + 4]);
      }
      return writer.bytes;
    }
    if (term.kind === "hylc") return packHylcElements(term);
    if (term.kind === "isometric-bending" || term.kind === "dihedral-bending") return packBending(term);
    const writer = new StructWriter(structs.HingeElement, term.elementCount);
    for (let e = 0; e < term.elementCount; e++) {
      writer.set(e, "vertices", vertices(e));
      writer.set(e, "rest", rest(e, 0, stride));
      writer.set(
        e,
        "valence",
        Array.from(vertices(e), (v) => incidence.offsets[v + 1] - incidence.offsets[v]),
      );
    }
    return writer.bytes;
  };
  return new Uint8Array(pack());
}

function packHylcElements(term: EnergyTerm): ArrayBuffer {
  const { rest: stride } = termLayout.hylc;
  const writer = new StructWriter(structs.HylcElement, term.elementCount);
  for (let e = 0; e < term.elementCount; e++) {
    const rest = term.rest.subarray(e * stride, (e + 1) * stride);
    writer.set(e, "corners", term.indices.subarray(6 * e, 6 * e + 3));
    // where there is none, any vertex
    const neighbours = [0, 1, 2].map((side) => term.indices[6 * e + neighbourPlace(rest[NEIGHBOURS], side)]);
    writer.set(e, "neighbours", neighbours);
    writer.set(e, "inverse", rest.subarray(0, 4));
    writer.set(e, "area", rest[4]);
    writer.set(e, "places", rest[NEIGHBOURS]);
    writer.set(e, "lengthSquared", rest[6]);
    writer.set(e, "restCurvature", rest.subarray(7));
  }
  return writer.bytes;
}

/** Places that an element takes at most; even, and 6 at least. */
export function usedPlaces({ kind, indices }: EnergyTerm): number {
  const { arity } = termLayout[kind];
  let most = 6;
  indices.forEach((vertex, i) => {
    if (vertex !== NO_VERTEX) most = Math.max(most, 1 + (i % arity));
  });
  return most + (most % 2);
}

function packBending(term: EnergyTerm): ArrayBuffer {
  const { arity, rest: stride } = termLayout[term.kind];
  const isCurved = term.kind === "dihedral-bending";
  // after the vertices the three vectors at rest
  const records = arity + (isCurved ? 3 : 0);
  const writer = new StructWriter(structs.BendingCorner, records * term.elementCount);
  for (let e = 0; e < term.elementCount; e++)
    for (let a = 0; a < records; a++) {
      const at = stride * e + WEIGHTS + 3 * a;
      writer.set(records * e + a, "vertex", a < arity ? term.indices[arity * e + a] : NO_VERTEX);
      writer.set(records * e + a, "weights", term.rest.subarray(at, at + 3));
    }
  return writer.bytes;
}

/** of `hylc` alone */
export function packTable(context: GpuContext, label: string, term: EnergyTerm): GPUBuffer | undefined {
  if (term.kind !== "hylc" || term.energy) return undefined;
  return context.createBuffer(`${label} table`, gpuHylcTable(term.material));
}

/** The material as the kernel has it. */
export function packMaterial(context: GpuContext, label: string, term: EnergyTerm): GPUBuffer {
  if (term.kind === "hylc") {
    const writer = new StructWriter(structs.HylcMaterial, 1);
    const own = term.energy?.parameterValues.length;
    const damping = own ?? packed.damping;
    const stiffness = own === undefined ? packed.stiffness : own + 1;
    writer.set(0, "stiffness", term.material.subarray(stiffness, stiffness + 3));
    writer.set(0, "bendStiffness", term.material.subarray(stiffness + 3, stiffness + 6));
    writer.set(0, "damping", term.material[damping]);
    if (own === undefined) writer.set(0, "bending", term.material[packed.bending]);
    const uniform = context.createUniformBuffer(`${label} material`, structs.HylcMaterial.size);
    context.device.queue.writeBuffer(uniform, 0, writer.bytes);
    return uniform;
  }
  const own = term.energy?.parameterValues.length;
  const solid = isSolid(term.kind);
  const membrane = term.kind === "stvk-membrane" || term.kind === "neo-hookean-membrane";
  const layout = solid ? structs.TetMaterial : membrane ? structs.MembraneMaterial : structs.HingeMaterial;
  // That of a membrane is written by swing.wgsl, too.
  const buffer = context.createBuffer(`${label} material`, layout.size, GPUBufferUsage.UNIFORM);
  if (solid || membrane) {
    const writer = new StructWriter(solid ? structs.TetMaterial : structs.MembraneMaterial, 1);
    // The parameters of an energy of one's own are in its shader.
    if (!term.energy) writer.set(0, "coefficients", term.material.subarray(0, 4));
    writer.set(0, "damping", term.material[own ?? 4]);
    context.device.queue.writeBuffer(buffer, 0, writer.bytes);
  } else if (term.kind !== "distance" || term.energy) {
    const writer = new StructWriter(structs.HingeMaterial, 1);
    writer.set(0, "damping", term.material[own ?? 0]);
    context.device.queue.writeBuffer(buffer, 0, writer.bytes, 0, structs.HingeMaterial.size);
  }
  return buffer;
}
