#import "local-global/step/cayley.wgsl"
#import "local-global/global/sparse.wgsl"

// Held vertices: twin of pin-solver.ts, with the inverse of E A⁻¹ Eᵀ + C in place of its factor.

@group(0) @binding(2) var<storage, read_write> y: array<vec4f>;
// columns of held vertices, ascending
@group(0) @binding(3) var<storage, read> pinned: array<u32>;
// by how much each misses its place [m]
@group(0) @binding(4) var<storage, read_write> gaps: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> pinForces: array<vec4f>;
@group(0) @binding(6) var<storage, read> pinInverse: array<f32>;
@group(0) @binding(7) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(8) var<storage, read> start: array<vec4f>;
@group(0) @binding(9) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(10) var<storage, read> pins: array<vec4f>;
// pieces of a held vertex in `pieceSums`: the first, and behind the last
@group(0) @binding(11) var<storage, read> pinPieces: array<vec2u>;
@group(0) @binding(12) var<storage, read> pieceSums: array<vec4f>;
// of each held vertex: the force on it against R θ, θ × this, and what it gives, its part of C [1/kg]
@group(0) @binding(13) var<storage, read_write> heldTurns: array<vec4f>;
@group(0) @binding(14) var<storage, read> bodyStates: array<LocalGlobalBodyState>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

// (S eⱼ)ᵀ y of a held vertex: A⁻¹ r there, from what `backwardPieces` has found for its column.
fn readColumn(pin: u32) -> vec3f {
  let lane = pinned[pin] & 3u;
  var sum = vec3f(0.0);
  for (var k = pinPieces[pin].x; k < pinPieces[pin].y; k++) { sum += pieceSums[4u * k + lane].xyz; }
  return sum;
}

// Gaps of held vertices to where they are to go in this step.
@compute @workgroup_size(64)
fn readPins(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.pinCount) {
    let v = columns[pinned[id.x]].vertex;
    let share = select(step.pinShare, 1.0, pins[v].w == HELD_SOFTLY);
    let way = share * (pins[v].xyz - start[v].xyz) - displacement[v].xyz;
    gaps[id.x] = vec4f(way - readColumn(id.x), 0.0);
  }
}

// The same for held vertices that stay.
@compute @workgroup_size(64)
fn readStillPins(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.pinCount) { gaps[id.x] = vec4f(-readColumn(id.x), 0.0); }
}

// C f is no part of the gaps: with the forces f that y has already, of `solvePins`, and of turning since.
@compute @workgroup_size(64)
fn takeGiven(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.pinCount) {
    let own = heldTurns[id.x];
    let body = columns[pinned[id.x]].body;
    let turned = turnedFrom(bodyStates[body].turned, bodyStates[body].theta, own.xyz);
    gaps[id.x] -= vec4f(own.w * (pinForces[id.x].xyz + turned), 0.0);
  }
}

// After those of `readStillPins`, before there are others.
@compute @workgroup_size(64)
fn keepTurns(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.pinCount) { heldTurns[id.x] = vec4f(pinForces[id.x].xyz, heldTurns[id.x].w); }
}

// f = (E A⁻¹ Eᵀ + C)⁻¹ gaps
@compute @workgroup_size(64)
fn solvePins(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.pinCount) { return; }
  let body = bodies[columns[pinned[id.x]].body];
  // the matrix is symmetric: neighbours load what lies side by side
  var at = body.firstPinEntry + id.x - body.firstPin;
  var force = vec3f(0.0);
  for (var k = 0u; k < body.pinCount; k++) {
    force += pinInverse[at] * gaps[body.firstPin + k].xyz;
    at += body.pinCount;
  }
  pinForces[id.x] = vec4f(force, 0.0);
}

// y += S Eᵀ f: a row gathers from the held ones of its descendants.
@compute @workgroup_size(64)
fn addPins(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x + range.firstRow;
  if (i >= range.endRow) { return; }
  let row = columns[i];
  let body = bodies[row.body];
  // the first that is not before the row's first column
  var low = body.firstPin;
  var high = body.firstPin + body.pinCount;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (pinned[middle] < row.first) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  var sum = vec3f(0.0);
  for (var k = low; k < body.firstPin + body.pinCount; k++) {
    let j = pinned[k];
    if (j > i) { break; }
    sum += values[row.at + 4u * j] * pinForces[k].xyz;
  }
  y[i] += vec4f(sum, 0.0);
}
