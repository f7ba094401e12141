#import "local-global/step/quads.wgsl"

// x = Sᵀ y for three right-hand sides at once (8): y by columns, x by vertices. A column gathers from its ancestors.

@group(0) @binding(5) var<storage, read> y: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> result: array<vec4f>;
@group(0) @binding(7) var<storage, read> columns: array<SparseColumn>;

// `BACKWARD_QUADS` in quad-tables.ts says the same.
const BACKWARD_QUADS = 16u;

// An invocation has a quad of columns, and so many quads of rows on the way from there to the root.
@compute @workgroup_size(64)
fn backwardPieces(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= range.backwardPieces) { return; }
  let column = 4u * pieces[k].x;
  var q = pieces[k].y;
  let end = range.endRow / 4u;
  if (q < range.firstRow / 4u || q >= end) { return; }
  var x0 = vec3f(0.0);
  var x1 = vec3f(0.0);
  var x2 = vec3f(0.0);
  var x3 = vec3f(0.0);
  for (var n = 0u; n < BACKWARD_QUADS && q < end; n++) {
    let quad = quads[q];
    if (quad.firstColumn <= column) {
      let s0 = quadValues[quad.at + column];
      let s1 = quadValues[quad.at + column + 1u];
      let s2 = quadValues[quad.at + column + 2u];
      let s3 = quadValues[quad.at + column + 3u];
      let y0 = y[4u * q].xyz;
      let y1 = y[4u * q + 1u].xyz;
      let y2 = y[4u * q + 2u].xyz;
      let y3 = y[4u * q + 3u].xyz;
      x0 += s0.x * y0 + s0.y * y1 + s0.z * y2 + s0.w * y3;
      x1 += s1.x * y0 + s1.y * y1 + s1.z * y2 + s1.w * y3;
      x2 += s2.x * y0 + s2.y * y1 + s2.z * y2 + s2.w * y3;
      x3 += s3.x * y0 + s3.y * y1 + s3.z * y2 + s3.w * y3;
    }
    q = quad.next;
  }
  pieceSums[4u * k] = vec4f(x0, 0.0);
  pieceSums[4u * k + 1u] = vec4f(x1, 0.0);
  pieceSums[4u * k + 2u] = vec4f(x2, 0.0);
  pieceSums[4u * k + 3u] = vec4f(x3, 0.0);
}

@compute @workgroup_size(64)
fn backwardWrite(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.columnCount) { result[columns[id.x].vertex] = vec4f(sumOfPieces(id.x), 0.0); }
}

@compute @workgroup_size(64)
fn backwardAdd(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.columnCount) { result[columns[id.x].vertex] += vec4f(sumOfPieces(id.x), 0.0); }
}
