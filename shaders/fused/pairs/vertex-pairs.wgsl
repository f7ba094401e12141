#import "surface/pair-push.wgsl"
#import "surface/pair-bounds.wgsl"

// The effect of a vertex's pairs on it, for GPUs on which a dispatch waits longer than it takes to look at each pair from all of its vertices.
// The importing module supplies also rows, see incidence.wgsl.

// The first vertex of a pair keeps what is found; the new normal is in place of the impulse, as other vertices read the old one.
fn findLoad(p: u32, isFirst: bool) {
  var load = 0.0;
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let j = rows[i] >> 2u;
    let k = rows[i] & 3u;
    var begun = PairStart(pairs[j].normal, pairs[j].counts != 0u);
    if (isFirst) { begun = startOfPair(j); }
    var state = PairState(vec4f(0.0), begun.normal, 0.0);
    if (begun.counts) { state = stateOf(j, begun.normal); }
    if (state.violation < 0.0) { load += abs(state.weights[k]); }
    if (k == 0u) {
      pairs[j].weights = state.weights;
      pairs[j].impulse = state.normal;
      pairs[j].violation = state.violation;
      if (isFirst) { pairs[j].counts = u32(begun.counts); }
    }
  }
  loads[p] = load;
}

// The displacement after the pushes of its pairs.
fn pushed(p: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let j = rows[i] >> 2u;
    let k = rows[i] & 3u;
    let normal = pairs[j].impulse;
    if (pairs[j].violation != 0.0) { sum += pairs[j].weights[k] * impulseOf(j, normal); }
    if (k == 0u) { pairs[j].normal = normal; }
  }
  let u = shiftOf(p);
  return u.xyz + surfaceRelaxation * u.w * sum;
}

// The least part of its displacement that a pair leaves to a vertex.
struct TightestPair {
  share: f32,
  pair: u32,
}

fn tightestOf(p: u32) -> TightestPair {
  var least = TightestPair(1.0, 0u);
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let share = sharesOf(rows[i] >> 2u)[rows[i] & 3u];
    if (share < least.share) { least = TightestPair(share, rows[i] >> 2u); }
  }
  return least;
}
