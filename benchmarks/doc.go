// Package benchmarks measures crowds: workloads of known size, done by our
// systems and by the loops that one would write instead.
//
//	go test -bench . ./benchmarks
//	go test -bench 'W2/by=(crowd|plain)/agents=100000$' -count 10 ./benchmarks | benchstat -col /by -
//
// The workloads: agents uniformly random in a square of 1000 m, static targets,
// top speed 10 m/s, force limit 5 N, mass 1 kg, gain 2, slowing radius 50 m, dt
// 1/60 s. All start at top speed in a random direction. Every step steers,
// applies force and speed limits, and moves.
//
//	W1       seek
//	W2       arrival
//	W3       W2 and obstacle avoidance among M circles of radius 3 to 7 m, with a
//	         look-ahead of 20 m
//	W4       a flock: separation, alignment and cohesion within 4 m, 0.3 agents a
//	         square meter in a square that wraps, 15 neighbors on average
//	W5       ORCA, and arrival at targets: 0.15 agents a square meter of radius 0.3 m,
//	         top speed 1.3 m/s, that look 4 m far and so have 7.5 neighbors (10 at
//	         most), horizon 2 s, slowing radius 1 m, dt 0.1 s; no obstacles; in W5/people
//	         they walk as people do, too; in W5/published they go by the rule of the
//	         paper alone
//	plaza    the whole step of the built-in scene of that name
//
// Variants are named by what differs: W2/archetypes=100 spreads the agents over
// that many archetypes; W3/obstacles=64/side=250 has a smaller square, so that
// there are as many obstacles an area as with 1,024 in 1000 m; in
// W3/obstacles=1024/moving=1% that share of the obstacles moves in every step; in
// W5/obstacles=5000/side=40 walkers are among circles that lie over one another; and in
// W4/point and W5/point all begin in one point.
//
// Beside crowd stand baselines with the same results, bit for bit: plain, blocks,
// query and objects; see Contenders. Benchmarks take them one after another, crowd
// bench and the targets by turns, so trust the ratios of these more. After every 200 steps (20 from a million
// agents on; fewer in the targets) the state is set back to the start, which is not
// timed, because agents that have arrived cost less than others.
//
// The folder limits has C programs that do the same work on the same layout, and
// limits/run measures them beside crowd: they say how near that is to what the machine
// allows. The folder peers has programs of ours for other people's libraries, and
// peers/run measures those beside crowd, given a checkout of theirs.
//
// With -short there are 10,000 agents at most.
package benchmarks
