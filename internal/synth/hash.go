package synth

import "math"

// hash mixes numbers into one that looks random: the finalizer of SplitMix64
// (Steele, Lea and Flood, 2014) over each in turn.
func hash(words ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h = (h ^ w) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// unit returns a number from 0 to 1, 1 left out.
func unit(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// spread returns a number from -1 to 1.
func spread(h uint64) float64 { return 2*unit(h) - 1 }

// chance says whether an event of probability p happens.
func chance(h uint64, p float64) bool { return unit(h) < p }

// round is math.Round to an integer.
func round(x float64) int64 { return int64(math.Round(x)) }
