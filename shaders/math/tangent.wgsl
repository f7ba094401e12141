// Twin of writeTangents in src/math/vectors.ts. The second direction is n × tangentOf(n).

fn tangentOf(n: vec3f) -> vec3f {
  let a = abs(n);
  var t = vec3f(0.0, -n.z, n.y);
  if (a.x > a.y || a.x > a.z) { t = select(vec3f(-n.y, n.x, 0.0), vec3f(n.z, 0.0, -n.x), a.y <= a.z); }
  return t * (1.0 / sqrt(dot(t, t)));
}
