// Directions between some others: twin of own-normals.ts.

// Rounds over the faces at a point, fewer if one changes less than this; and faces that count.
const OWN_ROUNDS = 16u;
const OWN_SETTLED = 1e-7;
const OWN_FACES = 32u;

// The unit direction nearest to another one that is a sum of some unit vectors, zero for none.
fn turnIntoCone(directions: ptr<function, array<vec3f, OWN_FACES>>, count: u32, near: vec3f) -> vec3f {
  var shares: array<f32, OWN_FACES>;
  var rest = near;
  for (var round = 0u; round < OWN_ROUNDS; round++) {
    var most = 0.0;
    for (var i = 0u; i < count; i++) {
      let direction = (*directions)[i];
      let change = max(-shares[i], dot(rest, direction));
      shares[i] += change;
      rest -= change * direction;
      most = max(most, abs(change));
    }
    if (most <= OWN_SETTLED) { break; }
  }
  let sum = near - rest;
  let size = length(sum);
  return select(vec3f(0.0), sum / size, size > 0.0);
}
