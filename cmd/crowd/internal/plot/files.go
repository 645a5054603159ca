package plot

// Files for tests of each kind.
const (
	RunText = `{"scene":"plaza","agents":10,"steps":4,"workers":1,"seed":1,"ns_per_agent_step":20.5,"collisions":null,"mean_arrival_time":7,
"systems":[{"name":"Scan","ns_per_agent":12,"share":0.6},{"name":"Go","ns_per_agent":8,"share":0.4}],
"perf":{"sensing_ns":1,"workers":[{"rows_share":1,"busy_share":0.9,"batches":3}]},"command":"crowd run plaza --set look-ahead=5"}`
	ScoreText = `[{"file":"a/x.xml","cannot_arrive":0,"scene":"x","agents":2,"mean_arrival_time":3.5,"collisions":0},
{"file":"a/y.xml","cannot_arrive":20,"scene":"y","agents":20,"mean_arrival_time":null,"collisions":900},
{"file":"b/z.xml","cannot_arrive":0,"error":"no agents"},
{"file":"b/w.xml","cannot_arrive":0,"scene":"w","agents":7,"mean_arrival_time":12,"collisions":3}]`
	ScoreLines = "file,cannot_arrive,agents,mean_arrival_time\na.xml,0,3,2.5\nb.xml,1,4,NaN\nc.xml,0,5,\n"
	BenchText  = `{"go_version":"go1.26","cpu":"C","cores":2,"processors":2,"os":"linux","arch":"amd64","results":[
{"name":"W2","by":"crowd","agents":1000,"workers":1,"steps":5,"samples":[10,11,12],"speed_up":1},
{"name":"W2","by":"crowd","agents":1000,"workers":2,"steps":5,"samples":[6,7,6],"speed_up":1.8},
{"name":"W2","by":"crowd","agents":100000,"workers":1,"steps":5,"samples":[9,9,9],"speed_up":1}]}`
	GoText = `goos: linux
BenchmarkW2/by=crowd/agents=1000/workers=1-2 10 100 ns/op 10 ns/agent
BenchmarkW2/by=crowd/agents=1000/workers=1-2 10 100 ns/op 12 ns/agent
BenchmarkW2/by=crowd/agents=1000/workers=2-2 10 50 ns/op 5.5 ns/agent
BenchmarkOther-2 10 50 ns/op
`
	MotionText = "id,time,x,y,vx,vy\n1,0,0,0,1,0\n2,0,5,5,0,2\n1,0.5,0.5,0,1,0\n2,0.5,NaN,6,0,2\n1,1,1,0,1,0\n3,1,7,7,0,0\n"
	TableText  = "depth,color,width\n1,red,2\n3,blue,4\n"
)

// Files are the files by kind.
var Files = []struct {
	Name, Text, Kind string
}{
	{"run.json", RunText, "the report of a run"},
	{"score.json", ScoreText, "the rows of a score"},
	{"score.csv", ScoreLines, "the rows of a score"},
	{"bench.json", BenchText, "the results of a bench"},
	{"bench.txt", GoText, "the results of a bench"},
	{"motion.csv", MotionText, "trajectories"},
	{"table.csv", TableText, "a table"},
}
