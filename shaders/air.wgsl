// Lift and drag of the air on a face, as an acceleration of its material [m/s²]: twin of `faceAirAcceleration` in src/solvers/air.ts,
// which tells the formula.

// Twice the area along the normal [m²], of whichever side; the air's velocity beside the face's [m/s], ρ [kg/m³], σ [kg/m²]; and
// the time that it lasts [s].
fn faceAirAcceleration(
  areaNormal: vec3f,
  wind: vec3f,
  airDensity: f32,
  drag: f32,
  lift: f32,
  arealMass: f32,
  interval: f32,
) -> vec3f {
  let doubleArea = length(areaNormal);
  let speed = length(wind);
  if (!(doubleArea > 0.0) || !(speed > 0.0)) {
    return vec3f(0.0);
  }
  // on the lee side
  var n = areaNormal / doubleArea;
  var normalSpeed = dot(n, wind);
  if (normalSpeed < 0.0) {
    normalSpeed = -normalSpeed;
    n = -n;
  }
  let rate = 0.5 * airDensity * normalSpeed / arealMass;
  let damped = rate / (1.0 + interval * rate * (drag + lift));
  return damped * ((drag - lift * normalSpeed / speed) * wind + lift * speed * n);
}
