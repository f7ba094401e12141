// By the exponent bits: shader compilers may assume that floats are never NaN.
fn isFinite3(v: vec3f) -> bool {
  return all((bitcast<vec3u>(v) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
}
