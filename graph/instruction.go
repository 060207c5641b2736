package graph

// TurnType says what a driver is told at a turn.
type TurnType uint8

// The types of turns. Those before TurnNewName say nothing.
const (
	// TurnNone is a place that shows in no step.
	TurnNone TurnType = iota
	// TurnInvalid is a road that cannot be entered.
	TurnInvalid
	// TurnSuppressed is an intersection on the way that needs no words.
	TurnSuppressed
	// StayOnRoundabout passes an exit, which counts.
	StayOnRoundabout
	// TurnSliproad begins a short road that saves one a junction.
	TurnSliproad

	TurnNewName      // straight on, but the road is called otherwise
	TurnContinue     // a turn on the same road
	TurnPlain        // a turn
	TurnMerge        // onto a motorway
	TurnOnRamp       // onto a ramp that leads to a motorway
	TurnOffRamp      // off a motorway
	TurnFork         // one of two or three equal roads
	TurnEndOfRoad    // the road ends in another
	TurnNotification // the mode of travel changes

	// Ways into a roundabout. Rotaries are roundabouts with a name of their
	// own, roundabout turns so small that they are told like a crossing.
	// AtExit are those where a road leaves before the entry, which counts as
	// an exit.
	EnterRoundabout
	EnterRotary
	EnterRoundaboutTurn
	EnterRoundaboutAtExit
	EnterRotaryAtExit
	EnterRoundaboutTurnAtExit
	// Ways in and out at one place.
	TouchRoundabout
	TouchRotary
	TouchRoundaboutTurn
	// Ways out.
	ExitRoundabout
	ExitRotary
	ExitRoundaboutTurn

	numTurnTypes
)

// String returns the name that tiles show. It tells apart more than answers do.
func (t TurnType) String() string {
	return [...]string{
		TurnNone: "(noturn)", TurnInvalid: "(not set)", TurnSuppressed: "(suppressed)",
		StayOnRoundabout: "(stay on roundabout)", TurnSliproad: "(sliproad)",
		TurnNewName: "new name", TurnContinue: "continue", TurnPlain: "turn", TurnMerge: "merge",
		TurnOnRamp: "on ramp", TurnOffRamp: "off ramp", TurnFork: "fork", TurnEndOfRoad: "end of road",
		TurnNotification: "notification",
		EnterRoundabout:  "enter roundabout", EnterRotary: "enter rotary", EnterRoundaboutTurn: "enter roundabout turn",
		EnterRoundaboutAtExit: "roundabout", EnterRotaryAtExit: "rotary", EnterRoundaboutTurnAtExit: "roundabout turn",
		TouchRoundabout: "enter and exit roundabout", TouchRotary: "enter and exit rotary",
		TouchRoundaboutTurn: "enter and exit roundabout turn",
		ExitRoundabout:      "exit roundabout", ExitRotary: "exit rotary", ExitRoundaboutTurn: "exit roundabout turn",
		numTurnTypes: "",
	}[min(t, numTurnTypes)]
}

// Roundabout says whether the turn enters, leaves or stays on a roundabout.
func (t TurnType) Roundabout() bool { return t == StayOnRoundabout || t >= EnterRoundabout }

// EntersRoundabout says whether the turn leads into a roundabout, even if out
// again at once.
func (t TurnType) EntersRoundabout() bool { return t >= EnterRoundabout && t < ExitRoundabout }

// LeavesRoundabout says whether the turn leads out of a roundabout.
func (t TurnType) LeavesRoundabout() bool { return t >= TouchRoundabout && t < numTurnTypes }

// PassesExit says whether an exit of a roundabout is passed by the turn.
func (t TurnType) PassesExit() bool {
	return t == StayOnRoundabout || t >= EnterRoundaboutAtExit && t <= EnterRoundaboutTurnAtExit
}

// Rotary says whether a roundabout with a name of its own is entered to stay.
func (t TurnType) Rotary() bool { return t == EnterRotary || t == EnterRotaryAtExit }

// RoundaboutTurn says whether a tiny roundabout is entered to stay.
func (t TurnType) RoundaboutTurn() bool {
	return t == EnterRoundaboutTurn || t == EnterRoundaboutTurnAtExit
}

// Silent says whether nothing is told at the turn.
func (t TurnType) Silent() bool {
	return t == TurnNone || t == TurnSuppressed || t == StayOnRoundabout
}

// Modifier is the direction of a turn.
type Modifier uint8

// The directions, clockwise.
const (
	UTurn Modifier = iota
	SharpRight
	Right
	SlightRight
	Straight
	SlightLeft
	Left
	SharpLeft

	numModifiers
)

// ModifierOf returns the direction of a turn by its angle in degrees: 0 is a
// U-turn, 90 right, 180 straight on, 270 left.
func ModifierOf(angle float64) Modifier {
	switch {
	case angle > 0 && angle < 60:
		return SharpRight
	case angle >= 60 && angle < 140:
		return Right
	case angle >= 140 && angle < 160:
		return SlightRight
	case angle >= 160 && angle <= 200:
		return Straight
	case angle > 200 && angle <= 220:
		return SlightLeft
	case angle > 220 && angle <= 300:
		return Left
	case angle > 300 && angle < 360:
		return SharpLeft
	}
	return UTurn
}

// Mirror swaps left and right.
func (m Modifier) Mirror() Modifier { return (numModifiers - m) % numModifiers }

// Leftward says whether the direction is to the left, however much.
func (m Modifier) Leftward() bool { return m >= SlightLeft && m <= SharpLeft }

// Rightward says whether the direction is to the right, however much.
func (m Modifier) Rightward() bool { return m >= SharpRight && m <= SlightRight }

// String returns the name that answers show.
func (m Modifier) String() string {
	return [...]string{
		"uturn", "sharp right", "right", "slight right", "straight", "slight left", "left", "sharp left", "",
	}[min(m, numModifiers)]
}

// Instruction is what to do at a turn: type in bits 0 … 4, modifier in bits
// 5 … 7.
type Instruction uint8

// MakeInstruction joins a type and a modifier.
func MakeInstruction(t TurnType, m Modifier) Instruction { return Instruction(t) | Instruction(m)<<5 }

// Type returns the type of the turn.
func (i Instruction) Type() TurnType { return TurnType(i & 31) }

// Modifier returns the direction of the turn.
func (i Instruction) Modifier() Modifier { return Modifier(i >> 5) }

// With returns the instruction with another type.
func (i Instruction) With(t TurnType) Instruction { return MakeInstruction(t, i.Modifier()) }

// Toward returns the instruction with another direction.
func (i Instruction) Toward(m Modifier) Instruction { return MakeInstruction(i.Type(), m) }

// LeftTurn says whether one moves to the left: a merge is named for the side
// that traffic comes from.
func (i Instruction) LeftTurn() bool {
	if i.Type() == TurnMerge {
		return i.Modifier().Rightward()
	}
	return i.Modifier().Leftward()
}

// RightTurn says whether one moves to the right.
func (i Instruction) RightTurn() bool {
	if i.Type() == TurnMerge {
		return i.Modifier().Leftward()
	}
	return i.Modifier().Rightward()
}
