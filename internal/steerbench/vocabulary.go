package steerbench

import "github.com/8f878440/crowd/internal/xmlfile"

// parts are what stands side by side in a test case. Camera views don't change
// what the agents do.
var parts = xmlfile.Words{
	IgnoredAttrs: xmlfile.List("SubSpaceSamples"),
	Children: xmlfile.List(`header agent agentRegion agentEmitter obstacle obstacleRegion
		circleObstacle orientedBoxObstacle orientedWallObstacle polygonObstacle`),
	IgnoredChildren: xmlfile.List("suggestedCameraView"),
}

// aim is what any goal may hold: SteerSuite reads the same for all of them. The
// words that are passed over belong to the steering of its own agents, and to
// curves, which its agents don't walk as crowds.
var aim = xmlfile.Words{
	Children: xmlfile.List(`targetLocation targetDirection targetName goalRegionBounds random
		desiredSpeed timeDuration`),
	IgnoredChildren: xmlfile.List("targetTangent targetTime type flowType state Behaviour"),
}

// point and box are places and extents; y points up and is read but not used.
var (
	point = xmlfile.Words{Children: xmlfile.List("x y z random")}
	box   = xmlfile.Words{Children: xmlfile.List("xmin xmax ymin ymax zmin zmax")}
)

// vocabulary is all that test cases hold, by element. Elements that are not here
// hold a text, no attributes and no elements. Baggage (bag) and membership of
// a group (groupId) mark agents for behaviors that the benchmark itself does
// not have; so do the times of appearance.
var vocabulary = map[string]xmlfile.Words{
	"SteerBenchTestCase": parts,
	"SteerSuiteSubSpace": parts,

	"header": {Children: xmlfile.List("version name worldBounds description"), IgnoredChildren: xmlfile.List("passingCriteria")},

	"agent":        {Children: xmlfile.List("name initialConditions goalSequence radius"), IgnoredChildren: xmlfile.List("bag")},
	"agentEmitter": {Children: xmlfile.List("name initialConditions goalSequence radius"), IgnoredChildren: xmlfile.List("bag")},
	"agentRegion":  {Children: xmlfile.List("numAgents regionBounds initialConditions goalSequence name"), IgnoredChildren: xmlfile.List("bag")},
	"initialConditions": {
		Children:        xmlfile.List("radius position direction speed"),
		IgnoredChildren: xmlfile.List("color groupId spawn_time despawn_time"),
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
	"obstacleRegion":       {Children: xmlfile.List("numObstacles obstacleSize regionBounds"), IgnoredChildren: xmlfile.List("obstacleHeight")},
	"circleObstacle":       {Children: xmlfile.List("radius position"), IgnoredChildren: xmlfile.List("height")},
	"orientedBoxObstacle":  {Children: xmlfile.List("thetaY size position")},
	"orientedWallObstacle": {Children: xmlfile.List("thetaY size position doorway")},
	"doorway":              {Children: xmlfile.List("value doorRadius random")},
	"polygonObstacle":      {IgnoredAttrs: xmlfile.List("isClosed"), Children: xmlfile.List("vertex")},

	"worldBounds": box, "regionBounds": box, "goalRegionBounds": box,
	"position": point, "direction": point, "targetLocation": point, "targetDirection": point, "size": point, "vertex": point,
}
