// The frame goes back to where it began: up to three buffers at once.

@group(0) @binding(0) var<storage, read> kept0: array<u32>;
@group(0) @binding(1) var<storage, read_write> changed0: array<u32>;
@group(0) @binding(2) var<storage, read> kept1: array<u32>;
@group(0) @binding(3) var<storage, read_write> changed1: array<u32>;
@group(0) @binding(4) var<storage, read> kept2: array<u32>;
@group(0) @binding(5) var<storage, read_write> changed2: array<u32>;

const RESTORE_WIDTH = 64u;

@compute @workgroup_size(RESTORE_WIDTH)
fn restore(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let stride = RESTORE_WIDTH * groups.x;
  for (var i = id.x; i < arrayLength(&kept0); i += stride) { changed0[i] = kept0[i]; }
  for (var i = id.x; i < arrayLength(&kept1); i += stride) { changed1[i] = kept1[i]; }
  for (var i = id.x; i < arrayLength(&kept2); i += stride) { changed2[i] = kept2[i]; }
}
