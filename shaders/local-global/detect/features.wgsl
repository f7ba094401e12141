#import "collision/distance/deepest-point.wgsl"
#import "local-global/contact/layout.wgsl"

// Contacts of edges and faces with obstacles: twin of detect-features.ts.
//
// φ  signed distance to the obstacle [m]

// Depth beyond that of its ends or edges from which a feature has a contact of its own, as a part of the thickness.
const FEATURE_DEEPER = 0.05;
// An edge is halved this often.
const EDGE_HALVINGS = 14u;
// Slope of φ along an edge that counts as none.
const EDGE_FLAT = 1e-6;

@group(0) @binding(0) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(1) var<storage, read> surfaceShift: array<vec4f>;
@group(0) @binding(2) var<storage, read> owners: array<ContactOwner>;
@group(0) @binding(3) var<storage, read> contactOptions: array<ContactOptions>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// The distance that a vertex, an edge or a face keeps: see `thinned`.
fn thicknessOf(own: ContactOwner) -> f32 {
  let feature = select(1.0, 0.0, own.vertices.y == NO_VERTEX) + select(1.0, 0.0, own.vertices.z == NO_VERTEX);
  return (1.0 - FEATURE_DEEPER * feature) * contactOptions[own.body].thickness;
}

// Distance beyond the margin at which obstacles are taken up, as gravity may bring bodies nearer [m].
fn fallOf(step: ContactStep) -> f32 {
  return step.stepTime * step.stepTime * length(step.gravity);
}

// Whether contact forces move a point on some vertices at all.
fn isMovable(own: ContactOwner, weights: vec3f) -> bool {
  var movable = 0.0;
  for (var c = 0u; c < 3u; c++) {
    if (own.vertices[c] != NO_VERTEX) { movable += weights[c] * surfaceShift[own.vertices[c]].w; }
  }
  return movable > LEAST_MOVABLE;
}

// The deepest point of an edge or a face in an obstacle, as weights of its vertices; w: whether it is deeper than the ends of the
// edge, or all edges of the face. For one call of the search on an edge, the deepest point of a face is an edge without length.
fn featureWeights(k: u32, own: ContactOwner) -> vec4f {
  let none = vec4f(0.0);
  let options = contactOptions[own.body];
  let reach = options.thickness + options.margin + fallOf(contactStep);
  let isFace = own.vertices.z != NO_VERTEX;
  let corners = select(2u, 3u, isFace);
  var now: array<vec3f, 3>;
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  for (var c = 0u; c < corners; c++) {
    let v = own.vertices[c];
    let start = surfaceStart[v].xyz;
    now[c] = start + surfaceShift[v].xyz;
    low = min(low, min(start, now[c]));
    high = max(high, max(start, now[c]));
  }
  if (pathMisses(k, low, high - low, reach)) { return none; }
  let pose = poseAtEnd(k, contactStep.fraction1);
  for (var c = 0u; c < corners; c++) { now[c] = rotateBackBy(pose.rotation, now[c] - pose.position); }
  let deeper = FEATURE_DEEPER * options.thickness;
  var weights = none;
  var point = vec3f(0.0);
  if (isFace) {
    let middle = (now[0] + now[1] + now[2]) / 3.0;
    let radius = max(distance(now[0], middle), max(distance(now[1], middle), distance(now[2], middle)));
    let deepest = deepestPoint(k, now[0], now[1], now[2], radius, radius + reach, reach);
    if (max(deepest.x, max(deepest.y, deepest.z)) >= 1.0) { return none; }
    point = deepest.x * now[0] + deepest.y * now[1] + deepest.z * now[2];
    weights = vec4f(deepest, 1.0);
  }
  var phi = 3e38;
  for (var e = select(1u, 0u, isFace); e <= select(1u, 3u, isFace); e++) {
    var a = point;
    var b = point;
    if (e > 0u) {
      a = now[e - 1u];
      b = now[e % 3u];
    }
    let found = deepestOnEdge(k, a, b, reach);
    if (e == 0u) {
      phi = found.phi;
    } else if (!isFace) {
      weights = vec4f(1.0 - found.t, found.t, 0.0, select(0.0, 1.0, found.phi < found.ends - deeper));
    } else if (!(phi < found.phi - deeper)) {
      return none;
    }
  }
  return select(none, weights, weights.w != 0.0 && isMovable(own, weights.xyz));
}

struct DeepestOnEdge {
  t: f32,
  // φ at t, and the smaller one of the ends; if the whole edge is further than the reach, both are those of the ends
  phi: f32,
  ends: f32,
}

// The place of the least φ between two points, by its slope: for a convex shape it changes sign only there.
fn deepestOnEdge(k: u32, a: vec3f, b: vec3f, reach: f32) -> DeepestOnEdge {
  let way = b - a;
  let size = length(way);
  var low = 0.0;
  var high = 1.0;
  var t = 0.0;
  var found = DeepestOnEdge(0.0, 3e38, 3e38);
  var sum = 0.0;
  // both ends, halvings, and their result
  for (var n = 0u; n <= EDGE_HALVINGS + 2u; n++) {
    let phi = signedDistance(k, a + t * way);
    if (n < 2u) {
      found.ends = min(found.ends, phi.w);
      found.phi = found.ends;
      sum += phi.w;
      t = 1.0;
      if (size == 0.0 || (n == 1u && sum - size > 2.0 * reach)) { return found; }
    } else {
      let slope = dot(phi.xyz, way);
      if (n == EDGE_HALVINGS + 2u || abs(slope) <= EDGE_FLAT * size) {
        found.t = t;
        found.phi = min(found.ends, phi.w);
        return found;
      }
      if (slope < 0.0) {
        low = t;
      } else {
        high = t;
      }
    }
    if (n > 0u) { t = 0.5 * (low + high); }
  }
  return found;
}
