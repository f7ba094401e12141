#import "gpbd/step.wgsl"
#import "collision/proxy-states.wgsl"

// Sums the displacements by proxies up, as impulses for these: twin of pushesOf in src/collision/obstacles/contact-reaction.ts. One workgroup
// for each proxy goes over all particles in a fixed order, so that runs are bit-identical.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
// xyz: displacement by a proxy in this substep [m]; w: 1 + its place in proxies, 0 for none; of what a proxy carries the displacement
// that it began with, and −1 − the place
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

const lanes = 64u;
var<workgroup> impulses: array<vec3f, lanes>;
var<workgroup> angularImpulses: array<vec3f, lanes>;
var<workgroup> contacts: array<f32, lanes>;

// Leaves in the first of `impulses`, `angularImpulses` and `contacts` what the proxy `k` gets; particles are at `start` and, where
// `isBefore`, have not gone their way yet.
fn gatherReactions(k: u32, lane: u32, isBefore: bool) {
  let owner = f32(k + 1u);
  var impulse = vec3f(0.0);
  var angularImpulse = vec3f(0.0);
  var count = 0.0;
  for (var p = lane; p < step.particleCount; p += lanes) {
    let given = reaction[p];
    if (abs(given.w) != owner) { continue; }
    reaction[p] = vec4f(0.0);
    let u = displacement[p];
    if (u.w == 0.0) { continue; }
    let isCarried = given.w < 0.0;
    let pull = u.xyz - given.xyz;
    let j = select(-given.xyz, pull, isCarried) / (step.h * u.w);
    count += select(1.0, 0.0, isCarried);
    impulse += j;
    // where the body had it
    let way = select(vec3f(0.0), u.xyz, isBefore) - select(vec3f(0.0), pull, isCarried);
    angularImpulse += cross(start[p].xyz + way, j);
  }
  contacts[lane] = count;
  impulses[lane] = impulse;
  angularImpulses[lane] = angularImpulse;
  sumUp(lane);
}

// Leaves in the first of `impulses`, `angularImpulses` and `contacts` the sums over all lanes.
fn sumUp(lane: u32) {
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      contacts[lane] += contacts[lane + half];
      impulses[lane] += impulses[lane + half];
      angularImpulses[lane] += angularImpulses[lane + half];
    }
  }
}
