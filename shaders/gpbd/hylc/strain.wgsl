#import "math/angle.wgsl"
#import "math/gram6.wgsl"

// The six strains of HYLC cloth with their gradients; twin of src/solvers/gpbd/strains/hylc.ts, which has the formulas. All
// positions are relative to the first corner.

struct HylcElement {
  corners: vec3u,
  // [m²]
  area: f32,
  // corners of the neighbours across the edges (0, 1), (1, 2), (2, 0)
  neighbours: vec3u,
  // where they are in the element, in digits of base 8: 0 for none; across two edges or three may be the same
  places: u32,
  // Dm⁻¹, row-major [1/m]
  inverse: vec4f,
  // l² II at rest
  restCurvature: vec3f,
  // l² [m²]
  lengthSquared: f32,
}

// Gradients of the strains: of the in-plane ones by corners, in columns; of the three φ the same, and of each φ by the corner across its
// edge. Curvatures are weights × φ.
struct HylcJacobian {
  inPlane0: mat3x3f,
  inPlane1: mat3x3f,
  inPlane2: mat3x3f,
  hinge0: mat3x3f,
  hinge1: mat3x3f,
  hinge2: mat3x3f,
  across: mat3x3f,
}

fn hylcPlaces(places: u32) -> vec3u {
  return (vec3u(places) >> vec3u(0u, 3u, 6u)) & vec3u(7u);
}

// In each column 1 for the edges that are across from the same corner.
fn hylcAlike(places: u32) -> mat3x3f {
  let p = hylcPlaces(places);
  let s = select(vec3f(0.0), vec3f(1.0), (p == p.yzx) & (p != vec3u(0u)));
  return mat3x3f(1.0, s.x, s.z, s.x, 1.0, s.y, s.z, s.y, 1.0);
}

struct HylcShape {
  s: Vector6,
  jacobian: HylcJacobian,
}

struct HylcPlaces {
  // x₁ − x₀, x₂ − x₀
  p1: vec3f,
  p2: vec3f,
  // neighbours, less x₀
  q0: vec3f,
  q1: vec3f,
  q2: vec3f,
}

const hylcShortest = 1e-9;

// Columns −l² (g_u², g_u g_v, g_v²) of the three edges; the hat function opposite to (0, 1) is that of corner 2.
fn hylcWeights(e: HylcElement) -> mat3x3f {
  let g1 = e.inverse.xy;
  let g2 = e.inverse.zw;
  let g0 = -g1 - g2;
  let l = -e.lengthSquared;
  return mat3x3f(
    l * vec3f(g2.x * g2.x, g2.x * g2.y, g2.y * g2.y),
    l * vec3f(g0.x * g0.x, g0.x * g0.y, g0.y * g0.y),
    l * vec3f(g1.x * g1.x, g1.x * g1.y, g1.y * g1.y),
  );
}

struct HylcHinge {
  phi: f32,
  // by the ends of the edge, the corner opposite to it, and the neighbour
  a: vec3f,
  b: vec3f,
  c: vec3f,
  o: vec3f,
}

// Edge vector e = b − a; p and q lead from a to the corner opposite and to the neighbour. n: normal, `area` long.
fn hylcHinge(e: vec3f, p: vec3f, q: vec3f, n: vec3f, area: f32) -> HylcHinge {
  let other = cross(q, e);
  let other2 = dot(other, other);
  let l2 = dot(e, e);
  if (!(other2 > 0.0 && l2 > 0.0 && area > 0.0)) { return HylcHinge(); }
  let l = sqrt(l2);
  // (n × other) · e / l = −l q · n, as n · e is 0
  let theta = angleOf(-l * dot(q, n), dot(n, other));
  let phi = area * theta / l;
  let along = dot(p, e) / l2;
  let beside = dot(q, e) / l2;
  let ua = n / area;
  let ub = other * (area / other2);
  let stretch = (phi / l2) * e;
  let turn = theta / l;
  // ∇A of the corners: n̂ × (the edge opposite to them)
  return HylcHinge(
    phi,
    turn * cross(ua, p - e) + (1.0 - along) * ua + (1.0 - beside) * ub + stretch,
    -turn * cross(ua, p) + along * ua + beside * ub - stretch,
    turn * cross(ua, e) - ua,
    -ub,
  );
}

