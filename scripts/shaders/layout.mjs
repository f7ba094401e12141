// Memory layout of reflected types: sizes, strides and the smallest buffer a binding accepts.

const SCALARS = /^(?:f32|i32|u32|f16|atomic<[iu]32>)$/;
const VECTORS = /^(?:vec[234][fiuh]|vec[234]<(?:f32|i32|u32|f16)>|mat[234]x[234][fh]|mat[234]x[234]<f(?:32|16)>)$/;

/**
 * Follows aliases down to a real type.
 *
 * @param {object} type wgsl_reflect type
 * @param {Map<string, object>} aliases
 * @returns {object}
 */
export function resolveAlias(type, aliases) {
  const seen = new Set();
  let current = type;
  while (!current.isArray && !current.isStruct && aliases.has(current.name) && !seen.has(current.name)) {
    seen.add(current.name);
    current = aliases.get(current.name);
  }
  return current;
}

/**
 * The WGSL name of a type with aliases resolved, "array<Particle>" for runtime-sized arrays.
 *
 * @param {object} type
 * @param {Map<string, object>} aliases
 * @returns {string}
 */
export function typeName(type, aliases) {
  const real = resolveAlias(type, aliases);
  if (!real.isArray) return real.isStruct ? real.name : real.getTypeName();
  const element = typeName(real.format, aliases);
  return real.count > 0 ? `array<${element}, ${real.count}>` : `array<${element}>`;
}

/**
 * Whether host and shader can share the type: numbers only, no bool and no pointer, and nothing undeclared.
 *
 * @param {object} type
 * @param {Map<string, object>} aliases
 * @returns {boolean}
 */
export function isHostShareable(type, aliases) {
  const real = resolveAlias(type, aliases);
  if (real.isArray) return isHostShareable(real.format, aliases);
  if (real.isStruct) return real.members.every((member) => isHostShareable(member.type, aliases));
  const name = real.getTypeName();
  return SCALARS.test(name) || VECTORS.test(name);
}

/**
 * Bytes of the smallest buffer that WebGPU accepts for a variable of this type: a runtime-sized array counts as one element.
 *
 * @param {object} type
 * @param {Map<string, object>} aliases
 * @returns {number}
 */
export function minimumSize(type, aliases) {
  const real = resolveAlias(type, aliases);
  if (real.isArray) return real.count > 0 ? real.size : real.stride;
  if (!real.isStruct) return real.size;
  const last = real.members.at(-1);
  const tail = resolveAlias(last.type, aliases);
  if (!tail.isArray || tail.count > 0) return real.size;
  return Math.ceil((last.offset + tail.stride) / real.align) * real.align;
}

/**
 * Layout of a struct as the generated module states it. The size of a struct that ends in a runtime-sized array is the offset of that
 * array.
 *
 * @param {object} struct wgsl_reflect struct
 * @param {Map<string, object>} aliases
 * @returns {{ size: number, align: number, fields: Record<string, object> }}
 */
export function structLayout(struct, aliases) {
  const fields = {};
  let runtimeOffset;
  for (const member of struct.members) {
    const real = resolveAlias(member.type, aliases);
    const field = { offset: member.offset, size: member.size, type: typeName(member.type, aliases) };
    if (real.isArray) Object.assign(field, { stride: real.stride, count: real.count });
    if (real.isArray && real.count === 0) runtimeOffset = member.offset;
    fields[member.name] = field;
  }
  return { size: runtimeOffset ?? struct.size, align: struct.align, fields };
}
