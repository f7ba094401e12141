// Lift and drag of the air on a face and an edge, as an acceleration of their material [m/s²]: twins of the functions in
// src/solvers/face-air.ts and gpbd/rods/cpu-rod-air.ts, which tell the formulas.

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
  if (!(doubleArea > 0.0) || !(speed > 0.0)) { return vec3f(0.0); }
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

// Drag on an edge of something round: twin of `edgeAirAcceleration`. The edge [m], the air's velocity beside the edge's, and as above.
fn edgeAirAcceleration(edge: vec3f, wind: vec3f, airDensity: f32, drag: f32, arealMass: f32, interval: f32) -> vec3f {
  let squared = dot(edge, edge);
  let across = wind - select(0.0, dot(wind, edge) / squared, squared > 0.0) * edge;
  let rate = 0.5 * airDensity * drag * length(across) / arealMass;
  return rate / (1.0 + interval * rate) * across;
}
