#import "gpbd/elements/membrane-entries.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"

// The density's functions for many strains.

@group(0) @binding(10) var<storage, read> strains: array<vec4f>;
// xyz: gradient; w: value
@group(0) @binding(11) var<storage, read_write> gradients: array<vec4f>;
// three columns a strain
@group(0) @binding(12) var<storage, read_write> hessians: array<vec4f>;

@compute @workgroup_size(64)
fn evaluate(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&strains)) {
    return;
  }
  let s = strains[id.x].xyz;
  gradients[id.x] = vec4f(energyGradient(s), energyDensity(s));
  let h = energyHessian(s);
  hessians[3u * id.x] = vec4f(h[0], 0.0);
  hessians[3u * id.x + 1u] = vec4f(h[1], 0.0);
  hessians[3u * id.x + 2u] = vec4f(h[2], 0.0);
}
