#import "gpbd/step-parameters.wgsl"
#import "collision/contact/particle-contact.wgsl"
#import "gpbd/stages/overlap.wgsl"

// Contact and friction of a particle. The importing module supplies startOf, whose w is how much less distance than the thickness the
// particle keeps (see overlap.ts), particleFriction, particleThickness, setClearance, displacementOf, setDisplacement, contactOf, setContact.
fn touchParticle(p: u32, anchor: vec4f) -> ParticleContact {
  let before = displacementOf(p);
  let origin = startOf(p);
  let result = resolveParticleContact(
    step.colliderCount, origin.xyz, before.xyz, contactOf(p), particleThickness(p) - origin.w, particleFriction(p), step.fractionStart,
    step.fractionEnd, before.w, anchor,
  );
  setDisplacement(p, vec4f(result.displacement, before.w));
  setContact(p, result.contact);
  setClearance(p, select(result.clearance, PUSHED_HARD, isPushedHard(origin.w, result.contact.w)));
  return result;
}
