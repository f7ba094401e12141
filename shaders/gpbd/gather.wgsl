#import "gpbd/step.wgsl"
#import "gpbd/stages/gather.wgsl"

@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> tracked: array<vec4f>;
@group(0) @binding(3) var<storage, read> deltas: array<vec4f>;
@group(0) @binding(4) var<storage, read> incidenceOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> incidenceEntries: array<u32>;

// see elastic.wgsl
@group(0) @binding(7) var<storage, read_write> elastic: array<vec4f>;

// Whether that is wanted. The shares of elements that were untangled then have 1 for `w`.
override isWarm: bool = false;

fn firstShare(p: u32) -> u32 {
  return incidenceOffsets[p];
}

fn shareAt(i: u32) -> vec4f {
  return deltas[incidenceEntries[i]];
}

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let sum = gatheredShares(p);
  let u = displacement[p] + vec4f(sum.xyz, 0.0);
  displacement[p] = u;
  if (isWarm && sum.w != 0.0) {
    // Untangling moved the particle, too, which no force did.
    var rest = u.xyz;
    for (var i = firstShare(p); i < firstShare(p + 1u); i++) {
      rest -= tracked[incidenceEntries[i]].xyz;
    }
    elastic[p] = vec4f(rest, 0.0);
  }
}
