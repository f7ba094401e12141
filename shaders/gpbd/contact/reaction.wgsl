#import "gpbd/contact/reaction-sums.wgsl"

// Hands the displacements by proxies back to them as impulses, and lets them yield: twin of returnReactions in
// src/collision/obstacles/contact-reaction.ts and yieldProxies in proxy-motion.ts. Comes after finish.wgsl: `start` is where the particles
// are now.

@compute @workgroup_size(64)
fn returnReactions(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  gatherReactions(group.x, lane, false);
  if (lane == 0u) {
    proxyStates[group.x].contacts = contacts[0];
    yieldTo(group.x, step.pace * impulses[0], step.pace * angularImpulses[0], step.fractionEnd, step.h);
  }
}
