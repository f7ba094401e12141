import { describe, expect, it } from "vitest";
import { constants, structs } from "../../src/generated/shaders";
import { StructWriter, type ReflectedStruct } from "../../src/gpu/struct";
import { RandomGeometry } from "../collision/random";
import { uniformSlot } from "../../src/solvers/gpbd/elements/gpu-term";

const layouts: [string, ReflectedStruct][] = Object.entries(structs);

/** Scalars in a field of a WGSL type, or undefined for types that the writer does not know. */
function scalars(type: string): { count: number; unsigned: boolean } | undefined {
  const match = /^(?:vec([234])(?:<(f32|u32)>|([fu])|f32|u32)?|(f32|u32))$/.exec(type);
  if (!match) return undefined;
  return { count: match[1] ? Number(match[1]) : 1, unsigned: /u32$|u$|<u32>/.test(type) };
}

describe.each(layouts)("layout of %s", (_name, layout) => {
  it("has fields that follow one another and fit its size", () => {
    let end = 0;
    for (const { offset, size } of Object.values(layout.fields)) {
      expect(offset).toBeGreaterThanOrEqual(end);
      expect(offset % 4).toBe(0);
      end = offset + size;
    }
    // a struct that ends in an array without a length has the size of one element
    expect(layout.size).toBeGreaterThanOrEqual(end);
    expect(layout.size % layout.align).toBe(0);
  });

  it("is written where the reflection says, and nowhere else", () => {
    const random = new RandomGeometry(131);
    const count = 5;
    const stride = Math.ceil(layout.size / layout.align) * layout.align + 16;
    const writer = new StructWriter(layout, count, stride);
    expect(writer.bytes.byteLength).toBe(count * stride);
    const expected = new Uint8Array(count * stride);
    const view = new DataView(expected.buffer);
    for (let index = 0; index < count; index++)
      for (const [field, { offset, type }] of Object.entries(layout.fields)) {
        const kind = scalars(type);
        if (!kind) continue;
        const values = Array.from({ length: kind.count }, () =>
          kind.unsigned ? Math.floor(random.between(0, 2 ** 32)) : random.between(-1e6, 1e6),
        );
        writer.set(index, field, kind.count === 1 ? values[0] : values);
        values.forEach((value, i) => {
          const at = index * stride + offset + 4 * i;
          if (kind.unsigned) view.setUint32(at, value, true);
          else view.setFloat32(at, value, true);
        });
      }
    expect(new Uint8Array(writer.bytes)).toEqual(expected);
  });
});

describe("struct writer", () => {
  it("takes typed arrays for vectors and matrices", () => {
    const writer = new StructWriter(structs.OutputParameters, 1);
    const matrix = Float32Array.from({ length: 16 }, (_, i) => i + 0.5);
    writer.set(0, "worldToLocal", matrix);
    const { offset } = structs.OutputParameters.fields.worldToLocal;
    expect(new Float32Array(writer.bytes, offset, 16)).toEqual(matrix);
  });

  it("packs structs at their natural stride, and is never empty", () => {
    const { size, align } = structs.DistanceElement;
    expect(new StructWriter(structs.DistanceElement, 7).bytes.byteLength).toBe(7 * Math.ceil(size / align) * align);
    expect(new StructWriter(structs.DistanceElement, 0).bytes.byteLength).toBeGreaterThan(0);
  });

  it("fits a uniform slot with each struct that has a dynamic offset", () => {
    expect(structs.StepParameters.size).toBeLessThanOrEqual(uniformSlot);
    expect(structs.ElementRange.size).toBeLessThanOrEqual(uniformSlot);
  });

  it("and the host agree with the shaders on constants", () => {
    expect(constants.collapseThreshold).toBe(1e-3);
  });
});
