package frame

import "github.com/8f878440/crowd/internal/hash"

// HashFloat returns a random number in [0, 1) that is a hash of its arguments: the
// seed of the crowd, the id of the agent, a count such as a tick or a visit,
// and the use the number is put to, so that two uses do not draw the same. It
// does not depend on what was drawn before, by whom, or in which order.
func HashFloat(seed, agent, count, use uint64) float64 {
	h := hash.Mix(hash.Mix(hash.Mix(hash.Mix(seed)^agent)^count) ^ use)
	return float64(h>>11) * 0x1p-53
}
