#import "gpbd/step-parameters.wgsl"
#import "collision/contact/face-contact.wgsl"

// Contact of the edges and the inside of a face. The importing module supplies startOf, displacementOf, cornersOf, particleFriction,
// particleThickness.
fn faceContactOf(face: u32) -> FaceContact {
  let v = cornersOf(face);
  // Faces of particles that keep less distance than their thickness wait, see overlap.ts, and those that obstacles cut, see let-go.wgsl.
  if (any(vec3f(startOf(v.x).w, startOf(v.y).w, startOf(v.z).w) != vec3f(0.0))) {
    return FaceContact(FaceVectors(vec3f(0.0), vec3f(0.0), vec3f(0.0)), false, 0u);
  }
  let a = displacementOf(v.x);
  let b = displacementOf(v.y);
  let c = displacementOf(v.z);
  return resolveFaceContact(
    step.colliderCount,
    FaceVectors(startOf(v.x).xyz, startOf(v.y).xyz, startOf(v.z).xyz),
    FaceVectors(a.xyz, b.xyz, c.xyz),
    vec3f(a.w, b.w, c.w),
    v.y == v.z,
    min(particleThickness(v.x), min(particleThickness(v.y), particleThickness(v.z))),
    (particleFriction(v.x) + particleFriction(v.y) + particleFriction(v.z)) / 3.0, step.fractionStart, step.fractionEnd,
  );
}

// w: the proxy, and as a fraction half of how far the corner goes, over how far the corner does that goes furthest. So faces count at
// particles, see near.wgsl.
struct SharedPushes {
  a: vec4f,
  b: vec4f,
  c: vec4f,
}

fn sharedPushes(face: u32) -> SharedPushes {
  let result = faceContactOf(face);
  let push = result.push;
  let ways = vec3f(length(push.a), length(push.b), length(push.c));
  let w = f32(result.proxy) + 0.5 * ways / max(max(ways.x, max(ways.y, ways.z)), 1e-30);
  return SharedPushes(vec4f(push.a, w.x), vec4f(push.b, w.y), vec4f(push.c, w.z));
}
