#import "gpbd/read-particles.wgsl"
#import "gpbd/access/set-displacement.wgsl"
#import "gpbd/access/set-clearance.wgsl"

// Particles that touch obstacles, in buffers that the importing module declares: start, clearance, displacement, contact.

fn clearanceOf(p: u32) -> f32 {
  return clearance[p];
}

fn contactOf(p: u32) -> vec4f {
  return contact[p];
}

fn setContact(p: u32, c: vec4f) {
  contact[p] = c;
}
