#import "solids/solid.wgsl"
#import "solids/defined/principal-density.wgsl"
#import "solids/tet-entries.wgsl"
