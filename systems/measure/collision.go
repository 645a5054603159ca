package measure

// What counts as a collision, of agents with one another and with obstacles.
const (
	tolerance = 0.001 // m, the depth beyond which an overlap is a collision
	closeBy   = 0.2   // m, the clearance below which two are close
)
