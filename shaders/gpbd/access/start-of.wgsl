// The importing module declares the buffer start.
fn startOf(p: u32) -> vec4f {
  return start[p];
}
