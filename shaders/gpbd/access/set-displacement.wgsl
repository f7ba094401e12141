// The importing module declares the buffer displacement.
fn setDisplacement(p: u32, u: vec4f) {
  displacement[p] = u;
}
