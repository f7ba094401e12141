#import "gpbd/step.wgsl"
#import "gpbd/cloth/corners.wgsl"
#import "gpbd/contact/work-list.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/contact/read-clearance.wgsl"
#import "gpbd/stages/face-contact.wgsl"
#import "gpbd/stages/near.wgsl"

// Contact of the edges and insides of the faces that near-obstacles.wgsl listed, or of all; the particles gather what it finds.

// w: how much less distance than its thickness a particle keeps, see overlap.ts
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
// see near-obstacles.wgsl
@group(0) @binding(2) var<storage, read> clearance: array<f32>;
#import "gpbd/contact/face-pushes.wgsl"
#import "gpbd/contact/particle-surface.wgsl"

fn resolve(face: u32) {
  let push = sharedPushes(face);
  setFacePush(3u * face, push.a);
  setFacePush(3u * face + 1u, push.b);
  setFacePush(3u * face + 2u, push.c);
}

@compute @workgroup_size(64)
fn faceContacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < atomicLoad(&workList.count)) { resolve(workList.items[id.x]); }
}

// In one dispatch, in place of three.
@compute @workgroup_size(64)
fn nearFaceContacts(@builtin(global_invocation_id) id: vec3u) {
  let face = id.x;
  if (face >= step.faceCount) { return; }
  if (faceIsNear(face)) {
    resolve(face);
    return;
  }
  clearFacePushes(face);
}
