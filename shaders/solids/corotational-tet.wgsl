#import "solids/solid.wgsl"
#import "solids/corotational-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
