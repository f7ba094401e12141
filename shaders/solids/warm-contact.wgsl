#import "gpbd/contact/contact.wgsl"
#import "solids/elastic.wgsl"

// Contact of all particles next to a sweep over solids with a warm start: it takes along what stands between the two.

// Whether the sweep comes before the contact.
override isSwept: bool = false;

@compute @workgroup_size(64)
fn warmContacts(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  if (isSwept) {
    exchangeElastic(p);
  }
  resolveNear(p);
  if (!isSwept) {
    exchangeElastic(p);
  }
}
