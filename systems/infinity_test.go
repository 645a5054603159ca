package systems

import "math"

var inf = math.Inf(1)
