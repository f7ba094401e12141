#import "local-global/step/elements.wgsl"
#import "local-global/contact/proximal.wgsl"
#import "local-global/step/curvature.wgsl"
#import "math/svd3.wgsl"

// Elastic energies now and where the frame began: twin of energy.ts. As many workgroups as there are share the elements of a kind.

// larger than any energy that there is; where a stretch has none
const NO_ENERGY = 1e30;

@group(0) @binding(4) var<storage, read> materials: array<LocalGlobalMaterial>;
@group(0) @binding(5) var<storage, read_write> energies: array<f32>;
@group(0) @binding(6) var<storage, read_write> keptEnergies: array<f32>;
// where the frame began [m]
@group(0) @binding(7) var<storage, read> keptPositions: array<vec4f>;

const ENERGY_WIDTH = 64u;

// Gᵢq, as `gradientOf` of elements.wgsl between steps
fn gradientNow(first: u32, isBefore: bool) -> mat3x3f {
  let origin = placeOf(corners[first].vertex, isBefore);
  var f = mat3x3f();
  for (var a = 1u; a < kind.arity; a++) {
    let corner = corners[first + a];
    let x = placeOf(corner.vertex, isBefore) - origin;
    f[0] += corner.gradient.x * x;
    f[1] += corner.gradient.y * x;
    f[2] += corner.gradient.z * x;
  }
  return f;
}

fn placeOf(v: u32, isBefore: bool) -> vec3f {
  if (isBefore) { return keptPositions[v].xyz; }
  return start[v].xyz;
}

// ψ/w
fn density(m: LocalGlobalMaterial, sigma: vec3f, dimension: u32) -> f32 {
  var s = sigma;
  if (dimension == 2u) { s.z = 1.0; }
  let e = s - 1.0;
  if (m.model == MODEL_ARAP || m.model == MODEL_COROTATIONAL) {
    let trace = e.x + e.y + e.z;
    return m.mu * dot(e, e) + select(0.5 * m.lambda * trace * trace, 0.0, m.model == MODEL_ARAP);
  }
  if (m.model == MODEL_NEO_HOOKEAN && !(s.x * s.y * s.z > 0.0)) { return NO_ENERGY; }
  return proximalValue(m, s, s);
}

fn stretchEnergy(local: u32, dimension: u32, isBefore: bool) -> f32 {
  let element = elements[kind.firstElement + local];
  let f = gradientNow(kind.firstCorner + local * kind.stride, isBefore);
  return element.weight * density(materials[element.material], svd3(f).sigma, dimension);
}

fn bendingEnergy(local: u32, dimension: u32, isBefore: bool) -> f32 {
  let corner = kind.firstCorner + local * kind.stride;
  var f = gradientNow(corner, isBefore);
  if (kind.stride > kind.arity) {
    var rest = mat3x3f();
    for (var c = 0u; c < dimension; c++) { rest[c] = corners[corner + kind.arity + c].gradient; }
    f -= curvatureOfNoStress(f, rest, dimension);
  }
  var squares = dot(f[0], f[0]);
  if (dimension == 3u) { squares += dot(f[1], f[1]) + dot(f[2], f[2]); }
  return 0.5 * elements[kind.firstElement + local].weight * squares;
}

@compute @workgroup_size(ENERGY_WIDTH)
fn stretchEnergies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // of triangles, two columns
  let dimension = kind.arity - 1u;
  for (var k = id.x; k < kind.elementCount; k += ENERGY_WIDTH * groups.x) {
    energies[kind.firstElement + k] = stretchEnergy(k, dimension, false);
    keptEnergies[kind.firstElement + k] = stretchEnergy(k, dimension, true);
  }
}

@compute @workgroup_size(ENERGY_WIDTH)
fn curvatureEnergies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var k = id.x; k < kind.elementCount; k += ENERGY_WIDTH * groups.x) {
    energies[kind.firstElement + k] = bendingEnergy(k, 3u, false);
    keptEnergies[kind.firstElement + k] = bendingEnergy(k, 3u, true);
  }
}

@compute @workgroup_size(ENERGY_WIDTH)
fn meanCurvatureEnergies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var k = id.x; k < kind.elementCount; k += ENERGY_WIDTH * groups.x) {
    energies[kind.firstElement + k] = bendingEnergy(k, 1u, false);
    keptEnergies[kind.firstElement + k] = bendingEnergy(k, 1u, true);
  }
}