fn hylcShape(element: HylcElement, x: HylcPlaces) -> HylcShape {
  let g1 = element.inverse.xy;
  let g2 = element.inverse.zw;
  let g0 = -g1 - g2;
  let fu = x.p1 * g1.x + x.p2 * g2.x;
  let fv = x.p1 * g1.y + x.p2 * g2.y;
  let lengthU = length(fu);
  let lengthV = length(fv);
  let u = fu / max(hylcShortest, lengthU);
  let v = fv / max(hylcShortest, lengthV);
  let shear = dot(u, v);
  let byU = (v - shear * u) / max(hylcShortest, lengthU);
  let byV = (u - shear * v) / max(hylcShortest, lengthV);
  var out: HylcShape;
  out.s.normal = vec3f(lengthU - 1.0, shear, lengthV - 1.0);
  out.jacobian.inPlane0 = mat3x3f(g0.x * u, g0.x * byU + g0.y * byV, g0.y * v);
  out.jacobian.inPlane1 = mat3x3f(g1.x * u, g1.x * byU + g1.y * byV, g1.y * v);
  out.jacobian.inPlane2 = mat3x3f(g2.x * u, g2.x * byU + g2.y * byV, g2.y * v);
  let n = cross(x.p1, x.p2);
  let area = length(n);
  var phi = vec3f(0.0);
  let hasNeighbour = hylcPlaces(element.places) != vec3u(0u);
  if (hasNeighbour.x) {
    let h = hylcHinge(x.p1, x.p2, x.q0, n, area);
    phi.x = h.phi;
    out.jacobian.hinge0[0] = h.a;
    out.jacobian.hinge1[0] = h.b;
    out.jacobian.hinge2[0] = h.c;
    out.jacobian.across[0] = h.o;
  }
  if (hasNeighbour.y) {
    let h = hylcHinge(x.p2 - x.p1, -x.p1, x.q1 - x.p1, n, area);
    phi.y = h.phi;
    out.jacobian.hinge1[1] = h.a;
    out.jacobian.hinge2[1] = h.b;
    out.jacobian.hinge0[1] = h.c;
    out.jacobian.across[1] = h.o;
  }
  if (hasNeighbour.z) {
    let h = hylcHinge(-x.p2, x.p1 - x.p2, x.q2 - x.p2, n, area);
    phi.z = h.phi;
    out.jacobian.hinge2[2] = h.a;
    out.jacobian.hinge0[2] = h.b;
    out.jacobian.hinge1[2] = h.c;
    out.jacobian.across[2] = h.o;
  }
  out.s.shear = hylcWeights(element) * phi - element.restCurvature;
  return out;
}

// S W S'ᵀ; w: Δt²/m of the corners and of the neighbours
fn hylcGram(
  a: HylcJacobian, b: HylcJacobian, weights: mat3x3f, alike: mat3x3f, w: vec3f, wAcross: vec3f,
) -> Gram6 {
  let r0 = w.x * transpose(a.inPlane0);
  let r1 = w.y * transpose(a.inPlane1);
  let r2 = w.z * transpose(a.inPlane2);
  let h0 = w.x * transpose(a.hinge0);
  let h1 = w.y * transpose(a.hinge1);
  let h2 = w.z * transpose(a.hinge2);
  var hinges = h0 * b.hinge0 + h1 * b.hinge1 + h2 * b.hinge2;
  let across = transpose(a.across) * b.across;
  hinges[0] += wAcross * alike[0] * across[0];
  hinges[1] += wAcross * alike[1] * across[1];
  hinges[2] += wAcross * alike[2] * across[2];
  let transposed = transpose(weights);
  return Gram6(
    r0 * b.inPlane0 + r1 * b.inPlane1 + r2 * b.inPlane2,
    (r0 * b.hinge0 + r1 * b.hinge1 + r2 * b.hinge2) * transposed,
    weights * (h0 * b.inPlane0 + h1 * b.inPlane1 + h2 * b.inPlane2),
    weights * hinges * transposed,
  );
}
