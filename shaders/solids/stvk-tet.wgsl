#import "solids/solid.wgsl"
#import "solids/stvk-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
