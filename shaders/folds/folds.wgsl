#import "folds/plasticity.wgsl"

// Plastic flow of the bending of cloth: twin of src/solvers/gpbd/plasticity/folds.ts.

// As `BendingCorner`: 12 an element, then three whose weights are the curvature at rest, in axes of the triangle.
struct FoldedCorner {
  weights: vec3f,
  vertex: u32,
}

@group(0) @binding(1) var<storage, read_write> elements: array<FoldedCorner>;

const arity = 12u;
const records = 15u;
const noVertex = 0xffffffffu;

// Curvature as three vectors in axes of the triangle: permanent [1/m], or at rest before any flow [√(N m)].
fn matrixOf(rows: PlasticRows) -> mat3x3f {
  return mat3x3f(rows.a, rows.b, rows.c);
}

fn squares(m: mat3x3f) -> f32 {
  return dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]);
}

fn takePermanent(e: u32, rows: PlasticRows) {
  let rest = rests[e];
  let at = matrixOf(rest) + rest.unit * matrixOf(rows);
  for (var i = 0u; i < 3u; i++) { elements[records * e + arity + i].weights = at[i]; }
}

// Brings elements that were written anew to what they have flowed to.
@compute @workgroup_size(64)
fn restore(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < plasticity.elementCount) { takePermanent(id.x, permanent[id.x]); }
}

@compute @workgroup_size(64)
fn flow(@builtin(global_invocation_id) id: vec3u) {
  let e = id.x;
  if (e >= plasticity.elementCount) { return; }
  let first = records * e;
  let origin = start[elements[first].vertex].xyz;
  let p = start[elements[first + 1u].vertex].xyz - origin;
  let q = start[elements[first + 2u].vertex].xyz - origin;
  let normal = cross(p, q);
  let doubleArea = length(normal);
  let length2 = dot(p, p);
  if (!(doubleArea > 0.0 && length2 > 0.0)) { return; }
  let side = p / sqrt(length2);
  let n = normal / doubleArea;
  let axes = mat3x3f(side, cross(n, side), n);
  var s = mat3x3f();
  for (var a = 1u; a < arity; a++) {
    let corner = elements[first + a];
    if (corner.vertex == noVertex) { break; }
    let x = start[corner.vertex].xyz - origin;
    s += mat3x3f(corner.weights.x * x, corner.weights.y * x, corner.weights.z * x);
  }
  let known = permanent[e];
  let before = matrixOf(known);
  let rest = rests[e];
  let elastic = transpose(axes) * s - (matrixOf(rest) + rest.unit * before);
  let curvature = sqrt(squares(elastic)) / rest.unit;
  if (!(curvature > plasticity.yieldAt)) { return; }
  let left = plasticity.yieldAt + (curvature - plasticity.yieldAt) * plasticity.kept;
  let bent = ((1.0 - left / curvature) / rest.unit) * elastic;
  var share = 1.0;
  for (var halving = 0u; halving < halvings; halving++) {
    let after = before + share * bent;
    if (squares(after) <= plasticity.most * plasticity.most || squares(after) <= squares(before)) {
      permanent[e] = PlasticRows(after[0], after[1], after[2], known.unit);
      takePermanent(e, permanent[e]);
      return;
    }
    share *= 0.5;
  }
}
