#import "collision/proxies.wgsl"

// A frame begins: what the host has taken over is no more to be yielded.

@group(0) @binding(0) var<storage, read> proxies: array<RigidProxy>;
@group(0) @binding(1) var<storage, read_write> proxyStates: array<ProxyState>;

@compute @workgroup_size(64)
fn takeOver(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&proxyStates)) { return; }
  let proxy = proxies[i];
  var state = proxyStates[i];
  if (proxy.wrenchWasSent != 0u) {
    state.impulse = vec3f(0.0);
    state.angularImpulse = vec3f(0.0);
  }
  state.velocity -= proxy.takenVelocity;
  state.spin -= proxy.takenSpin;
  state.offset -= proxy.takenOffset;
  state.turn -= proxy.takenTurn;
  state.baseOffset = state.offset;
  state.baseTurn = state.turn;
  proxyStates[i] = state;
}
