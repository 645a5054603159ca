// Package kernel implements the most expensive rules in vector assembly for amd64 with AVX2 or AVX-512.
// Except for the bits of a NaN, results are those of the Go code.
//
//	kernel       Go code, which documents it             file
//	Seek         systems.Seek                            steer
//	Arrive       systems.Arrival                         steer
//	Flee         systems.Flee                            steer
//	Integrate    systems.Integration                     integrate
//	Flock, Apart flock and apart of internal/space       flock
//	Separate     systems.Separation                      flock
//	Align        systems.Alignment                       flock
//	Cohere       systems.Cohesion                        flock
//	Near         orca.Solver.near                        orca
//	HalfPlanes   orca.Solver.halfPlane                   orca
//	Hindering    orca.Solver.HalfPlanes                  orca
//	Worst        orca.worstOf                            orca
//	Aim          systems.ThreatScan                      sweep
//	Sift         space.Sweeps                            sweep
//	Threatened   threatened of systems                   threat
//	Touch        sweepCircle of internal/space           threat
//	Meet         Index.hit of internal/space, circles    threat
//	Avoid        systems.Avoidance                       threat
//	Stay         systems.Arrivals                        within
//	Within       systems.Bounds                          within
//
// A kernel processes as many rows as it can, from the first on, and returns their number. It stops
// before a group of up to Lanes rows if one of them needs more than arithmetic, for example if the
// square of a length overflows. The Go code processes that group and the last few rows, or all rows if
// there are no kernels:
//
//	for i := 0; i < len(pos); {
//		i += kernel.Seek(pos[i:], …)
//		for end := kernel.Until(i, len(pos)); i < end; i++ {
//			… // the Go code
//		}
//	}
//
// Stay and Within write nothing: they stop at the first group in which the rule may have to write a row.
// Flock, Apart, Near, Hindering and Worst process all rows or none. Flock and Apart sum over neighbors in
// Lanes partial sums for every vector width, so that the Go code can do the same.
//
// Kernels use addition, subtraction, multiplication, division and square root, each rounded as in Go,
// and never a fused multiply-add.
//
// The environment variable CROWD_SIMD limits the vector width: off, avx2 or avx512. The noasm build tag,
// which gonum also uses, omits all kernels. The module in asm generates the assembly.
package kernel

//go:generate go -C asm run . -kernels steer -out ../steer_amd64.s
//go:generate go -C asm run . -kernels integrate -out ../integrate_amd64.s
//go:generate go -C asm run . -kernels flock -out ../flock_amd64.s
//go:generate go -C asm run . -kernels orca -out ../orca_amd64.s
//go:generate go -C asm run . -kernels sweep -out ../sweep_amd64.s
//go:generate go -C asm run . -kernels threat -out ../threat_amd64.s
//go:generate go -C asm run . -kernels fetch -out ../fetch_amd64.s
//go:generate go -C asm run . -kernels within -out ../within_amd64.s
