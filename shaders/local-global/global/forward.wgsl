#import "local-global/step/quads.wgsl"

// result = S b for three right-hand sides at once (8), both by columns. A row gathers from its descendants, which are the
// stretch of columns before it.

@group(0) @binding(5) var<storage, read> rhs: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> result: array<vec4f>;

// `FORWARD_COLUMNS` in quad-tables.ts says the same.
const FORWARD_COLUMNS = 64u;

// An invocation has a quad of rows and a stretch of columns.
@compute @workgroup_size(64)
fn forwardPieces(@builtin(global_invocation_id) id: vec3u) {
  let k = range.firstPiece + id.x;
  if (k >= range.endPiece) { return; }
  let quad = pieces[k].x;
  let begin = pieces[k].y;
  let end = min(begin + FORWARD_COLUMNS, 4u * quad + 4u);
  let at = quads[quad].at;
  // a component a row
  var x = vec4f(0.0);
  var y = vec4f(0.0);
  var z = vec4f(0.0);
  for (var j = begin; j < end; j += 4u) {
    let s0 = quadValues[at + j];
    let s1 = quadValues[at + j + 1u];
    let s2 = quadValues[at + j + 2u];
    let s3 = quadValues[at + j + 3u];
    let b0 = rhs[j].xyz;
    let b1 = rhs[j + 1u].xyz;
    let b2 = rhs[j + 2u].xyz;
    let b3 = rhs[j + 3u].xyz;
    x += b0.x * s0 + b1.x * s1 + b2.x * s2 + b3.x * s3;
    y += b0.y * s0 + b1.y * s1 + b2.y * s2 + b3.y * s3;
    z += b0.z * s0 + b1.z * s1 + b2.z * s2 + b3.z * s3;
  }
  pieceSums[4u * k] = vec4f(x.x, y.x, z.x, 0.0);
  pieceSums[4u * k + 1u] = vec4f(x.y, y.y, z.y, 0.0);
  pieceSums[4u * k + 2u] = vec4f(x.z, y.z, z.z, 0.0);
  pieceSums[4u * k + 3u] = vec4f(x.w, y.w, z.w, 0.0);
}

@compute @workgroup_size(64)
fn forwardSums(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.columnCount) { result[id.x] = vec4f(sumOfPieces(id.x), 0.0); }
}
