#import "solids/densities/neo-hookean-solid.wgsl"
#import "solids/tet-entries.wgsl"

override isLogarithmic: bool = false;
