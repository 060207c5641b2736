package graph

// Answers show bearings of roads in steps of 15 degrees where that tells all
// roads of a junction apart, else in whole degrees.
const (
	bearingUnit = 128 // units of Arm.Perceived in a degree
	bearingStep = 15
	numSteps    = 360 / bearingStep
)

// wholeDegrees rounds a bearing in 1/128 degree to 0 … 360.
func wholeDegrees(b uint16) int { return (int(b) + bearingUnit/2) / bearingUnit }

// stepOf returns the step of 15 degrees that is nearest to a bearing in whole
// degrees; half a step rounds up.
func stepOf(degrees int) int { return (2*degrees + bearingStep) / (2 * bearingStep) % numSteps }

// stepOfUnits is stepOf for a bearing in 1/128 degree.
func stepOfUnits(b uint16) int {
	return (2*int(b) + bearingStep*bearingUnit) / (2 * bearingStep * bearingUnit) % numSteps
}

// coarse says whether steps of 15 degrees tell ascending bearings apart.
func coarse(bearings []uint16) bool {
	if len(bearings) <= 1 {
		return true
	}
	last := stepOf(wholeDegrees(bearings[len(bearings)-1]))
	for _, b := range bearings {
		step := stepOf(wholeDegrees(b))
		if step == last {
			return false
		}
		last = step
	}
	return true
}

// ShowsLastFirst says whether the last of ascending bearings in 1/128 degree is
// shown as the first: it rounds to north.
func ShowsLastFirst(bearings []uint16) bool {
	last := len(bearings) - 1
	return last > 0 && coarse(bearings) && stepOfUnits(bearings[last]) < stepOfUnits(bearings[0])
}

// ShownBearings appends to dst the bearings of a junction's roads as answers
// show them: degrees, 0 … 360, clockwise from north.
func (n *Network) ShownBearings(dst []int16, j JunctionID) []int16 {
	var store [16]uint16
	bearings := store[:0]
	for i := n.JunctionFirst[j]; i < n.JunctionFirst[j+1]; i++ {
		if !n.Guidance.Present() || !n.Guidance.Unseen.Get(i) {
			bearings = append(bearings, n.JunctionArms[i].Perceived)
		}
	}
	if !coarse(bearings) {
		for _, b := range bearings {
			dst = append(dst, int16(wholeDegrees(b)))
		}
		return dst
	}
	first := 0
	if ShowsLastFirst(bearings) {
		first = len(bearings) - 1
	}
	for i := range bearings {
		b := bearings[(first+i)%len(bearings)]
		dst = append(dst, int16(bearingStep*stepOf(wholeDegrees(b))))
	}
	return dst
}

// ClosestBearing returns the index of the bearing nearest to one in degrees.
func ClosestBearing(bearings []int16, to int) int {
	best, least := 0, 360
	for i, b := range bearings {
		d := int(b) - to
		if d < 0 {
			d = -d
		}
		if d > 180 {
			d = 360 - d
		}
		if d < least {
			best, least = i, d
		}
	}
	return best
}

// perByte is the resolution of the bearings of turns, in units of Arm.Perceived.
const perByte = bearingUnit * 360 / 256

// BearingAfter returns the bearing at which an arm leaves its junction, in
// degrees, 0 … 359.
func (n *Network) BearingAfter(j JunctionID, arm ArmID) int {
	arms := n.JunctionArms[n.JunctionFirst[j]:n.JunctionFirst[j+1]]
	perceived := uint16(0)
	for i := range arms { // to the end, so that the processor need not guess it
		if arms[i].Arm == arm {
			perceived = arms[i].Perceived
		}
	}
	return int(perceived) / perByte * 360 / 256
}
