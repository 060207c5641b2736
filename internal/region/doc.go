// Package region reads GeoJSON files of polygons with properties and finds those
// at a place: countries where one drives on the left, time zones. A [Shape] tells
// which lines a polygon touches: roads to close.
//
// A place on the edge of a polygon is inside. Rings, holes among them, count by the
// even-odd rule in the plane of longitude and latitude; polygons do not cross the
// antimeridian.
package region
