package batch

import (
	"context"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/parquet-go/parquet-go"

	"github.com/fourway-routing/fourway/routing"
)

// matrixSink writes the cells of a block in one of the formats.
type matrixSink struct {
	*newFile
	columns *parquet.GenericWriter[Cell]
	buf     []byte
	batch   []Cell
}

// cellGroup is the number of cells that are in memory with Parquet.
const cellGroup = 1 << 20

func createMatrix(ctx context.Context, fs filesystem.Interface, dir, name string, format Format) (*matrixSink, error) {
	f, err := create(ctx, fs, dir, name+"."+string(format))
	if err != nil {
		return nil, err
	}
	s := &matrixSink{newFile: f}
	if format == Parquet {
		// Compressing takes as long as finding the cells, and saves little: the
		// encodings of the columns are compact.
		s.columns = parquet.NewGenericWriter[Cell](f, parquet.MaxRowsPerRowGroup(cellGroup))
	}
	return s, nil
}

// cells writes a row to a Parquet file. Its columns are positions of all.
func (s *matrixSink) cells(source int32, all []numbered, columns []int, row *routing.TableRow) error {
	s.batch = s.batch[:0]
	for k, j := range columns {
		c := Cell{source, all[j].line, math.NaN(), math.NaN()}
		if row.Durations != nil {
			c.Duration = row.Durations[k]
		}
		if row.Distances != nil {
			c.Distance = row.Distances[k]
		}
		s.batch = append(s.batch, c)
	}
	_, err := s.columns.Write(s.batch)
	return err
}

// row writes a row as a line.
func (s *matrixSink) row(source string, all []Place, columns []int, row *routing.TableRow) error {
	b := appendString(append(s.buf[:0], `{"source":`...), source)
	b = append(b, `,"destinations":[`...)
	for k, j := range columns {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendString(b, all[j].ID)
	}
	b = append(b, ']')
	if row.Durations != nil {
		b = Costs(row.Durations).appendJSON(append(b, `,"durations":`...))
	}
	if row.Distances != nil {
		b = Costs(row.Distances).appendJSON(append(b, `,"distances":`...))
	}
	s.buf = append(b, '}', '\n')
	_, err := s.Write(s.buf)
	return err
}

func (s *matrixSink) commit(ctx context.Context) error {
	if s.columns != nil {
		if err := s.columns.Close(); err != nil {
			return err
		}
	}
	return s.newFile.commit(ctx)
}
