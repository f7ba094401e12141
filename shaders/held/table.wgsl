// Pins nearest to particles, for obstacles that let go of these.

struct LetGoParameters {
  particleCount: u32,
  colliderCount: u32,
  // pins, and pairs of one and a neighbor of it
  pinCount: u32,
  edgeCount: u32,
  // obstacles that do not yield and may be within the body
  nearCount: u32,
  // number of frames with such
  turn: u32,
  // distance kept from obstacles [m]
  thickness: f32,
  // |g| [m/s²]
  gravity: f32,
}

struct LetGoTable {
  // last even and odd turns in which obstacles were between corners of a face, or let go of a particle
  found: array<atomic<u32>, 2>,
  // nearest pin of each particle, NOBODY without one; the way to it [m]; pairs; of each pin the particle and its place at the end of the
  // frame; obstacles. Places and ways are bits of f32.
  items: array<u32>,
}

@group(0) @binding(8) var<storage, read_write> table: LetGoTable;
@group(0) @binding(9) var<uniform> parameters: LetGoParameters;

const NOBODY = 0xffffffffu;

fn nearestPin(p: u32) -> u32 {
  return table.items[p];
}

// Place of a pin in the table.
fn pinAt(pin: u32) -> u32 {
  return 2u * (parameters.particleCount + parameters.edgeCount) + 4u * pin;
}

fn particleOf(pin: u32) -> u32 {
  return table.items[pinAt(pin)];
}

fn reachOfPin(p: u32) -> f32 {
  return bitcast<f32>(table.items[parameters.particleCount + p]);
}

// Velocity of a particle: nothing is faster beside its pin than by a fall from there to its other side. lead: velocity of the pin
fn besidePin(p: u32, v: vec3f, lead: vec3f) -> vec3f {
  let most = sqrt(4.0 * parameters.gravity * reachOfPin(p));
  let own = v - lead;
  let speed = length(own);
  return select(v, lead + own * (most / speed), speed > most);
}
