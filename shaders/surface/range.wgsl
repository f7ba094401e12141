// Place of a body's particles in the common list.
struct SurfaceRange {
  first: u32,
  count: u32,
  // part of what happens to surfaces in a turn that is of substeps before its last, see phases.ts
  before: f32,
}
