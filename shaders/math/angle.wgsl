// atan2 that is exact near flat: drivers may take atan2 of a negative zero for half a turn.
fn angleOf(sine: f32, cosine: f32) -> f32 {
  if (abs(sine) < 0.01 * cosine) {
    let t = sine / cosine;
    return t * (1.0 - t * t / 3.0);
  }
  return atan2(sine, cosine);
}
