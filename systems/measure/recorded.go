package measure

// What recorded people do, in words, to be put beside figures of TripCount: Wiggle,
// Reversals in 1/s and Acceleration in m/s². They are measured in the same way, in
// recordings of bottlenecks and corridors. Source: Forschungszentrum Jülich.
const (
	RecordedWiggle       = "1.005 freely, 1.02–1.05 in a jam"
	RecordedReversals    = "0.03–0.23 in a jam"
	RecordedAcceleration = "about 0.6"
)
