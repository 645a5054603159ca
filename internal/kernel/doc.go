// Package kernel has the hot rules as vector assembly for amd64, with AVX2 and
// AVX-512, that gives the same bits as the Go text.
//
//	kernel       the Go text, which says what it does    file
//	Seek         systems.Seek                            steer
//	Arrive       systems.Arrival                         steer
//	Flee         systems.Flee                            steer
//	Integrate    systems.Integration                     integrate
//	Flock, Apart flock and apart of internal/space       flock
//	Separate     systems.Separation                      flock
//	Align        systems.Alignment                       flock
//	Cohere       systems.Cohesion                        flock
//	Near         orca.Solver.near                        orca
//	HalfPlanes   orca.Solver.halfPlanes                  orca
//	Aim          systems.ThreatScan                      sweep
//	Sift         space.Sweeps                            sweep
//	Threatened   threatened of systems                   threat
//	Touch        sweepCircle of internal/space           threat
//	Meet         Index.hit of internal/space, circles    threat
//	Avoid        systems.Avoidance                       threat
//	Stay         systems.Arrivals                        within
//	Within       systems.Bounds                          within
//
// A kernel does rows from the first on, as many as it can, and returns how many it did; the
// rule does the others by its Go text. So it does all of them where there are no kernels,
// the last few, and those with an odd value: a kernel stops, with nothing of them written,
// at Lanes rows among which one needs more than arithmetic, such as a length whose square
// leaves the range of numbers. The rest of the code does not know which ran.
//
//	for i := 0; i < len(pos); {
//		i += kernel.Seek(pos[i:], …)
//		for end := kernel.Until(i, len(pos)); i < end; i++ {
//			… // the Go text
//		}
//	}
//
// Stay and Within write nothing: they stop at the first rows of which the rule may have to
// write one. Fetch and FetchRows compute nothing: they ask for memory that will soon be needed. Near does all or
// nothing, and HalfPlanes agents, each with all its pairs. Flock and Apart sum over neighbors
// instead, in Lanes lanes whatever the width of vectors, so that the Go text can do the same,
// and say whether they did.
//
// Kernels use addition, subtraction, multiplication, division and square root, each rounded
// as Go rounds it, and never a fused multiply-add. A NaN may be another NaN.
//
// Which kernels run is chosen at the start by what the processor has. The environment
// variable CROWD_SIMD sets the most that is used: off, avx2 or avx512. The build tag noasm,
// which gonum has too, leaves all of them out. On other architectures there are none.
//
// The module in asm writes the assembly, by avo: GOWORK=off go generate ./internal/kernel.
package kernel

//go:generate go -C asm run . -kernels steer -out ../steer_amd64.s
//go:generate go -C asm run . -kernels integrate -out ../integrate_amd64.s
//go:generate go -C asm run . -kernels flock -out ../flock_amd64.s
//go:generate go -C asm run . -kernels orca -out ../orca_amd64.s
//go:generate go -C asm run . -kernels sweep -out ../sweep_amd64.s
//go:generate go -C asm run . -kernels threat -out ../threat_amd64.s
//go:generate go -C asm run . -kernels fetch -out ../fetch_amd64.s
//go:generate go -C asm run . -kernels within -out ../within_amd64.s
