// The importing module declares the buffer clearance.
fn setClearance(p: u32, value: f32) {
  clearance[p] = value;
}
