// Jacobi: adds up each particle's shares in the order of its incidence, so that runs are bit-identical. The importing module supplies
// firstShare and shareAt.

// w: how many of the shares have 1 there
fn gatheredShares(p: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = firstShare(p); i < firstShare(p + 1u); i++) { sum += shareAt(i); }
  return sum;
}
