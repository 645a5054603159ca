package vadere

import "strings"

// vocabulary are the keys that are known and passed over, by the kind of object: they belong
// to Vadere's models of walking, of psychology and of health, to its output, and to its
// windows. * stands for any key.
var vocabulary = map[string][]string{
	"file":           list("release commithash topographyhash attributeshash"),
	"processWriters": list("*"),
	"scenario":       list("mainModel attributesModel attributesPsychology attributesStrategy attributesCar"),
	"attributesSimulation": list(`simTimeStepLength realTimeSimTimeRatio writeSimulationData visualizationEnabled printFPS
		digitsPerCoordinate simulationSeed needsBoundary useSalientBehavior`),
	"topography":            list("attributesCar boundaries"),
	"topography.attributes": list("referenceCoordinateSystem"),
	"obstacle":              list("id visible"),
	"measurementArea":       list("visible"),
	"stairs":                list("id visible treadCount"),
	"target":                list("visible waitingTimeYellowPhase startingWithRedLight"),
	"absorber":              nil,
	"waiter":                list("individualWaiting"),
	"source":                list("visible spawnAtRandomPositions spawnAtGridPositionsCA useFreeSpaceOnly"),
	"spawner":               list("type eventPositionRandom eventPositionGridCA eventPositionFreeSpace"),
	"distribution":          nil,
	"shape":                 list("identifier"),
	"point":                 list("identifier"),
	"dynamicElement": list(`source isCurrentTargetAnAgent idAsTarget isChild isLikelyInjured followers groupIds groupSizes
		agentsInGroup trajectory modelPedestrianMap psychologyStatus healthStatus infectionStatus mostImportantEvent
		salientBehavior`),
	"attributesPedestrian": list(`id shape visible type densityDependentSpeed acceleration searchRadius footstepHistorySize
		footStepsToStore walkingDirectionCalculation walkingDirectionSameIfAngleLessOrEqual angleCalculationType
		targetOrientationAngleThreshold`),
}

func list(words string) []string { return strings.Fields(words) }
