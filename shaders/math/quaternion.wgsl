// Unit quaternions x, y, z, w.

fn rotate(q: vec4f, v: vec3f) -> vec3f {
  let t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

// first q, then p
fn quaternionProduct(p: vec4f, q: vec4f) -> vec4f {
  return vec4f(p.w * q.xyz + q.w * p.xyz + cross(p.xyz, q.xyz), p.w * q.w - dot(p.xyz, q.xyz));
}
