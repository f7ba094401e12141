// Twin of src/collision/triangle.ts, for the triangle told relative to the point.

struct TrianglePoint {
  point: vec3f,
  barycentric: vec3f,
}

// Closest point of a triangle to the origin (Ericson, Real-Time Collision Detection, 5.1.5).
fn closestToOrigin(a: vec3f, b: vec3f, c: vec3f) -> TrianglePoint {
  let ab = b - a;
  let ac = c - a;
  let d1 = -dot(ab, a);
  let d2 = -dot(ac, a);
  let abac = dot(ab, ac);
  let d3 = d1 - dot(ab, ab);
  let d4 = d2 - abac;
  let d5 = d1 - abac;
  let d6 = d2 - dot(ac, ac);
  let va = d3 * d6 - d5 * d4;
  let vb = d5 * d2 - d1 * d6;
  let vc = d1 * d4 - d3 * d2;
  var v = 0.0;
  var w = 0.0;
  if (d1 <= 0.0 && d2 <= 0.0) {
    // corner a
  } else if (d3 >= 0.0 && d4 <= d3) {
    v = 1.0;
  } else if (d6 >= 0.0 && d5 <= d6) {
    w = 1.0;
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    v = d1 / (d1 - d3);
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    w = d2 / (d2 - d6);
  } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1.0 - w;
  } else {
    let scale = 1.0 / (va + vb + vc);
    v = vb * scale;
    w = vc * scale;
  }
  return TrianglePoint(a + v * ab + w * ac, vec3f(1.0 - v - w, v, w));
}
