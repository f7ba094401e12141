#import "gpbd/step.wgsl"
#import "gpbd/cloth/corners.wgsl"
#import "gpbd/contact/work-list.wgsl"
#import "gpbd/stages/face-contact.wgsl"

// Contact of the edges and insides of the faces that near-obstacles.wgsl listed; the particles gather what it finds.

// w: how much less distance than its thickness a particle keeps, see overlap.ts
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
// displacement of each face's corners [m]; w: the proxy that is met, 0 for none
@group(0) @binding(8) var<storage, read_write> faceContact: array<vec4f>;

fn startOf(p: u32) -> vec4f {
  return start[p];
}

fn displacementOf(p: u32) -> vec4f {
  return displacement[p];
}

@compute @workgroup_size(64)
fn faceContacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= atomicLoad(&workList.count)) {
    return;
  }
  let face = workList.items[id.x];
  let result = faceContactOf(face);
  let proxy = f32(result.proxy);
  faceContact[3u * face] = vec4f(result.push.a, proxy);
  faceContact[3u * face + 1u] = vec4f(result.push.b, proxy);
  faceContact[3u * face + 2u] = vec4f(result.push.c, proxy);
}
