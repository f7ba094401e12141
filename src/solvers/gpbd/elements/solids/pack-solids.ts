import type { Incidence } from "../../../../geometry/surface/incidence";
import { QUADRATIC_NODES, QUADRATURE_POINTS, slopesOf } from "../../../../geometry/tetrahedra/quadrature";
import * as structs from "../../../../generated/structs";
import { StructWriter } from "../../../../gpu/struct";
import { termLayout, type EnergyTerm } from "../../model";
import { shapeGradients } from "../../strains/green-tet";

/** Tetrahedra as their kernels have them. */
export function packTetrahedra(term: EnergyTerm, incidence: Incidence): ArrayBuffer {
  const { rest: stride } = termLayout[term.kind];
  const writer = new StructWriter(structs.TetElement, term.elementCount);
  for (let e = 0; e < term.elementCount; e++) {
    const vertices = term.indices.subarray(4 * e, 4 * e + 4);
    const row = (i: number) => term.rest.subarray(e * stride + 3 * i, e * stride + 3 * i + 3);
    writer.set(e, "vertices", vertices);
    writer.set(e, "g1", row(0));
    writer.set(e, "g2", row(1));
    writer.set(e, "g3", row(2));
    writer.set(e, "volume", term.rest[e * stride + 9]);
    const valence = (corner: number) => incidence.offsets[vertices[corner] + 1] - incidence.offsets[vertices[corner]];
    writer.set(e, "valence01", valence(0) + 0x10000 * valence(1));
    writer.set(e, "valence23", valence(2) + 0x10000 * valence(3));
  }
  return writer.bytes;
}

/** Quadratic tetrahedra, each of which is four elements of the term. */
export function packQuadratics({ indices, rest, elementCount }: EnergyTerm): ArrayBuffer {
  const count = elementCount / QUADRATURE_POINTS;
  const stride = rest.length / elementCount;
  const gradients = new Float64Array(3 * QUADRATIC_NODES);
  const writer = new StructWriter(structs.QuadraticElement, count);
  for (let t = 0; t < count; t++) {
    const first = QUADRATURE_POINTS * t;
    shapeGradients(rest, stride * first, QUADRATIC_NODES, gradients);
    const [, g1, g2, g3] = slopesOf(gradients);
    const vertices = indices.subarray(QUADRATIC_NODES * first, QUADRATIC_NODES * (first + 1));
    writer.put(t, { vertices, g1, g2, g3, volume: rest[stride * (first + 1) - 1] });
  }
  return writer.bytes;
}
