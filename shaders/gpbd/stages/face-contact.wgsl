#import "gpbd/step-parameters.wgsl"
#import "collision/contact/face-contact.wgsl"

// Contact of the edges and the inside of a face. The importing module supplies startOf, displacementOf, cornersOf.
fn faceContactOf(face: u32) -> FaceContact {
  let v = cornersOf(face);
  // Faces of particles that keep less distance than their thickness wait, see overlap.ts.
  if (max(startOf(v.x).w, max(startOf(v.y).w, startOf(v.z).w)) > 0.0) {
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
    step.thickness, step.friction, step.fractionStart, step.fractionEnd,
  );
}
