package geo

// Coord is a place on earth in fixed point: micro-degrees of longitude and
// latitude (WGS 84). Valid are ±180,000,000 and ±90,000,000.
type Coord struct {
	Lon, Lat int32
}

// Precision is the number of Coord units in a degree.
const Precision = 1e6

// LonLat returns the coordinate in degrees.
func (c Coord) LonLat() (lon, lat float64) {
	return float64(c.Lon) / Precision, float64(c.Lat) / Precision
}
