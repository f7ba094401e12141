#import "gpbd/stages/particle-near.wgsl"

// Which faces may touch an obstacle in this substep, and what they do to particles: none can whose longest edge is shorter than the distance
// that is left. The importing module supplies startOf, clearanceOf, proxiesYield, displacementOf, cornersOf, firstFace, faceEntry,
// facePushOf.

// Number of faces that push a particle, see sharedPushes in face-contact.wgsl.
fn pushesAt(p: u32) -> f32 {
  var count = 0.0;
  for (var i = firstFace(p); i < firstFace(p + 1u); i++) { count += 2.0 * fract(facePushOf(faceEntry(i)).w); }
  return count;
}

// Way of a particle with its faces, shared as in `shareFacePushes`, its twin; w: a proxy that pushed one, 0 for none.
fn pushByFaces(p: u32) -> vec4f {
  var sum = vec3f(0.0);
  var proxy = 0.0;
  for (var i = firstFace(p); i < firstFace(p + 1u); i++) {
    let push = facePushOf(faceEntry(i));
    if (push.w == 0.0) { continue; }
    let v = cornersOf(faceEntry(i) / 3u);
    sum += push.xyz / max(1.0, max(pushesAt(v.x), max(pushesAt(v.y), pushesAt(v.z))));
    proxy = select(proxy, floor(push.w), proxy == 0.0);
  }
  return vec4f(sum, proxy);
}

fn faceIsNear(face: u32) -> bool {
  let v = cornersOf(face);
  let ua = displacementOf(v.x).xyz;
  let ub = displacementOf(v.y).xyz;
  let uc = displacementOf(v.z).xyz;
  let a = startOf(v.x).xyz;
  let b = startOf(v.y).xyz;
  let c = startOf(v.z).xyz;
  let edge = max(
    max(distance(a, b), max(distance(b, c), distance(c, a))),
    max(distance(a + ua, b + ub), max(distance(b + ub, c + uc), distance(c + uc, a + ua))),
  );
  // The way of the face's points is as long as the longest of its corners'.
  let way = max(length(ua), max(length(ub), length(uc)));
  let left = max(clearanceOf(v.x), max(clearanceOf(v.y), clearanceOf(v.z)));
  return !(left - edge - 2.0 * way - obstacleMotion() > touchingMargin * step.thickness);
}
