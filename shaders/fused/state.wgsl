// State of a body between its own buffers and those that patches take turns to read and to write, see patches.wgsl.

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// the last is no particle's
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
@group(0) @binding(3) var<storage, read_write> state: array<vec4f>;
// of a substep that is open: of it, and what contact has moved in it, see predict.wgsl
@group(0) @binding(4) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> contact: array<vec4f>;

@compute @workgroup_size(64)
fn takeState(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < arrayLength(&start)) {
    state[2u * p] = start[p];
    state[2u * p + 1u] = vec4f(velocity[p].xyz, clearance[p]);
  }
}

@compute @workgroup_size(64)
fn returnState(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < arrayLength(&start)) {
    start[p] = state[2u * p];
    velocity[p] = vec4f(state[2u * p + 1u].xyz, 0.0);
    clearance[p] = state[2u * p + 1u].w;
  }
}

// Within a substep, before contact.
@compute @workgroup_size(64)
fn returnOpen(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  let count = arrayLength(&start);
  if (p < count) {
    start[p] = state[2u * p];
    velocity[p] = vec4f(state[2u * p + 1u].xyz, 0.0);
    clearance[p] = state[2u * p + 1u].w;
    displacement[p] = state[2u * count + p];
    contact[p] = vec4f(0.0);
    contact[count + p] = vec4f(0.0);
  }
}
