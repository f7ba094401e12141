// The importing module declares the buffer velocity.
fn velocityOf(p: u32) -> vec4f {
  return velocity[p];
}
