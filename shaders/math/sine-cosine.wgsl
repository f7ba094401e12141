// Sine and cosine to f32's last bits or so. The built-in ones may be off by 2⁻¹¹ (and are, on software adapters), which a
// mechanism feels within a few steps.

// x = quadrant π/2 + r with |r| ≤ π/4; π/2 in three parts, of which the first have few bits, after Cody and Waite. Then
// minimax polynomials on that interval: coefficients are those of Cephes' single precision functions.
fn sineCosine(x: f32) -> vec2f {
  let quadrant = round(x * 0.6366197723675814);
  let r = ((x - quadrant * 1.5703125) - quadrant * 4.837512969970703e-4) - quadrant * 7.549789954891882e-8;
  let s = r * r;
  let sine = r + r * s * (-1.6666654611e-1 + s * (8.3321608736e-3 - s * 1.9515295891e-4));
  let cosine = 1.0 - 0.5 * s + s * s * (4.166664568298827e-2 + s * (-1.388731625493765e-3 + s * 2.443315711809948e-5));
  switch (i32(quadrant) & 3) {
    case 0: { return vec2f(sine, cosine); }
    case 1: { return vec2f(cosine, -sine); }
    case 2: { return vec2f(-sine, -cosine); }
    default: { return vec2f(-cosine, sine); }
  }
}
