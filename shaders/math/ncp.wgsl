// Complementarity functions: twin of src/solvers/ncp.ts.

// isActive: solve J Δu + compliance Δp = −residual; else p moves by `step`
struct NormalRow {
  isActive: bool,
  step: f32,
  compliance: f32,
  residual: f32,
  phi: f32,
}

// Below this α the contact counts as open.
const OPEN = 1e-6;

// (96)-(98)
fn minimumMap(a: f32, p: f32, r: f32) -> NormalRow {
  let isActive = a <= r * p;
  return NormalRow(isActive, -p, 0.0, a, select(r * p, a, isActive));
}

// (93)-(95), open at the corner
fn fischerBurmeister(a: f32, p: f32, r: f32) -> NormalRow {
  return fischerBurmeisterFrom(a, p, r, 0.0);
}

// corner: α where both a and p are 0
fn fischerBurmeisterFrom(a: f32, p: f32, r: f32, corner: f32) -> NormalRow {
  let b = r * p;
  let size = length(vec2f(a, b));
  // 1 − a/size and 1 − b/size, without the difference of near numbers
  var alpha = corner;
  var beta = 1.0 - corner;
  if (size > 0.0) {
    alpha = select(1.0 - a / size, b * b / (size * (size + a)), a > 0.0);
    beta = select(1.0 - b / size, a * a / (size * (size + b)), b > 0.0);
  }
  // a + b − size, likewise
  var phi = a + b - size;
  if (a > 0.0 && b > 0.0) {
    phi = 2.0 * a * b / (a + b + size);
  } else if (b > 0.0) {
    phi = a - a * a / (size + b);
  } else if (a > 0.0) {
    phi = b - b * b / (size + a);
  }
  if (alpha > OPEN) { return NormalRow(true, 0.0, beta * r / alpha, phi / alpha, phi); }
  return NormalRow(false, -phi / (beta * r), 0.0, 0.0, phi);
}

// W of (105): v slip speed, f friction impulse, limit µ pₙ > 0
fn minimumMapSlip(v: f32, f: f32, limit: f32, r: f32) -> f32 {
  let room = r * (limit - f);
  return select((v - room) / limit, 0.0, v <= room);
}

// W of (103)
fn fischerBurmeisterSlip(v: f32, f: f32, limit: f32, r: f32) -> f32 {
  let room = r * (limit - f);
  let size = length(vec2f(v, room));
  let slip = select(size - room, v * v / (size + room), room > 0.0);
  let force = v + r * limit - size;
  if (force > 0.01 * r * limit) { return r * slip / force; }
  return minimumMapSlip(v, f, limit, r);
}
