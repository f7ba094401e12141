#import "collision/collider.wgsl"

@group(0) @binding(10) var<storage, read> colliders: array<ColliderPrimitive>;
// planes, grids and heights of the primitives, from dataOffset on
@group(0) @binding(11) var<storage, read> colliderData: array<f32>;
