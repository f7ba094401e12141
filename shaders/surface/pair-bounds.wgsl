#import "surface/layout.wgsl"
#import "surface/closest.wgsl"

// Bounds of a pair on the ways of its vertices; twin of surface-bounds.ts, which has the proof. The importing module supplies startAt, shiftOf,
// pairs, commonMotion, gone.

fn placesAtStart(v: vec4u) -> mat4x3f {
  let origin = startAt(v.x);
  return mat4x3f(
    vec3f(0.0), startAt(v.y) - origin, startAt(v.z) - origin, startAt(v.w) - origin,
  );
}

// A pair at the start of a turn.
struct PairStart {
  normal: vec3f,
  // one that is further apart may do so at another place by the end
  counts: bool,
}

fn startOfPair(j: u32) -> PairStart {
  let x = placesAtStart(pairs[j].vertices);
  let weights = closestWeights(pairs[j].kind, x);
  let r = x * weights;
  let apart = length(r);
  let normal = select(vec3f(0.0, 1.0, 0.0), r / max(apart, 1e-30), apart > 0.0);
  return PairStart(normal, apart >= pairs[j].distance || countsAt(pairs[j].kind, pairs[j].own, weights));
}

fn normalAtStart(j: u32) -> vec3f {
  return startOfPair(j).normal;
}

// Part of its displacement that a pair leaves to each of its vertices.
fn sharesOf(j: u32) -> vec4f {
  let v = pairs[j].vertices;
  let isEdge = pairs[j].kind == edgeEdgeKind;
  let n = normalAtStart(j);
  let height = n * placesAtStart(v);
  let drift = commonMotion[0].xyz;
  let e = mat4x3f(
    shiftOf(v.x).xyz - drift, shiftOf(v.y).xyz - drift, shiftOf(v.z).xyz - drift, shiftOf(v.w).xyz - drift,
  );
  let rise = n * e;
  // 1 for those of the first primitive
  let first = vec4<bool>(true, isEdge, false, false);
  let low = select(height.x, min(height.x, height.y), isEdge);
  let high = max(select(height.y, height.z, isEdge), max(height.z, height.w));
  let nearer = select(rise, -rise, first);
  let behind = select(high - height, height - low, first);
  let into = max(vec4f(0.0), nearer - behind);
  let a = select(into.x, max(into.x, into.y), isEdge);
  let b = max(select(into.y, into.z, isEdge), max(into.z, into.w));
  let gap = low - high;
  let room = max(0.0, min(gapShare * gap, gap - leastGap * pairs[j].distance));
  var shares = vec4f(1.0);
  if (a + b > room) {
    let free = behind + room / (a + b) * select(vec4f(b), vec4f(a), first);
    shares = select(vec4f(1.0), free / max(nearer, vec4f(1e-30)), nearer > free);
  }
  return shares;
}

// Leaves what is over of a displacement along the normal of the pair that allows it least, so that the vertex may slide along the surface.
fn slid(u: vec3f, share: f32, tightest: u32) -> vec3f {
  let n = normalAtStart(tightest);
  return u - (1.0 - share) * dot(n, u - commonMotion[0].xyz) * n;
}

// Shortens a displacement to a share of it, and to what is left of the vertex' way until the next search.
fn limited(p: u32, u: vec3f, allowed: f32) -> vec3f {
  let drift = commonMotion[0].xyz;
  let e = u - drift;
  var share = allowed;
  let before = gone[p].xyz;
  let reach = gone[p].w;
  let ee = dot(e, e);
  let eg = dot(e, before);
  let gg = dot(before, before);
  if (ee > 0.0 && gg + 2.0 * share * eg + share * share * ee > reach * reach) {
    let inside = max(0.0, reach * reach - gg);
    share = min(share, max(0.0, (sqrt(eg * eg + ee * inside) - eg) / ee));
  }
  gone[p] = vec4f(before + share * e, reach);
  return select(u, drift + share * e, share < 1.0);
}

