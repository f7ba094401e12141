#import "articulated/batch-model.wgsl"

// Worlds go back to their start: those of a list, or those that are marked.

const RESET_WORKGROUP = 64u;

@group(0) @binding(0) var<storage, read_write> states: array<f32>;
// q, then q̇, to go back to: degrees of freedom × worlds each
@group(0) @binding(1) var<storage, read> starts: array<f32>;
// worlds to reset: other than 0
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;
// how many worlds, and whether their states follow; the worlds; q and q̇ of the first, of the second, …
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(1) @binding(0) var<uniform> batch: BatchParameters;

fn forgetImpulses(world: u32) {
  for (var row = 2u * batch.dofCount; row < batch.stateRows; row++) { states[row * batch.worldCount + world] = 0.0; }
}

@compute @workgroup_size(RESET_WORKGROUP)
fn resetMarked(@builtin(global_invocation_id) id: vec3u) {
  let world = id.x;
  if (world >= batch.worldCount || marks[world] == 0u) { return; }
  marks[world] = 0u;
  for (var row = 0u; row < 2u * batch.dofCount; row++) {
    states[row * batch.worldCount + world] = starts[row * batch.worldCount + world];
  }
  forgetImpulses(world);
}

@compute @workgroup_size(RESET_WORKGROUP)
fn resetListed(@builtin(global_invocation_id) id: vec3u) {
  let count = list[0];
  if (id.x >= count) { return; }
  let world = list[2u + id.x];
  let rows = 2u * batch.dofCount;
  for (var row = 0u; row < rows; row++) {
    let place = row * batch.worldCount + world;
    if (list[1] != 0u) {
      states[place] = bitcast<f32>(list[2u + count + id.x * rows + row]);
    } else {
      states[place] = starts[place];
    }
  }
  forgetImpulses(world);
}
