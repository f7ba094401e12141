// Place of a body's particles in the common list.
struct SurfaceRange {
  first: u32,
  count: u32,
}
