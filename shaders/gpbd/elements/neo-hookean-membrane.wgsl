#import "gpbd/elements/membrane-entries.wgsl"
#import "gpbd/cloth/neo-hookean-density.wgsl"
