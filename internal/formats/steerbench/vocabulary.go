package steerbench

import "github.com/8f878440/crowd/internal/textio"

// parts are what stands side by side in a test case. Camera views don't change
// what the agents do.
var parts = textio.Words{
	IgnoredAttrs: textio.List("SubSpaceSamples"),
	Children: textio.List(`header agent agentRegion agentEmitter obstacle obstacleRegion
		circleObstacle orientedBoxObstacle orientedWallObstacle polygonObstacle`),
	IgnoredChildren: textio.List("suggestedCameraView"),
}

// aim is what any goal may hold: SteerSuite reads the same for all of them. The
// words that are passed over belong to the steering of its own agents, and to
// curves, which its agents don't walk as crowds.
var aim = textio.Words{
	Children: textio.List(`targetLocation targetDirection targetName goalRegionBounds random
		desiredSpeed timeDuration`),
	IgnoredChildren: textio.List("targetTangent targetTime type flowType state Behaviour"),
}

// point and box are places and extents; y points up and is read but not used.
var (
	point = textio.Words{Children: textio.List("x y z random")}
	box   = textio.Words{Children: textio.List("xmin xmax ymin ymax zmin zmax")}
)

// vocabulary is all that test cases hold, by element. Elements that are not here
// hold a text, no attributes and no elements. Baggage (bag) and membership of
// a group (groupId) mark agents for behaviors that the benchmark itself does
// not have; so do the times of appearance.
var vocabulary = map[string]textio.Words{
	"SteerBenchTestCase": parts,
	"SteerSuiteSubSpace": parts,

	"header": {Children: textio.List("version name worldBounds description"), IgnoredChildren: textio.List("passingCriteria")},

	"agent":        {Children: textio.List("name initialConditions goalSequence radius"), IgnoredChildren: textio.List("bag")},
	"agentEmitter": {Children: textio.List("name initialConditions goalSequence radius"), IgnoredChildren: textio.List("bag")},
	"agentRegion":  {Children: textio.List("numAgents regionBounds initialConditions goalSequence name"), IgnoredChildren: textio.List("bag")},
	"initialConditions": {
		Children:        textio.List("radius position direction speed"),
		IgnoredChildren: textio.List("color groupId spawn_time despawn_time"),
	},

	"goalSequence":             {Children: kindNames[:]},
	"seekStaticTarget":         aim,
	"fleeStaticTarget":         aim,
	"seekDynamicTarget":        aim,
	"fleeDynamicTarget":        aim,
	"flowStaticDirection":      aim,
	"flowDynamicDirection":     aim,
	"idle":                     aim,
	"groupTarget":              aim,
	"seekAxisAlignedBoxRegion": aim,

	"obstacle":             box,
	"obstacleRegion":       {Children: textio.List("numObstacles obstacleSize regionBounds"), IgnoredChildren: textio.List("obstacleHeight")},
	"circleObstacle":       {Children: textio.List("radius position"), IgnoredChildren: textio.List("height")},
	"orientedBoxObstacle":  {Children: textio.List("thetaY size position")},
	"orientedWallObstacle": {Children: textio.List("thetaY size position doorway")},
	"doorway":              {Children: textio.List("value doorRadius random")},
	"polygonObstacle":      {IgnoredAttrs: textio.List("isClosed"), Children: textio.List("vertex")},

	"worldBounds": box, "regionBounds": box, "goalRegionBounds": box,
	"position": point, "direction": point, "targetLocation": point, "targetDirection": point, "size": point, "vertex": point,
}
