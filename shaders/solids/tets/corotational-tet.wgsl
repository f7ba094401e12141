#import "solids/solid.wgsl"
#import "solids/densities/corotational-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
