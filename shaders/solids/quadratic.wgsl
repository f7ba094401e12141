#import "solids/tetrahedron.wgsl"

// Quadratic tetrahedra, see src/geometry/tetrahedra/quadratic.ts. An invocation has the four points at which one has its strain: they share
// all ten vertices, so they are swept one after the other.

const NODES = 10u;
const POINTS = 4u;
// Barycentric coordinates of a point: of the corner that it is near to, and of the others.
const near = 0.585410196624968;
const far = 0.138196601125011;

struct QuadraticElement {
  // corners, then the middles of the edges 01, 02, 03, 12, 13 and 23
  vertices: array<u32, 10>,
  // gradients of the barycentric coordinates of the last three corners [1/m]
  g1: vec3f,
  // of a quarter [m³]
  volume: f32,
  g2: vec3f,
  g3: vec3f,
}

@group(0) @binding(10) var<storage, read> quadratics: array<QuadraticElement>;

alias Vectors = array<vec3f, 10>;

// The vertices of a tetrahedron as its points see them.
struct Nodes {
  // x⁻, less that of the first vertex [m]
  x: Vectors,
  // x − x⁻ [m]
  u: Vectors,
  // Δt²/m, and in Jacobi's mean that of a share of the mass [s²/kg]
  w: array<f32, 10>,
}

fn nodesOf(t: u32) -> Nodes {
  var nodes: Nodes;
  let origin = start[quadratics[t].vertices[0]].xyz;
  for (var a = 0u; a < NODES; a++) {
    let v = quadratics[t].vertices[a];
    let moved = displacement[v];
    nodes.x[a] = start[v].xyz - origin;
    nodes.u[a] = moved.xyz;
    nodes.w[a] = step.h * step.h * moved.w;
  }
  return nodes;
}

// Material gradients of the shape functions at a point [1/m].
fn shapeGradients(t: u32, point: u32) -> Vectors {
  let s1 = quadratics[t].g1;
  let s2 = quadratics[t].g2;
  let s3 = quadratics[t].g3;
  let s0 = -s1 - s2 - s3;
  let l = select(vec4f(far), vec4f(near), vec4u(point) == vec4u(0u, 1u, 2u, 3u));
  let n = 4.0 * l;
  return Vectors(
    (n.x - 1.0) * s0,
    (n.y - 1.0) * s1,
    (n.z - 1.0) * s2,
    (n.w - 1.0) * s3,
    n.x * s1 + n.y * s0,
    n.x * s2 + n.z * s0,
    n.x * s3 + n.w * s0,
    n.y * s2 + n.z * s1,
    n.y * s3 + n.w * s1,
    n.z * s3 + n.w * s2,
  );
}

// Σ vₐ gₐᵀ; as Σ gₐ = 0 the values may be relative to any one.
fn gradientOfNodes(v: ptr<function, Vectors>, g: ptr<function, Vectors>) -> mat3x3f {
  let origin = (*v)[0];
  var sum = mat3x3f();
  for (var a = 1u; a < NODES; a++) {
    let value = (*v)[a] - origin;
    let slope = (*g)[a];
    sum += mat3x3f(slope.x * value, slope.y * value, slope.z * value);
  }
  return sum;
}

fn updatePoint(
  nodes: ptr<function, Nodes>,
  g: ptr<function, Vectors>,
  d: ptr<function, Vectors>,
  volume: f32,
  isMean: bool,
) -> TetUpdate {
  var m = Vector6();
  for (var a = 0u; a < NODES; a++) {
    m = add6(m, 1.0, weighted((*nodes).w[a], (*g)[a]));
  }
  if (!(m.normal.x + m.normal.y + m.normal.z > 0.0)) {
    return TetUpdate();
  }
  var x = (*nodes).x;
  var u = (*nodes).u;
  let startF = gradientOfNodes(&x, g);
  var state = TetState(startF + gradientOfNodes(&u, g), startF, matrixOf6(m, 1.0), mat3x3f(), volume);
  if (range.loadTracked != 0u) {
    state.d = gradientOfNodes(d, g);
  }
  return updated(state, isMean);
}

fn isTurned(update: TetUpdate) -> bool {
  return dot(abs(update.p[0]) + abs(update.p[1]) + abs(update.p[2]), vec3f(1.0)) > 0.0;
}

fn quadraticGaussSeidel(invocation: u32) {
  if (invocation >= range.count) {
    return;
  }
  let t = range.first + invocation;
  var nodes = nodesOf(t);
  for (var point = 0u; point < POINTS; point++) {
    let slot = NODES * (POINTS * t + point);
    var g = shapeGradients(t, point);
    var d: Vectors;
    for (var a = 0u; a < NODES; a++) {
      d[a] = sign(nodes.w[a]) * trackedAt(slot + a);
    }
    let update = updatePoint(&nodes, &g, &d, quadratics[t].volume, false);
    let q = step.relaxation * update.q;
    let shift = update.p + q;
    for (var a = 0u; a < NODES; a++) {
      nodes.u[a] += nodes.w[a] * (shift * g[a]);
      storeTracked(slot + a, d[a] + nodes.w[a] * (q * g[a]));
    }
    if (isWarm) {
      if (isTurned(update)) {
        for (var a = 0u; a < NODES; a++) {
          elastic[quadratics[t].vertices[a]] += vec4f(nodes.w[a] * (update.p * g[a]), 0.0);
        }
      }
    }
  }
  for (var a = 0u; a < NODES; a++) {
    let v = quadratics[t].vertices[a];
    displacement[v] = vec4f(nodes.u[a], displacement[v].w);
  }
}

fn quadraticJacobi(t: u32) {
  if (t >= range.count) {
    return;
  }
  var nodes = nodesOf(t);
  var count: array<f32, 10>;
  for (var a = 0u; a < NODES; a++) {
    count[a] = valence(quadratics[t].vertices[a]);
    // Masses go among fewer where it is relaxed, as in tetJacobi.
    nodes.w[a] *= count[a] / select(step.relaxation, 1.0, isAccelerated);
  }
  for (var point = 0u; point < POINTS; point++) {
    let slot = NODES * (POINTS * t + point);
    var g = shapeGradients(t, point);
    var d: Vectors;
    for (var a = 0u; a < NODES; a++) {
      d[a] = sign(nodes.w[a]) * trackedAt(slot + a) * count[a] / select(step.relaxation, 1.0, isAccelerated);
    }
    let update = updatePoint(&nodes, &g, &d, quadratics[t].volume, true);
    for (var a = 0u; a < NODES; a++) {
      let before = sign(nodes.w[a]) * trackedAt(slot + a);
      let w = nodes.w[a];
      applyTetLater(slot + a, count[a], before, w * (update.q * g[a]), w * (update.p * g[a]));
    }
  }
}

// Writes the energies of its points at the start of a substep.
fn quadraticEnergy(t: u32) {
  if (t >= range.count) {
    return;
  }
  var x: Vectors;
  for (var a = 0u; a < NODES; a++) {
    x[a] = start[quadratics[t].vertices[a]].xyz;
  }
  for (var point = 0u; point < POINTS; point++) {
    var g = shapeGradients(t, point);
    let f = gradientOfNodes(&x, &g);
    energies[POINTS * t + point] = energyOf(f, quadratics[t].volume);
  }
}
