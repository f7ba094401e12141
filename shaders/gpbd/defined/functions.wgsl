#import "math/logarithm.wgsl"
#import "math/sine-cosine.wgsl"

// Functions that expressions of users call (src/materials/defined-energy/wgsl.ts).

// ln x, x > 0
fn logarithm(x: f32) -> f32 {
  if (abs(x - 1.0) < 0.35) { return log1p(x - 1.0); }
  return log(x);
}

// eˣ − 1
fn expm1(x: f32) -> f32 {
  if (abs(x) < 0.3) {
    // x + x²/2! + … + x⁷/7!
    return x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0 * (1.0 + x / 7.0))))));
  }
  return exp(x) - 1.0;
}
