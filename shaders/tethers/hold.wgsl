// Particles go back within reach of the pins near them: twin of Tethers.project in tethers.ts. Only particles that are not anchors move.
// The importing module supplies startOf, `parameters`, tetherAt, displacementOf, setDisplacement.

const TETHERS = 4u;

struct TetherParameters {
  // part of its length that a tether gives
  slack: f32,
  // part of its way beyond its tether that a particle has left after a substep
  rest: f32,
  particleCount: u32,
}

struct Tether {
  // −1 at places that are left over
  anchor: i32,
  // of the way within the sheet at rest [m]
  reach: f32,
}

// From one particle to another: at the start of the substep, and now.
fn wayBefore(p: u32, q: u32) -> vec3f {
  return startOf(q).xyz - startOf(p).xyz;
}

// Distance of pins over the reach of the sheet between them, at least 1.
fn pinSpread(first: u32) -> f32 {
  var most = 1.0;
  let nearest = tetherAt(first);
  for (var i = first + 1u; i < first + TETHERS; i++) {
    let other = tetherAt(i);
    if (other.anchor < 0) { break; }
    let a = u32(nearest.anchor);
    let b = u32(other.anchor);
    let way = wayBefore(a, b) + (displacementOf(b).xyz - displacementOf(a).xyz);
    most = max(most, length(way) / (nearest.reach + other.reach));
  }
  return most;
}

fn holdParticle(p: u32) {
  if (displacementOf(p).w <= 0.0) { return; }
  let first = TETHERS * p;
  if (tetherAt(first).anchor < 0) { return; }
  let give = (1.0 + parameters.slack) * pinSpread(first);
  var u = displacementOf(p);
  for (var i = first; i < first + TETHERS; i++) {
    let tether = tetherAt(i);
    if (tether.anchor < 0) { break; }
    let a = u32(tether.anchor);
    let before = wayBefore(a, p);
    let way = before + (u.xyz - displacementOf(a).xyz);
    let reach = give * tether.reach;
    let most = reach + parameters.rest * max(0.0, length(before) - reach);
    let far = length(way);
    if (far > most) { u -= vec4f(way * (1.0 - most / far), 0.0); }
  }
  setDisplacement(p, u);
}
