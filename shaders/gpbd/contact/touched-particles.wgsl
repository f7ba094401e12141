#import "gpbd/read-particles.wgsl"

// Particles that touch obstacles, in buffers that the importing module declares: start, clearance, displacement, contact.

fn clearanceOf(p: u32) -> f32 {
  return clearance[p];
}

fn setClearance(p: u32, value: f32) {
  clearance[p] = value;
}

fn setDisplacement(p: u32, u: vec4f) {
  displacement[p] = u;
}

fn contactOf(p: u32) -> vec4f {
  return contact[p];
}

fn setContact(p: u32, c: vec4f) {
  contact[p] = c;
}
