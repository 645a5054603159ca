package kernel

// Bounds are parameters of HalfPlanes, of one agent: its way, x and y; one over the horizon,
// the step, and the time to get to a distance, in 1/s; the factor of reach of one who is
// behind; and the share that those have who may give way, or NaN.
type Bounds [7]float64
