// Plastic flow of the bending of cloth after a frame: twin of src/solvers/gpbd/plasticity/folds.ts.

// As `BendingCorner`: 12 an element, then three whose weights are the curvature at rest, in axes of the triangle.
struct FoldedCorner {
  weights: vec3f,
  vertex: u32,
}

// Curvature as three vectors in axes of the triangle: permanent [1/m], or at rest before any flow [√(N m)].
struct Fold {
  a: vec3f,
  b: vec3f,
  c: vec3f,
  // √(A B) [√(N m) m]
  unit: f32,
}

struct FoldParameters {
  // [1/m]
  yieldCurvature: f32,
  // part of the curvature beyond it that stays elastic in this frame
  kept: f32,
  most: f32,
  elementCount: u32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> elements: array<FoldedCorner>;
@group(0) @binding(2) var<storage, read_write> bends: array<Fold>;
@group(0) @binding(3) var<storage, read> rests: array<Fold>;
@group(0) @binding(4) var<storage, read> plasticity: FoldParameters;

const arity = 12u;
const records = 15u;
const noVertex = 0xffffffffu;
const halvings = 8u;

fn matrixOf(fold: Fold) -> mat3x3f {
  return mat3x3f(fold.a, fold.b, fold.c);
}

fn squares(m: mat3x3f) -> f32 {
  return dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]);
}

fn takeBend(e: u32, bend: mat3x3f) {
  let rest = rests[e];
  let at = matrixOf(rest) + rest.unit * bend;
  for (var i = 0u; i < 3u; i++) { elements[records * e + arity + i].weights = at[i]; }
}

// Brings elements that were written anew to the curvature that they have flowed to.
@compute @workgroup_size(64)
fn takeBends(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < plasticity.elementCount) { takeBend(id.x, matrixOf(bends[id.x])); }
}

@compute @workgroup_size(64)
fn fold(@builtin(global_invocation_id) id: vec3u) {
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
  let known = bends[e];
  let before = matrixOf(known);
  let rest = rests[e];
  let elastic = transpose(axes) * s - (matrixOf(rest) + rest.unit * before);
  let curvature = sqrt(squares(elastic)) / rest.unit;
  if (!(curvature > plasticity.yieldCurvature)) { return; }
  let left = plasticity.yieldCurvature + (curvature - plasticity.yieldCurvature) * plasticity.kept;
  let bent = ((1.0 - left / curvature) / rest.unit) * elastic;
  var share = 1.0;
  for (var halving = 0u; halving < halvings; halving++) {
    let after = before + share * bent;
    let permanent = squares(after);
    if (permanent <= plasticity.most * plasticity.most || permanent <= squares(before)) {
      bends[e] = Fold(after[0], after[1], after[2], known.unit);
      takeBend(e, after);
      return;
    }
    share *= 0.5;
  }
}
