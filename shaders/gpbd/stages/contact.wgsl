#import "gpbd/step-parameters.wgsl"
#import "collision/contact/particle-contact.wgsl"

// Contact and friction of a particle. The importing module supplies `start`, `clearance`, displacementOf, setDisplacement, contactOf,
// setContact. Returns what proxies did to it.
fn touchParticle(p: u32) -> vec4f {
  let before = displacementOf(p);
  let result = resolveParticleContact(
    step.colliderCount, start[p].xyz, before.xyz, contactOf(p), step.thickness, step.friction, step.fractionStart,
    step.fractionEnd, before.w,
  );
  setDisplacement(p, vec4f(result.displacement, before.w));
  setContact(p, result.contact);
  clearance[p] = result.clearance;
  return result.reaction;
}
