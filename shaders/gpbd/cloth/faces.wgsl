// Faces at each particle: entries are 3 × face + corner, compressed rows.
@group(0) @binding(5) var<storage, read> faceOffsets: array<u32>;
@group(0) @binding(6) var<storage, read> faceEntries: array<u32>;

fn firstFace(p: u32) -> u32 {
  return faceOffsets[p];
}

fn faceEntry(i: u32) -> u32 {
  return faceEntries[i];
}
