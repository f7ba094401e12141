#import "math/finite.wgsl"
#import "gpbd/step-parameters.wgsl"
#import "gpbd/stages/overlap.wgsl"

// v = (x − x⁻)/Δt: equation (2) of paper 1; for the pace see cpu/velocities.ts. A body with a displacement that is no longer finite is frozen where it was
// at the start of the substep, and the frame is noted. The importing module supplies startOf, setStart, velocityOf, setVelocity,
// clearanceOf, setClearance, proxiesYield, `frozenAt`, pinOf, pinLimitOf, displacementOf.

// The displacement, with the part that a pin which may give adds to it.
fn pulled(p: u32, u: vec4f) -> vec3f {
  let limit = pinLimitOf(p);
  if (limit == 0.0) { return u.xyz; }
  let way = step.gripShare * (pinOf(p).xyz - startOf(p).xyz) - u.xyz;
  let most = limit * step.h * step.h * u.w;
  return u.xyz + way * min(1.0, most / max(length(way), 1e-30));
}

// Whether a displacement counts: one that is not finite freezes the body.
fn isSound(p: u32, u: vec3f) -> bool {
  if (!isFinite3(u)) { atomicMin(&frozenAt, step.frame); }
  if (isFinite3(u) && atomicLoad(&frozenAt) == 0xffffffffu) { return true; }
  setVelocity(p, vec4f(0.0));
  return false;
}

fn goOn(p: u32, u: vec3f, v: vec3f) {
  setStart(p, vec4f(startOf(p).xyz + u, receded(startOf(p).w, clearanceOf(p))));
  setVelocity(p, vec4f(v, 0.0));
  setClearance(p, clearanceOf(p) - (length(u) + step.obstacleMotion + proxiesYield()));
}

fn velocityAfter(p: u32, u: vec3f) -> vec3f {
  let v = u / step.h;
  if (step.pace == 1.0 || pinOf(p).w <= 0.0) { return v; }
  return mix(step.decay * (velocityOf(p).xyz + step.h * step.gravity), v, step.pace);
}

fn finishParticle(p: u32) {
  let u = pulled(p, displacementOf(p));
  if (isSound(p, u)) { goOn(p, u, velocityAfter(p, u)); }
}
