// Splines of a HYLC table as cubics in the local coordinate t ∈ [0, 1) of a cell: the host has turned values and slopes into
// coefficients in f64, so nothing here is a difference of large numbers. The ranges outside of the knots are cells too: the
// coordinate counts from the last knot, and the cubic is straight. The layout is that of src/solvers/gpbd/elements/hylc-table.ts.

@group(0) @binding(7) var<storage, read> table: array<f32>;

// One cell of a spline of one number.
struct Cubic {
  c: vec4f,
  // where t is 0, and dt/dx
  origin: f32,
  rate: f32,
  cell: u32,
}

// Cell of x among knots at table[at] …: how many of them are not above x.
fn cellOf(at: u32, knots: u32, x: f32) -> u32 {
  var cell = 0u;
  for (var i = 0u; i < knots; i++) {
    if (table[at + i] <= x) { cell = i + 1u; }
  }
  return cell;
}

// Cell j counts from knot j − 1; the one below all knots from the first.
fn originOf(at: u32, cell: u32) -> f32 {
  return table[at + max(cell, 1u) - 1u];
}

fn vectorAt(at: u32) -> vec4f {
  return vec4f(table[at], table[at + 1u], table[at + 2u], table[at + 3u]);
}

// curve: number of knots, knots, a rate for each cell, four coefficients for each cell
fn curveCubic(at: u32, x: f32) -> Cubic {
  let knots = u32(table[at]);
  let cell = cellOf(at + 1u, knots, x);
  let rates = at + 1u + knots;
  let coefficients = rates + knots + 1u + 4u * cell;
  return Cubic(vectorAt(coefficients), originOf(at + 1u, cell), table[rates + cell], cell);
}

// f, f', f'' by x
fn cubicJet(f: Cubic, x: f32) -> vec3f {
  let t = (x - f.origin) * f.rate;
  let c = f.c;
  return vec3f(
    c.x + t * (c.y + t * (c.z + t * c.w)),
    f.rate * (c.y + t * (2.0 * c.z + 3.0 * t * c.w)),
    f.rate * f.rate * (2.0 * c.z + 6.0 * t * c.w),
  );
}

// (f(x₁) − f(x₂)) / (x₁ − x₂) for x₁ ≥ x₂, whose cells hold the cubics a and b: the mean of f' between them. If they are in
// the same cell or neighbours, no two values of f are subtracted.
fn meanSlope(a: Cubic, b: Cubic, x1: f32, x2: f32) -> f32 {
  if (a.cell == b.cell) {
    let t1 = (x1 - a.origin) * a.rate;
    let t2 = (x2 - a.origin) * a.rate;
    return a.rate * (a.c.y + a.c.z * (t1 + t2) + a.c.w * (t1 * t1 + t1 * t2 + t2 * t2));
  }
  if (a.cell == b.cell + 1u) {
    // f' is quadratic on either side of the knot between them: Simpson's rule is exact there.
    let knot = a.origin;
    let below = knot - x2;
    let middle = x2 + 0.5 * below;
    let lower = below / 6.0 * (cubicJet(b, x2).y + 4.0 * cubicJet(b, middle).y + cubicJet(b, knot).y);
    let t = (x1 - knot) * a.rate;
    return (lower + t * (a.c.y + t * (a.c.z + t * a.c.w))) / (x1 - x2);
  }
  return (cubicJet(a, x1).x - cubicJet(b, x2).x) / (x1 - x2);
}

// A surface at a fixed u: as a function of v, with its derivatives by u.
struct SurfaceRow {
  f: Cubic,
  fu: Cubic,
  fuu: Cubic,
}

// surface: numbers of knots, u knots, u rates, v knots, v rates, then 16 coefficients a cell, u cells first: Σ a_ij tᵢ sʲ has
// a_ij at 4 j + i
fn surfaceRow(at: u32, u: f32, v: f32) -> SurfaceRow {
  let nu = u32(table[at]);
  let nv = u32(table[at + 1u]);
  let uKnots = at + 2u;
  let vKnots = uKnots + 2u * nu + 1u;
  let i = cellOf(uKnots, nu, u);
  let j = cellOf(vKnots, nv, v);
  let rate = table[uKnots + nu + i];
  let t = (u - originOf(uKnots, i)) * rate;
  let first = vKnots + 2u * nv + 1u + 16u * (j * (nu + 1u) + i);
  // columns: the four coefficients in t for each power of s
  let a = mat4x4f(vectorAt(first), vectorAt(first + 4u), vectorAt(first + 8u), vectorAt(first + 12u));
  let origin = originOf(vKnots, j);
  let vRate = table[vKnots + nv + j];
  return SurfaceRow(
    Cubic(vec4f(1.0, t, t * t, t * t * t) * a, origin, vRate, j),
    Cubic(rate * (vec4f(0.0, 1.0, 2.0 * t, 3.0 * t * t) * a), origin, vRate, j),
    Cubic(rate * rate * (vec4f(0.0, 0.0, 2.0, 6.0 * t) * a), origin, vRate, j),
  );
}
