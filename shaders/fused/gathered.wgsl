#import "surface/pair-push.wgsl"
#import "surface/pair-bounds.wgsl"

// The stages of resolve.wgsl and bounds.wgsl for GPUs on which a dispatch waits longer than it takes to look at each pair from all of its
// vertices: every vertex adds up what its pairs do. Displacements are read from one half of their list and written to the other.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
// w: inverse mass
@group(0) @binding(2) var<storage, read_write> surfaceShift: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rowStart: array<u32>;
@group(0) @binding(6) var<storage, read> rowEntries: array<u32>;
// see resolve.wgsl
@group(0) @binding(8) var<storage, read_write> loads: array<f32>;
@group(0) @binding(9) var<storage, read> frictions: array<f32>;
// see bounds.wgsl
@group(0) @binding(10) var<storage, read> commonMotion: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> gone: array<vec4f>;

// whether displacements are in the second half
override isBack: bool = false;
// whether it is the first projection of a turn: normals are those at its start then, see orientPairs
override isFirst: bool = false;

fn shiftOf(p: u32) -> vec4f {
  return surfaceShift[select(p, surface.particleCount + p, isBack)];
}

fn setOther(p: u32, u: vec4f) {
  surfaceShift[select(surface.particleCount + p, p, isBack)] = u;
}

// The first vertex of a pair keeps what is found; the new normal is in place of the impulse, as other vertices read the old one.
@compute @workgroup_size(64)
fn loadVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  var load = 0.0;
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let j = rowEntries[i] >> 2u;
    let k = rowEntries[i] & 3u;
    var begun = PairStart(pairs[j].normal, pairs[j].counts != 0u);
    if (isFirst) {
      begun = startOf(j);
    }
    var state = PairState(vec4f(0.0), begun.normal, 0.0);
    if (begun.counts) {
      state = stateOf(j, begun.normal);
    }
    if (state.violation < 0.0) {
      load += abs(state.weights[k]);
    }
    if (k == 0u) {
      pairs[j].weights = state.weights;
      pairs[j].impulse = state.normal;
      pairs[j].violation = state.violation;
      if (isFirst) {
        pairs[j].counts = u32(begun.counts);
      }
    }
  }
  loads[p] = load;
}

@compute @workgroup_size(64)
fn pushVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  var sum = vec3f(0.0);
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let j = rowEntries[i] >> 2u;
    let k = rowEntries[i] & 3u;
    let normal = pairs[j].impulse;
    if (pairs[j].violation != 0.0) {
      sum += pairs[j].weights[k] * impulseOf(j, normal);
    }
    if (k == 0u) {
      pairs[j].normal = normal;
    }
  }
  let u = shiftOf(p);
  setOther(p, vec4f(u.xyz + surfaceRelaxation * u.w * sum, u.w));
}

// The least part of its displacement that a pair leaves to a vertex.
struct TightestPair {
  share: f32,
  pair: u32,
}

fn tightestOf(p: u32) -> TightestPair {
  var least = TightestPair(1.0, 0u);
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let share = sharesOf(rowEntries[i] >> 2u)[rowEntries[i] & 3u];
    if (share < least.share) {
      least = TightestPair(share, rowEntries[i] >> 2u);
    }
  }
  return least;
}

@compute @workgroup_size(64)
fn slideVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  let least = tightestOf(p);
  let u = shiftOf(p);
  if (least.share < 1.0) {
    setOther(p, vec4f(slid(u.xyz, least.share, least.pair), u.w));
  } else {
    setOther(p, u);
  }
}

@compute @workgroup_size(64)
fn limitVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < surface.particleCount) {
    let u = shiftOf(p);
    setOther(p, vec4f(limited(p, u.xyz, tightestOf(p).share), u.w));
  }
}
