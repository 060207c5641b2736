package synth

import "math"

// A tile is a square of about 4 km.
const (
	tileLat   = 360_000 // in 1e-7 degrees
	tileLon   = 560_000 // at 50 degrees north
	midLat    = 50_0000000
	midLon    = 10_0000000
	tileWide  = 4000.0             // meters
	tileIDs   = 1 << 16            // ids of a tile, of each kind
	mostTiles = 1200               // along a side: 43 degrees of latitude
	mostBend  = 1.05               // tiles
	metro     = 32                 // tiles between metropolises, about
	town      = 9                  // tiles between towns, about
	motorways = 12                 // tiles between motorways
	lanesOf   = tileLat * 2.8e-3   // half the gap between carriageways, in 1e-7 degrees
	unitOfLat = tileWide / tileLat // meters
)

// world is a country of columns by rows tiles. It is immutable.
type world struct {
	seed          uint64
	columns, rows int
}

// What hashes are of, so that no two of them are alike.
const (
	ofMetro uint64 = iota
	ofTown
	ofVillage
	ofJunction
	ofEdge
	ofExtra
	ofBorder
	ofShape
	ofLine
	ofNode
	ofTurn
	ofRing
	ofSample
)

func (w *world) hash(what uint64, a, b int, more ...uint64) uint64 {
	h := hash(w.seed, what, uint64(a), uint64(b))
	if len(more) > 0 {
		h = hash(append([]uint64{h}, more...)...)
	}
	return h
}

// apart returns the distance of centers that divides so many tiles evenly and is
// close to a given one.
func apart(tiles, about int) float64 {
	return float64(tiles) / max(1, math.Round(float64(tiles)/float64(about)))
}

// settled returns how dense a tile is settled, from 0 to 1. Countries of all sizes
// have the same share of cities, so that they differ in size alone: a small one has
// a whole metropolis, of its own size.
func (w *world) settled(x, y int) float64 {
	density := 0.0
	for _, of := range [...]struct {
		what             uint64
		apart            int
		strength, radius float64 // of a center, in tiles; at least
	}{
		{ofMetro, metro, 1, 3},
		{ofTown, town, 0.65, 0.9},
	} {
		ax, ay := apart(w.columns, of.apart), apart(w.rows, of.apart)
		scale := math.Sqrt(ax*ay) / float64(of.apart)
		cx, cy := int(float64(x)/ax), int(float64(y)/ay)
		for i := cx - 1; i <= cx+1; i++ {
			for j := cy - 1; j <= cy+1; j++ {
				h := w.hash(of.what, i, j)
				px := (float64(i) + 0.2 + 0.6*unit(h)) * ax
				py := (float64(j) + 0.2 + 0.6*unit(hash(h, 1))) * ay
				r := of.radius * scale * (1.25 + 0.5*unit(hash(h, 2)))
				dx, dy := float64(x)+0.5-px, float64(y)+0.5-py
				density = max(density, of.strength*(0.8+0.15*unit(hash(h, 3)))*math.Exp(-(dx*dx+dy*dy)/(r*r)))
			}
		}
	}
	return density
}

// grade is how densely a tile is settled.
type grade uint8

const (
	rural grade = iota
	village
	suburb
	urban
)

// grades tells what tiles of a grade are like.
var grades = [...]struct {
	side     int     // streets from side to side
	extra    float64 // part of the streets that close a circle
	across   float64 // part of the streets that go on in the next tile
	gathered float64 // how much streets gather around the middle, from 0 to 1
	spacing  float64 // meters between the nodes of a street
	bow      float64 // how far a street swings out, by its length
	oneway   float64 // part of the small streets
	turns    float64 // part of the crossings with a restriction
}{
	rural:   {6, 0.25, 0.20, 0.75, 70, 0.16, 0, 0.002},
	village: {12, 0.25, 0.20, 0.85, 55, 0.10, 0.03, 0.006},
	suburb:  {22, 0.25, 0.22, 0.30, 45, 0.07, 0.12, 0.02},
	urban:   {38, 0.42, 0.45, 0.05, 45, 0.03, 0.35, 0.05},
}

func (w *world) grade(x, y int) grade {
	switch d := w.settled(x, y); {
	case d > 0.55:
		return urban
	case d > 0.22:
		return suburb
	case chance(w.hash(ofVillage, x, y), 0.55):
		return village
	}
	return rural
}

// inside says whether there is such a tile.
func (w *world) inside(x, y int) bool { return x >= 0 && y >= 0 && x < w.columns && y < w.rows }

// base returns the id before the first one of a tile.
func (w *world) base(x, y int) int64 { return int64(y*w.columns+x)*tileIDs + 1 }

// point is a place in 1e-7 degrees.
type point struct{ lon, lat float64 }

// at returns a place in a tile, given from its south-west corner as parts of its
// sides. Tiles are bent, so that no road is straight for long.
func (w *world) at(x, y int, u, v float64) point {
	u, v = float64(x)+u, float64(y)+v
	// At most mostBend tiles in each direction.
	du := 0.7*math.Sin(v*0.41+1)*math.Sin(u*0.17) + 0.35*math.Sin(v*1.3+u*0.6)
	dv := 0.7*math.Sin(u*0.37+2)*math.Sin(v*0.19+1) + 0.35*math.Sin(u*1.1-v*0.7)
	return point{
		midLon + (u+du-float64(w.columns)/2)*tileLon,
		midLat + (v+dv-float64(w.rows)/2)*tileLat,
	}
}

// bounds returns west, south, east and north of the country in 1e-7 degrees.
func (w *world) bounds() [4]int64 {
	lon, lat := float64(w.columns)/2+mostBend, float64(w.rows)/2+mostBend
	return [4]int64{
		round(midLon - lon*tileLon), round(midLat - lat*tileLat), round(midLon + lon*tileLon), round(midLat + lat*tileLat),
	}
}

// river says whether a river runs behind a column or row of tiles. Only large
// roads cross it.
func river(line int) bool { return line%14 == 9 }

// junction returns where the crossing of column i and row j of a tile is.
func (w *world) junction(x, y int, g grade, i, j int) point {
	at := &grades[g]
	h := w.hash(ofJunction, x, y, uint64(i), uint64(j))
	gather := func(t float64) float64 { return t + at.gathered/(2*math.Pi)*math.Sin(2*math.Pi*t) }
	n := float64(at.side)
	u := gather((float64(i) + 0.5 + 0.35*spread(h)) / n)
	v := gather((float64(j) + 0.5 + 0.35*spread(hash(h, 1))) / n)
	return w.at(x, y, u, v)
}

// east says whether a motorway runs from west to east through a row of tiles,
// north whether one runs from south to north through a column.
func (w *world) east(y int) bool  { return y%motorways == motorways/2 }
func (w *world) north(x int) bool { return x%motorways == motorways/2 }

// wander returns where in its row or column of tiles a motorway is, at a distance
// in tiles from its start.
func (w *world) wander(line int, t float64) float64 {
	h := hash(w.seed, ofLine, uint64(line), 77)
	return 0.64 + 0.08*math.Sin(t*0.9+6*unit(h)) + 0.05*math.Sin(t*0.37+6*unit(hash(h, 1)))
}
