#import "gpbd/cloth/membrane.wgsl"

// Makes the membranes of a sheet 1 + τ ρ times as stiff, with the strain rate over the strain, ρ: twin of src/solvers/gpbd/tethers/swing.ts, which
// tells why. One workgroup goes over all elements in a fixed order, so that runs are bit-identical.

struct SwingParameters {
  // C_uu, C_uv, C_vv, G of the fabric [N/m]
  stiffness: vec4f,
  // those of the material where nothing swings
  coefficients: vec4f,
  // τ [s]
  time: f32,
  elementCount: u32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> velocity: array<vec4f>;
@group(0) @binding(2) var<storage, read> elements: array<MembraneElement>;
@group(0) @binding(3) var<storage, read_write> material: MembraneMaterial;
@group(0) @binding(4) var<uniform> parameters: SwingParameters;

// Bound of |τ ρ|: a sheet that a body has just tightened has rates without bound.
const MOST_STIFFENING = 0.5;

const workers = 256u;
// ⟨s, K s⟩ and ⟨s, K ṡ⟩
var<workgroup> sums: array<vec2f, workers>;

// ∂F/∂u and ∂F/∂v of an element whose edges are p and q.
fn gradientOf(inverse: vec4f, p: vec3f, q: vec3f) -> mat2x3f {
  return mat2x3f(p * inverse.x + q * inverse.z, p * inverse.y + q * inverse.w);
}

fn energyAndPower(element: MembraneElement) -> vec2f {
  let v = element.vertices;
  let f = gradientOf(element.inverse, start[v.y].xyz - start[v.x].xyz, start[v.z].xyz - start[v.x].xyz);
  let r = gradientOf(element.inverse, velocity[v.y].xyz - velocity[v.x].xyz, velocity[v.z].xyz - velocity[v.x].xyz);
  // of which the middle one counts twice
  let strain = 0.5 * vec3f(dot(f[0], f[0]) - 1.0, dot(f[0], f[1]), dot(f[1], f[1]) - 1.0);
  let rate = vec3f(dot(f[0], r[0]), 0.5 * (dot(f[0], r[1]) + dot(f[1], r[0])), dot(f[1], r[1]));
  let c = parameters.stiffness;
  let stress = vec3f(c.x * strain.x + c.y * strain.z, 4.0 * c.w * strain.y, c.y * strain.x + c.z * strain.z);
  return element.area * vec2f(dot(stress, strain), dot(stress, rate));
}

@compute @workgroup_size(256)
fn stiffen(@builtin(local_invocation_index) lane: u32) {
  var sum = vec2f(0.0);
  for (var e = lane; e < parameters.elementCount; e += workers) { sum += energyAndPower(elements[e]); }
  sums[lane] = sum;
  for (var half = workers / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { sums[lane] += sums[lane + half]; }
  }
  if (lane > 0u) { return; }
  let share = select(0.0, parameters.time * sums[0].y / sums[0].x, sums[0].x > 0.0);
  material.coefficients = (1.0 + clamp(share, -MOST_STIFFENING, MOST_STIFFENING)) * parameters.coefficients;
}
