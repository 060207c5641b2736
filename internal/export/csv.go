package export

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// tables writes a table of nodes and one of edges.
type tables struct {
	nodes, edges   *csv.Writer
	buffers        [2]*bufio.Writer
	row            []string
	nodeRow        []string
	number, degree []byte
}

// The columns.
var (
	nodeColumns = []string{"id", "lon", "lat"}
	edgeColumns = []string{"from", "to", "way", "name", "length", "duration", "weight", "source", "small"}
)

// NewCSV returns a Writer of two tables (RFC 4180) with a header: nodes with the columns
// id, lon and lat; edges, one for each direction of a stretch of road, with from, to,
// way, name, length in meters, duration in seconds, weight, source and small.
func NewCSV(nodes, edges io.Writer) (Writer, error) {
	t := &tables{row: make([]string, len(edgeColumns)), nodeRow: make([]string, len(nodeColumns))}
	t.buffers = [2]*bufio.Writer{bufio.NewWriterSize(nodes, 1<<16), bufio.NewWriterSize(edges, 1<<16)}
	t.nodes, t.edges = csv.NewWriter(t.buffers[0]), csv.NewWriter(t.buffers[1])
	return t, errors.Join(t.nodes.Write(nodeColumns), t.edges.Write(edgeColumns))
}

// Node implements Writer.
func (t *tables) Node(id int64, at orb.Point) error {
	t.nodeRow[0] = strconv.FormatInt(id, 10)
	for i, v := range at {
		t.degree = appendDegrees(t.degree[:0], v)
		t.nodeRow[1+i] = string(t.degree)
	}
	return t.nodes.Write(t.nodeRow)
}

// Road implements Writer.
func (t *tables) Road(r *routing.RoadSegment) error {
	t.row[0] = strconv.FormatInt(r.Nodes[0], 10)
	t.row[1] = strconv.FormatInt(r.Nodes[1], 10)
	t.row[2] = strconv.FormatInt(r.Way, 10)
	t.row[3] = r.Name
	for i, v := range [...]float64{r.Length, r.Duration, r.Weight} {
		t.number = appendFixed(t.number[:0], v)
		t.row[4+i] = string(t.number)
	}
	t.row[7] = r.SpeedFrom
	t.row[8] = strconv.FormatBool(r.Small)
	return t.edges.Write(t.row)
}

// Close implements Writer.
func (t *tables) Close() error {
	t.nodes.Flush()
	t.edges.Flush()
	return errors.Join(t.nodes.Error(), t.edges.Error(), t.buffers[0].Flush(), t.buffers[1].Flush())
}
