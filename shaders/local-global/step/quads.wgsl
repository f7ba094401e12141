#import "local-global/layout.wgsl"

// S by quads, that is four rows, see quad-tables.ts. A product runs in two passes: pieces, then their sums.

const NO_QUAD = 0xffffffffu;

struct SparseQuad {
  // its values at column j are quadValues[at + j], which may have gone round 2³²
  at: u32,
  // a multiple of four; there are none before
  firstColumn: u32,
  // the next quad whose columns include this one, NO_QUAD at a root
  next: u32,
}

@group(1) @binding(0) var<uniform> range: ValueRange;
// quad and where it begins
@group(0) @binding(0) var<storage, read> pieces: array<vec2u>;
@group(0) @binding(1) var<storage, read> quads: array<SparseQuad>;
@group(0) @binding(2) var<storage, read> quadValues: array<vec4f>;
// four a piece
@group(0) @binding(3) var<storage, read_write> pieceSums: array<vec4f>;
// where the pieces of each quad begin
@group(0) @binding(4) var<storage, read> pieceStarts: array<u32>;

// Sum of the pieces for an unknown.
fn sumOfPieces(i: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var k = pieceStarts[i >> 2u]; k < pieceStarts[(i >> 2u) + 1u]; k++) { sum += pieceSums[4u * k + (i & 3u)].xyz; }
  return sum;
}
