#import "collision/bindings.wgsl"
#import "collision/pose.wgsl"
#import "collision/distance/signed-distance.wgsl"
#import "gpbd/cloth/corners.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "held/table.wgsl"

// Obstacles let go of particles whose pins go through them: twin of src/solvers/gpbd/cpu/let-go.ts, which tells why. It looks at the start of
// a frame.

// w: how much less distance than the thickness the particle keeps, see overlap.ts; LET_GO where obstacles let go; FACES_WAIT where they
// are between it and a corner of one of its faces
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;

// As in let-go.ts and overlap.ts
const REACH = 1.05;
const OPPOSED = -0.5;
const ROUNDING = 1e-3;

const LET_GO = 1e30;
const FACES_WAIT = -1e-30;
const MOST_STEPS = 64u;
// A point that is nearer to a surface than this part of the way touches it.
const AT_SURFACE = 1e-6;

var<workgroup> atPins: atomic<u32>;

fn toObstacle(k: u32, x: vec3f) -> vec3f {
  return rotateBackBy(colliders[k].startRotation, x - colliders[k].startPosition);
}

fn toObstacleAtEnd(k: u32, x: vec3f) -> vec3f {
  return rotateBackBy(colliders[k].endRotation, x - colliders[k].endPosition);
}

// Whether an obstacle is between two points, on opposite sides of it: their distances are the first two that it looks at. The second point
// may be that of the end of the frame.
fn isBetween(a: vec3f, b: vec3f, isAtEnd: bool) -> bool {
  let near = pinAt(parameters.pinCount);
  for (var i = 0u; i < parameters.nearCount; i++) {
    let k = table.items[near + i];
    let slack = vec3f(colliders[k].slack);
    if (!(all(min(a, b) - slack <= colliders[k].boundsMax) && all(max(a, b) + slack >= colliders[k].boundsMin))) { continue; }
    let from_ = toObstacle(k, a);
    var way = toObstacle(k, b) - from_;
    if (isAtEnd) { way = toObstacleAtEnd(k, b) - from_; }
    let size = length(way);
    var t = 1.0;
    var far = vec4f(0.0);
    for (var n = 0u; n < MOST_STEPS; n++) {
      let phi = signedDistance(k, from_ + t * way);
      if (n == 0u) {
        far = phi;
        t = 0.0;
        if (phi.w > size) { break; }
        continue;
      }
      if (n == 1u && (dot(phi.xyz, far.xyz) >= OPPOSED || phi.w + far.w > size)) { break; }
      if (min(phi.w, far.w) <= AT_SURFACE * size) { return true; }
      t += phi.w / size;
      if (t >= 1.0) { break; }
    }
  }
  return false;
}

// The part of its distance to all obstacles that a particle lacks.
fn missingAt(x: vec3f) -> f32 {
  var depth = 0.0;
  for (var k = 0u; k < parameters.colliderCount; k++) {
    let reach = vec3f(parameters.thickness + colliders[k].slack);
    if (all(x - reach <= colliders[k].boundsMax) && all(x + reach >= colliders[k].boundsMin)) {
      depth = max(depth, parameters.thickness - signedDistance(k, toObstacle(k, x)).w);
    }
  }
  return select(0.0, depth, depth > ROUNDING * parameters.thickness);
}

fn isPin(p: u32) -> bool {
  let pin = nearestPin(p);
  return pin != NOBODY && particleOf(pin) == p;
}

// Place of a pin at the end of the frame.
fn targetOf(pin: u32) -> vec3f {
  let at = pinAt(pin) + 1u;
  return bitcast<vec3f>(vec3u(table.items[at], table.items[at + 1u], table.items[at + 2u]));
}

// Whether an obstacle is between a particle and a neighbor; all of these count, or those of which one is a pin.
fn isCut(p: u32, areAll: bool) -> bool {
  for (var i = 2u * firstFace(p); i < 2u * firstFace(p + 1u); i++) {
    let entry = faceEntry(i / 2u);
    let corners = cornersOf(entry / 3u);
    let q = corners[(entry + 1u + i % 2u) % 3u];
    let isAtPin = isPin(p) != isPin(q);
    if (q == p || !(areAll || isAtPin)) { continue; }
    let first = select(p, q, isAtPin && isPin(p));
    let last = p + q - first;
    var to = start[last].xyz;
    if (isAtPin) { to = targetOf(nearestPin(last)); }
    if (isBetween(start[first].xyz, to, isAtPin)) { return true; }
  }
  return false;
}

@compute @workgroup_size(64)
fn letGo(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = parameters.particleCount;
  for (var i = lane; i < parameters.edgeCount; i += 64u) {
    let at = 2u * (n + i);
    if (isBetween(start[table.items[at + 1u]].xyz, targetOf(table.items[at]), true)) { atomicStore(&atPins, 1u); }
  }
  workgroupBarrier();
  let p = id.x;
  if (p >= n) { return; }
  let turn = parameters.turn;
  let wasOn = atomicLoad(&table.found[(turn + 1u) % 2u]) == turn - 1u;
  let x = start[p].xyz;
  var depth = max(0.0, start[p].w);
  if (depth >= 0.5 * LET_GO) { depth = missingAt(x); }
  if (wasOn || atomicLoad(&atPins) == 1u) {
    var isDrawn = false;
    var counts = false;
    if (nearestPin(p) != NOBODY) {
      let pin = particleOf(nearestPin(p));
      if (distance(x, start[pin].xyz) > REACH * reachOfPin(p)) {
        isDrawn = isBetween(start[pin].xyz, x, false);
        // A particle that was let go of within the obstacle is still drawn out.
        counts = isDrawn || (wasOn && depth > 0.0);
      }
      velocity[p] = vec4f(besidePin(p, velocity[p].xyz, velocity[pin].xyz), 0.0);
    }
    if (isDrawn) {
      depth = LET_GO;
    } else if (isCut(p, wasOn || isDrawn)) {
      counts = true;
      if (depth == 0.0) { depth = FACES_WAIT; }
    }
    if (counts) { atomicStore(&table.found[turn % 2u], turn); }
  }
  start[p].w = depth;
}
