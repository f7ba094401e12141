// Parameters of a substep; the host writes one slot for every substep of a frame.
struct StepParameters {
  // times the body's gravity factor [m/s²]
  gravity: vec3f,
  // time step Δt [s]
  h: f32,
  // wind velocity [m/s]
  wind: vec3f,
  // [kg/m³]; 0 without air
  airDensity: f32,
  drag: f32,
  lift: f32,
  // mass over area of the faces [kg/m²]
  arealMass: f32,
  // time for which an evaluation of the air stands [s]
  airInterval: f32,
  // part of a correction that becomes velocity, see `FrameInput.pace`
  pace: f32,
  // 1 / (1 + Δt damping)
  decay: f32,
  // how far a pinned particle goes towards its target: 1 / substeps left
  pinShare: f32,
  // the same for a pin that may give
  gripShare: f32,
  // distance kept from obstacles [m]
  thickness: f32,
  friction: f32,
  // over-relaxation ω
  relaxation: f32,
  // part of the dᵢ of the last substep that solids begin with, see warm-start.ts
  warmStart: f32,
  // where the substep begins and ends in the frame
  fractionStart: f32,
  fractionEnd: f32,
  // no obstacle's surface moves further in this substep [m]
  obstacleMotion: f32,
  particleCount: u32,
  faceCount: u32,
  colliderCount: u32,
  frame: u32,
  // that obstacles may have by themselves [m/s], see guard.wgsl
  ledSpeed: f32,
  // the same of all obstacles
  pushSpeed: f32,
  // part of the way that an element comes back that was flat or inside out before, see recovery.ts: while the body's energy is not
  // known, and when it is
  recovery: f32,
  guardedRecovery: f32,
}

// A stretch of elements (those of one colour, or all), and what to do with the tracked displacements dᵢ: without a warm start
// they are zero before the first iteration, and of no more use after the last.
struct ElementRange {
  first: u32,
  count: u32,
  // 0 not at all, 1 as they are, 2 times step.warmStart
  loadTracked: u32,
  storeTracked: u32,
  // soft terms are solved every so many substeps, with as many times the impulse
  interval: f32,
  // of an accelerated iteration, see acceleration.ts: of what the sweep finds, and of what the last one added
  share: f32,
  momentum: f32,
}
