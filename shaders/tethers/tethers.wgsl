// Particles go back within reach of the pins near them: twin of Tethers.project in tethers.ts. Only particles that are not anchors move.

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

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of each particle TETHERS, nearest first
@group(0) @binding(2) var<storage, read> tethers: array<Tether>;
@group(0) @binding(3) var<uniform> parameters: TetherParameters;

// From one particle to another: at the start of the substep, and now.
fn wayBefore(p: u32, q: u32) -> vec3f {
  return start[q].xyz - start[p].xyz;
}

// Distance of pins over the reach of the sheet between them, at least 1.
fn spread(first: u32) -> f32 {
  var most = 1.0;
  let nearest = tethers[first];
  for (var i = first + 1u; i < first + TETHERS; i++) {
    let other = tethers[i];
    if (other.anchor < 0) {
      break;
    }
    let a = u32(nearest.anchor);
    let b = u32(other.anchor);
    let way = wayBefore(a, b) + (displacement[b].xyz - displacement[a].xyz);
    most = max(most, length(way) / (nearest.reach + other.reach));
  }
  return most;
}

@compute @workgroup_size(64)
fn holdTethers(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= parameters.particleCount || displacement[p].w <= 0.0) {
    return;
  }
  let first = TETHERS * p;
  if (tethers[first].anchor < 0) {
    return;
  }
  let give = (1.0 + parameters.slack) * spread(first);
  var u = displacement[p];
  for (var i = first; i < first + TETHERS; i++) {
    let tether = tethers[i];
    if (tether.anchor < 0) {
      break;
    }
    let a = u32(tether.anchor);
    let before = wayBefore(a, p);
    let way = before + (u.xyz - displacement[a].xyz);
    let reach = give * tether.reach;
    let most = reach + parameters.rest * max(0.0, length(before) - reach);
    let far = length(way);
    if (far > most) {
      u -= vec4f(way * (1.0 - most / far), 0.0);
    }
  }
  displacement[p] = u;
}
