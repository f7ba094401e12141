#import "gpbd/finish.wgsl"
#import "held/table.wgsl"

// In place of finish.wgsl, while obstacles may let go of particles.
@compute @workgroup_size(64)
fn finishBesidePins(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) { return; }
  finishParticle(p);
  let turn = parameters.turn;
  if (nearestPin(p) == NOBODY || atomicLoad(&table.found[turn % 2u]) != turn) { return; }
  let lead = displacement[particleOf(nearestPin(p))].xyz / step.h;
  velocity[p] = vec4f(besidePin(p, velocity[p].xyz, lead), 0.0);
}
