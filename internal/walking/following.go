package walking

import "math"

// usualSpeed is the free speed at which the time gap is TimeGap, in m/s: Weidmann's mean of
// pedestrians. Slower ones keep a longer one.
const usualSpeed = 1.34

// gap returns how far one may walk before it touches another, that is so far along its way
// and beside it; those to the side count little.
func gap(along, beside, reach float64) float64 {
	if !(beside < reach) {
		return math.Inf(1)
	}
	y := beside / reach
	little := 1 - float64(y*y)
	return (along - float64(reach*math.Sqrt(little))) / float64(little*math.Sqrt(little))
}

// ownTimeGap returns the time gap of an agent of a free speed.
func ownTimeGap(timeGap, free float64) float64 {
	return float64(timeGap * math.Sqrt(usualSpeed/free))
}

// covering returns the speed at which one covers a gap in a time, at most a free speed.
func covering(gap, time, free float64) float64 {
	if speed := max(gap, 0) / time; speed < free {
		return speed
	}
	return free
}
