// The limits of the adapter: copies, and multiply-adds that depend on nothing but themselves.

@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4f>;

@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3u) {
  target_[id.x] = source[id.x];
}

// 4 × 4 × 2 operations a round
const rounds = 256u;

@compute @workgroup_size(64)
fn multiplyAdd(@builtin(global_invocation_id) id: vec3u) {
  let s = source[id.x];
  var a = s;
  var b = s.yzwx;
  var c = s.zwxy;
  var d = s.wxyz;
  for (var round = 0u; round < rounds; round++) {
    a = fma(a, s, vec4f(0.5));
    b = fma(b, s, vec4f(0.25));
    c = fma(c, s, vec4f(0.125));
    d = fma(d, s, vec4f(0.75));
  }
  target_[id.x] = a + b + c + d;
}
