#import "gpbd/step.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "gpbd/cloth/corners.wgsl"
#import "gpbd/stages/air.wgsl"
#import "gpbd/access/start-of.wgsl"
#import "gpbd/access/velocity-of.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
// acceleration of each face's material [m/s²]
@group(0) @binding(8) var<storage, read_write> faceAir: array<vec4f>;

// the same for each particle [m/s²]
@group(0) @binding(3) var<storage, read_write> particleAir: array<vec4f>;

fn faceAirOf(face: u32) -> vec3f {
  return faceAir[face].xyz;
}

@compute @workgroup_size(64)
fn airOnFaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.faceCount) { faceAir[id.x] = vec4f(airOnFace(id.x), 0.0); }
}

@compute @workgroup_size(64)
fn airOnParticles(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) { particleAir[id.x] = vec4f(airOnParticle(id.x), 0.0); }
}
