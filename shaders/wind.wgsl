// Wind that differs from place to place: twin of `WindField.at` in src/solvers/wind/wind-field.ts, which tells the formulas.

// One wave of the turbulence.
struct WindMode {
  // cycles per meter
  wave: vec3f,
  // [cycles], from 0 to 1
  phase: f32,
  // across the wave [m/s]
  amplitude: vec3f,
}

struct WindZone {
  center: vec3f,
  // 0 sphere, 1 box, 2 cylinder along the second axis
  shape: u32,
  // rows of the matrix that takes the zone to the unit ball, cube or cylinder [1/m]
  row0: vec3f,
  // 0 along its direction, 1 away from the center, 2 around its direction
  kind: u32,
  row1: vec3f,
  // part of the zone, from the border inward, in which the wind rises to its strength
  falloff: f32,
  row2: vec3f,
  // longest half extent [m]
  reach: f32,
  // unit vector
  direction: vec3f,
  // [m/s]
  speed: f32,
}

struct WindShelter {
  center: vec3f,
  // part of the wind that is missing close behind it
  strength: f32,
  // rows of the matrix that takes it to the unit ball [1/m]
  row0: vec3f,
  // radii by which the wake widens on a way of a meter
  spread: f32,
  row1: vec3f,
  row2: vec3f,
}

struct WindField {
  modes: array<WindMode, 12>,
  zones: array<WindZone, 16>,
  shelters: array<WindShelter, 16>,
  modeCount: u32,
  zoneCount: u32,
  shelterCount: u32,
}

@group(0) @binding(20) var<uniform> windField: WindField;

// A parabola in each half of a cycle, in the place of a sine.
fn windWave(cycles: f32) -> f32 {
  let s = 2.0 * fract(cycles) - 1.0;
  return 4.0 * s * (1.0 - abs(s));
}

fn inZone(zone: WindZone, offset: vec3f) -> f32 {
  let local = vec3f(dot(zone.row0, offset), dot(zone.row1, offset), dot(zone.row2, offset));
  var rho = length(local);
  if (zone.shape == 1u) {
    rho = max(max(abs(local.x), abs(local.y)), abs(local.z));
  } else if (zone.shape == 2u) {
    rho = max(length(local.xz), abs(local.y));
  }
  let s = clamp((1.0 - rho) / zone.falloff, 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

// [m/s]
fn zoneWind(zone: WindZone, offset: vec3f) -> vec3f {
  if (zone.kind == 0u) { return zone.speed * zone.direction; }
  if (zone.kind == 1u) { return zone.speed / sqrt(dot(offset, offset) + 0.01 * zone.reach * zone.reach) * offset; }
  return zone.speed / zone.reach * cross(zone.direction, offset);
}

// Part of the wind that comes to a place behind a shelter.
fn behind(shelter: WindShelter, offset: vec3f, wind: vec3f) -> f32 {
  let local = vec3f(dot(shelter.row0, offset), dot(shelter.row1, offset), dot(shelter.row2, offset));
  let along = vec3f(dot(shelter.row0, wind), dot(shelter.row1, wind), dot(shelter.row2, wind));
  let speed = length(along);
  if (!(speed > 0.0)) { return 1.0; }
  let way = dot(local, along) / speed;
  let aside = length(local - way / speed * along);
  let radius = 1.0 + shelter.spread * max(dot(offset, wind) / length(wind), 0.0);
  let within = 1.0 - smoothstep(0.75, 1.25, aside / radius);
  return 1.0 - shelter.strength / (radius * radius) * within * smoothstep(-1.0, 0.5, way);
}

// Velocity of the air at a place, where the mean wind is this [m/s].
fn windAt(place: vec3f, mean: vec3f) -> vec3f {
  var wind = mean;
  for (var m = 0u; m < windField.modeCount; m++) {
    let mode = windField.modes[m];
    wind += windWave(dot(mode.wave, place) + mode.phase) * mode.amplitude;
  }
  var share = 1.0;
  for (var s = 0u; s < windField.shelterCount; s++) {
    share *= behind(windField.shelters[s], place - windField.shelters[s].center, mean);
  }
  wind *= share;
  for (var z = 0u; z < windField.zoneCount; z++) {
    let offset = place - windField.zones[z].center;
    wind += inZone(windField.zones[z], offset) * zoneWind(windField.zones[z], offset);
  }
  return wind;
}
