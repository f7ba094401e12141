// Where a body's particles are in the common list.
struct SurfaceRange {
  first: u32,
  count: u32,
}
