#import "gpbd/cloth/membrane-entries.wgsl"
#import "gpbd/cloth/neo-hookean-density.wgsl"
