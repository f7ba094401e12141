// Bindings with gaps and in two groups: `scale` has a dynamic offset.

struct Scale {
  factor: f32,
  offset: f32,
}

override extra: f32 = 0.0;

@group(0) @binding(3) var<storage, read> left: array<f32>;
@group(0) @binding(1) var<storage, read> right: array<f32>;
@group(0) @binding(7) var<storage, read_write> sums: array<f32>;
@group(1) @binding(0) var<uniform> scale: Scale;

@compute @workgroup_size(32)
fn add(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&sums)) {
    sums[id.x] = scale.factor * (left[id.x] + right[id.x]) + scale.offset + extra;
  }
}

@compute @workgroup_size(32)
fn clear(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&sums)) {
    sums[id.x] = -1.0;
  }
}
