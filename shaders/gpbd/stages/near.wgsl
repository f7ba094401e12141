#import "gpbd/stages/particle-near.wgsl"

// Which faces may touch an obstacle in this substep, and what they do to particles: none can whose longest edge is shorter than the distance
// that is left. The importing module supplies startOf, clearanceOf, proxiesYield, displacementOf, cornersOf, firstFace, faceEntry,
// facePushOf.

// Mean over the faces at the particle that were pushed; w: a proxy that pushed one, 0 for none.
fn meanFacePush(p: u32) -> vec4f {
  var sum = vec3f(0.0);
  var proxy = 0.0;
  var touching = 0.0;
  for (var i = firstFace(p); i < firstFace(p + 1u); i++) {
    let push = facePushOf(faceEntry(i));
    sum += push.xyz;
    let pushed = any(push.xyz != vec3f(0.0));
    touching += select(0.0, 1.0, pushed);
    proxy = select(proxy, push.w, pushed && proxy == 0.0);
  }
  return vec4f(sum / max(touching, 1.0), proxy);
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
