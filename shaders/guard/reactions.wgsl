#import "gpbd/contact/reaction.wgsl"
#import "guard/guard-state.wgsl"

// of each proxy
@group(0) @binding(15) var<storage, read_write> pushes: array<ProxyPush>;

// Of a body with a guard, which says what part of it the proxies get, and then clears it. Before finish.wgsl.
@compute @workgroup_size(64)
fn sumReactions(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  gatherReactions(group.x, lane, true);
  if (lane == 0u) {
    proxyStates[group.x].contacts = contacts[0];
    pushes[group.x].impulse += impulses[0];
    pushes[group.x].angularImpulse += angularImpulses[0];
  }
}
