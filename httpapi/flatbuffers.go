package httpapi

import (
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// The schema is flatbuffers.fbs. Numbers of fields are their order there.
const (
	errorCode = iota
	errorMessage
	errorFields
)

const (
	resultError = iota
	resultCode
	resultDataVersion
	resultWaypoints
	resultRoutes
	resultTable
	resultFields
)

const (
	waypointHint = iota
	waypointDistance
	waypointName
	waypointLocation
	waypointNodes
	waypointMatching
	waypointIndex
	waypointAlternatives
	waypointTrip
	waypointFields
)

const (
	tableDurations = iota
	tableRows
	tableColumns
	tableDistances
	tableDestinations
	tableEstimates
	tableFields
)

type flatOffset = flatbuffers.UOffsetT

// flatWriter builds answers as flatbuffers. What a table refers to is written
// before it.
type flatWriter struct {
	*flatbuffers.Builder
	geometries routing.Geometries
}

// flatResult holds what is in the root table.
type flatResult struct {
	dataVersion              string
	waypoints, routes, table flatOffset // 0 for none
}

// finish writes the root table and appends the whole to dst.
func (w *flatWriter) finish(dst []byte, r *flatResult) []byte {
	version := w.text(r.dataVersion)
	w.StartObject(resultFields)
	w.reference(resultDataVersion, version)
	w.reference(resultWaypoints, r.waypoints)
	w.reference(resultRoutes, r.routes)
	w.reference(resultTable, r.table)
	w.Finish(w.EndObject())
	return append(dst, w.FinishedBytes()...)
}

// renderFlat renders an answer, or says that it is too big for the format, whose
// builder panics then.
func renderFlat(b *buffer, a answer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != "cannot grow buffer beyond 2 gigabytes" {
				panic(p)
			}
			b.flat = nil
			err = fail(routing.ErrTooBig, "The answer is too big for flatbuffers: ask for json.")
		}
	}()
	a.render(b, true)
	return nil
}

// renderFlatError writes an error to b.body.
func renderFlatError(b *buffer, e *routing.Error) {
	w := flatWriter{Builder: b.builder()}
	code, message := w.CreateString(string(e.Code)), w.CreateString(e.Message)
	w.StartObject(errorFields)
	w.reference(errorCode, code)
	w.reference(errorMessage, message)
	described := w.EndObject()
	w.StartObject(resultFields)
	w.PrependBoolSlot(resultError, true, false)
	w.reference(resultCode, described)
	w.Finish(w.EndObject())
	b.body = append(b.body[:0], w.FinishedBytes()...)
}

// reference sets a field to what was written before, unless that is nothing.
func (w *flatWriter) reference(field int, to flatOffset) { w.PrependUOffsetTSlot(field, to, 0) }

// text writes a string, nothing if it is empty.
func (w *flatWriter) text(s string) flatOffset {
	if s == "" {
		return 0
	}
	return w.CreateString(s)
}

// list writes a vector of n tables.
func (w *flatWriter) list(n int, item func(i int) flatOffset) flatOffset {
	offsets := make([]flatOffset, n)
	for i := range offsets {
		offsets[i] = item(i)
	}
	return w.CreateVectorOfTables(offsets)
}

func (w *flatWriter) texts(list []string) flatOffset {
	return w.list(len(list), func(i int) flatOffset { return w.CreateString(list[i]) })
}

// vector writes a vector of scalars of a size in bytes, nothing if there is no
// list. put is called from the last to the first, as the format is written.
func vector[T any](w *flatWriter, list []T, size int, put func(T)) flatOffset {
	if list == nil {
		return 0
	}
	return fullVector(w, list, size, put)
}

// fullVector is vector for what OSRM always writes: readers do not expect that
// it is not there.
func fullVector[T any](w *flatWriter, list []T, size int, put func(T)) flatOffset {
	w.StartVector(size, len(list), size)
	for i := len(list) - 1; i >= 0; i-- {
		put(list[i])
	}
	return w.EndVector(len(list))
}

// wholes writes numbers without their fraction.
func (w *flatWriter) wholes(list []float64) flatOffset {
	return vector(w, list, 4, func(v float64) { w.PrependUint32(uint32(min(max(v, 0), math.MaxUint32))) })
}

