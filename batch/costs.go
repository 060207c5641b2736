package batch

import (
	"encoding/json"
	"math"
	"strconv"
)

// Costs are numbers of which some may be +Inf, which is null in JSON.
type Costs []float64

// MarshalJSON writes a list of numbers and nulls.
func (c Costs) MarshalJSON() ([]byte, error) { return c.appendJSON(nil), nil }

func (c Costs) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, f := range c {
		if i > 0 {
			dst = append(dst, ',')
		}
		if math.IsInf(f, 1) {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		}
	}
	return append(dst, ']')
}

// UnmarshalJSON reads a list of numbers and nulls.
func (c *Costs) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*c = make(Costs, len(list))
	for i, f := range list {
		if f == nil {
			(*c)[i] = math.Inf(1)
		} else {
			(*c)[i] = *f
		}
	}
	return nil
}
