#import "local-global/contact/proximal.wgsl"
#import "math/svd3.wgsl"

// Singular values and the local problem for many inputs.

// three columns a matrix
@group(0) @binding(0) var<storage, read> matrices: array<vec4f>;
// seven a matrix: columns of U, the singular values, columns of V
@group(0) @binding(1) var<storage, read_write> parts: array<vec4f>;

@compute @workgroup_size(64)
fn takeApart(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (3u * i >= arrayLength(&matrices)) {
    return;
  }
  let found = svd3(mat3x3f(matrices[3u * i].xyz, matrices[3u * i + 1u].xyz, matrices[3u * i + 2u].xyz));
  for (var c = 0u; c < 3u; c++) {
    parts[7u * i + c] = vec4f(found.u[c], 0.0);
    parts[7u * i + 4u + c] = vec4f(found.v[c], 0.0);
  }
  parts[7u * i + 3u] = vec4f(found.sigma, 0.0);
}

// principal stretches, and 2 or 3 for how many of them count
@group(0) @binding(2) var<storage, read> stretches: array<vec4f>;
@group(0) @binding(3) var<storage, read> materials: array<LocalGlobalMaterial>;
@group(0) @binding(4) var<storage, read_write> projected: array<vec4f>;

@compute @workgroup_size(64)
fn projectStretches(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < arrayLength(&stretches)) {
    projected[i] = vec4f(proximalStretches(materials[i], stretches[i].xyz, u32(stretches[i].w)), 0.0);
  }
}