// floats writes numbers; those that are not finite become 0.
func (w *flatWriter) floats(list []float64) flatOffset {
	return vector(w, list, 4, func(v float64) { w.PrependFloat32(finite(v)) })
}

func finite(v float64) float32 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return float32(v)
}

// position writes a struct in place, for the field or the vector that is being
// written.
func (w *flatWriter) position(p orb.Point) flatOffset {
	w.Prep(4, 8)
	w.PrependFloat32(float32(p[1]))
	w.PrependFloat32(float32(p[0]))
	return w.Offset()
}

// pair is position for a pair of numbers.
func (w *flatWriter) pair(ids [2]int64) flatOffset {
	w.Prep(8, 16)
	w.PrependUint64(uint64(ids[1]))
	w.PrependUint64(uint64(ids[0]))
	return w.Offset()
}

// geometry writes a line; one of the results is 0, both if there is no line.
func (w *flatWriter) geometry(line orb.LineString) (polyline, coordinates flatOffset) {
	switch {
	case line == nil:
		return 0, 0
	case w.geometries == routing.GeometryGeoJSON:
		w.StartVector(8, len(line), 4)
		for i := len(line) - 1; i >= 0; i-- {
			w.position(line[i])
		}
		return 0, w.EndVector(len(line))
	case w.geometries == routing.GeometryPolyline6:
		return w.CreateByteString(routing.AppendPolyline(nil, line, 6)), 0
	}
	return w.CreateByteString(routing.AppendPolyline(nil, line, 5)), 0
}

// waypoint writes a place. more, if set, adds fields to it.
func (w *flatWriter) waypoint(p *routing.Waypoint, more func()) flatOffset {
	hint, name := w.text(p.Hint), w.CreateString(p.Name)
	w.StartObject(waypointFields)
	w.reference(waypointHint, hint)
	w.PrependFloat32Slot(waypointDistance, float32(p.Distance), 0)
	w.reference(waypointName, name)
	w.PrependStructSlot(waypointLocation, w.position(p.Location), 0)
	if more != nil {
		more()
	}
	return w.EndObject()
}

// noWaypoint writes an empty table, which stands for none.
func (w *flatWriter) noWaypoint() flatOffset {
	w.StartObject(waypointFields)
	return w.EndObject()
}

func (w *flatWriter) table(a *tableAnswer, destinations flatOffset) flatOffset {
	durations, distances := w.cells(a.Durations, a.Estimated), w.cells(a.Distances, nil)
	var estimates flatOffset
	if a.estimates {
		w.StartVector(4, 2*len(a.Estimated), 4)
		for i := len(a.Estimated) - 1; i >= 0; i-- {
			w.PrependUint32(uint32(a.Estimated[i].Destination))
			w.PrependUint32(uint32(a.Estimated[i].Source))
		}
		estimates = w.EndVector(2 * len(a.Estimated))
	}
	w.StartObject(tableFields)
	w.reference(tableDurations, durations)
	w.PrependUint16Slot(tableRows, uint16(a.rows), 0)
	w.PrependUint16Slot(tableColumns, uint16(a.columns), 0)
	w.reference(tableDistances, distances)
	w.reference(tableDestinations, destinations)
	w.reference(tableEstimates, estimates)
	return w.EndObject()
}

// cells writes a table by rows, nothing if there is none. Estimated durations
// are told as OSRM tells them: see TableResponse.AppendJSON.
func (w *flatWriter) cells(rows [][]float64, estimated []routing.TableCell) flatOffset {
	if rows == nil {
		return 0
	}
	count := 0
	for _, row := range rows {
		count += len(row)
	}
	w.StartVector(4, count, 4)
	for i := len(rows) - 1; i >= 0; i-- {
		for j := len(rows[i]) - 1; j >= 0; j-- {
			v := rows[i][j]
			if last := len(estimated) - 1; last >= 0 && estimated[last] == (routing.TableCell{Source: i, Destination: j}) {
				v, estimated = math.Trunc(v)/10, estimated[:last]
			}
			w.PrependFloat32(finite(v))
		}
	}
	return w.EndVector(count)
}
