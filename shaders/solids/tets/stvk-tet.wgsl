#import "solids/solid.wgsl"
#import "solids/densities/stvk-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
