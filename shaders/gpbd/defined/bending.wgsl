#import "gpbd/cloth/hinge-entries.wgsl"
#import "gpbd/cloth/dihedral-solve.wgsl"
#import "gpbd/defined/scalar-density.wgsl"
