#import "local-global/step/elements.wgsl"
#import "local-global/contact/proximal.wgsl"
#import "local-global/step/curvature.wgsl"
#import "local-global/step/sum.wgsl"
#import "local-global/trust/layout.wgsl"
#import "math/svd3.wgsl"

// Elastic energies: twin of energy.ts. An invocation has an element; then a workgroup sums up those of a body.

// 1 for the positions where the frame began, behind those of all elements now
override isStart: u32 = 0u;

// larger than any energy that there is; where a stretch has none
const NO_ENERGY = 1e30;

@group(0) @binding(4) var<storage, read> materials: array<LocalGlobalMaterial>;
@group(0) @binding(5) var<storage, read_write> energies: array<f32>;

// ψ/w
fn density(m: LocalGlobalMaterial, sigma: vec3f, dimension: u32) -> f32 {
  var s = sigma;
  if (dimension == 2u) {
    s.z = 1.0;
  }
  let e = s - 1.0;
  if (m.model == MODEL_ARAP || m.model == MODEL_COROTATIONAL) {
    let trace = e.x + e.y + e.z;
    return m.mu * dot(e, e) + select(0.5 * m.lambda * trace * trace, 0.0, m.model == MODEL_ARAP);
  }
  if (m.model == MODEL_NEO_HOOKEAN && !(s.x * s.y * s.z > 0.0)) {
    return NO_ENERGY;
  }
  return proximalValue(m, s, s);
}

fn store(local: u32, energy: f32) {
  energies[isStart * (arrayLength(&energies) / 2u) + kind.firstElement + local] = energy;
}

fn stretchEnergy(local: u32, dimension: u32) {
  let element = elements[kind.firstElement + local];
  let f = gradientOf(kind.firstCorner + local * kind.stride, kind.arity);
  store(local, element.weight * density(materials[element.material], svd3(f).sigma, dimension));
}

@compute @workgroup_size(64)
fn tetrahedronEnergies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) {
    stretchEnergy(id.x, 3u);
  }
}

@compute @workgroup_size(64)
fn triangleEnergies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) {
    stretchEnergy(id.x, 2u);
  }
}

fn bendingEnergy(local: u32, dimension: u32) {
  let corner = kind.firstCorner + local * kind.stride;
  var f = gradientOf(corner, kind.arity);
  if (kind.stride > kind.arity) {
    var rest = mat3x3f();
    for (var c = 0u; c < dimension; c++) {
      rest[c] = corners[corner + kind.arity + c].gradient;
    }
    f -= curvatureOfNoStress(f, rest, dimension);
  }
  var squares = dot(f[0], f[0]);
  if (dimension == 3u) {
    squares += dot(f[1], f[1]) + dot(f[2], f[2]);
  }
  store(local, 0.5 * elements[kind.firstElement + local].weight * squares);
}

@compute @workgroup_size(64)
fn curvatureEnergies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) {
    bendingEnergy(id.x, 3u);
  }
}

@compute @workgroup_size(64)
fn meanCurvatureEnergies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) {
    bendingEnergy(id.x, 1u);
  }
}
