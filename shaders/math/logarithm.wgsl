// ln(1 + x) and x − ln(1 + x) near zero. WGSL's own logarithm is known to 5e-7 only around 1.

// x − ln(1 + x) for |x| < 0.35, by ln(1 + x) = 2 artanh t with t = x / (2 + x).
fn logarithmDeficitSeries(x: f32) -> f32 {
  let t = x / (2.0 + x);
  let t2 = t * t;
  return x * t - 2.0 * t * t2 * (1.0 / 3.0 + t2 * (0.2 + t2 * (1.0 / 7.0 + t2 / 9.0)));
}

// x − ln(1 + x), x > −1
fn deficit1p(x: f32) -> f32 {
  if (abs(x) < 0.35) { return logarithmDeficitSeries(x); }
  return x - log(1.0 + x);
}

// ln(1 + x), x > −1
fn log1p(x: f32) -> f32 {
  if (abs(x) < 0.35) { return x - logarithmDeficitSeries(x); }
  return log(1.0 + x);
}
