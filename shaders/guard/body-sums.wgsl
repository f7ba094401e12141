// The part of a body in an account of energy in a substep.
struct BodySums {
  // ½ Σ m |ṽ|², Σ m ṽ·Δv, ½ Σ m |Δv|² [J]
  kinetic: vec3f,
  // work of gravity, air and obstacles [J]
  supply: f32,
  // impulse of gravity [N s]
  weight: f32,
  // what it may have beyond what is given [J]
  leeway: f32,
  // of a partner: work that contact with surfaces did on it [J]
  work: f32,
  // where pins lead: Σ m u·o, work of what they have no part in [J]
  outer: f32,
  // Σ m u·u, Σ m u·ṽ, Σ m u·(v − ṽ) [J]
  led: vec3f,
}

// Particles of an invocation, where a body has many.
const GUARD_CHUNK = 16u;

// Energy of a body at the end of a frame, and of all bodies together of which it is known.
struct Owned {
  kinetic: f32,
  // NO_BUDGET where it is not known
  elastic: f32,
  // bodies of which it is not known
  unknown: f32,
}
