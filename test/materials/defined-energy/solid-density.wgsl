#import "gpbd/defined/solid-density.wgsl"

// A user-defined density for many strains: six numbers each.

@group(0) @binding(10) var<storage, read> strains: array<f32>;
// value, gradient
@group(0) @binding(11) var<storage, read_write> gradients: array<f32>;
// rows
@group(0) @binding(12) var<storage, read_write> hessians: array<f32>;

@compute @workgroup_size(64)
fn evaluate(@builtin(global_invocation_id) id: vec3u) {
  if (6u * id.x + 6u > arrayLength(&strains)) {
    return;
  }
  let at = 6u * id.x;
  let s = Vector6(
    vec3f(strains[at], strains[at + 1u], strains[at + 2u]),
    vec3f(strains[at + 3u], strains[at + 4u], strains[at + 5u]),
  );
  let g = energyGradient(s);
  let h = energyHessian(s);
  gradients[7u * id.x] = energyDensity(s);
  for (var i = 0u; i < 3u; i++) {
    gradients[7u * id.x + 1u + i] = g.normal[i];
    gradients[7u * id.x + 4u + i] = g.shear[i];
    for (var j = 0u; j < 3u; j++) {
      hessians[36u * id.x + 6u * i + j] = h.nn[j][i];
      hessians[36u * id.x + 6u * i + 3u + j] = h.ns[j][i];
      hessians[36u * id.x + 6u * (3u + j) + i] = h.ns[j][i];
      hessians[36u * id.x + 6u * (3u + i) + 3u + j] = h.ss[j][i];
    }
  }
}
