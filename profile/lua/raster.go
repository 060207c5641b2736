package lua

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// maxRasterCells bounds the memory of a raster.
const maxRasterCells = 1 << 28

// invalidDatum is the value outside of a raster.
const invalidDatum = math.MaxInt32

// raster is a grid of whole numbers over a rectangle of the map, its first row
// the northernmost. Steps between cells are floats of 32 bits, as OSRM has
// them.
type raster struct {
	columns, rows          int
	west, east             int32 // millionths of a degree
	south, north           int32
	stepWestEast, stepDown float32
	cells                  []int32
}

// rasterSet holds the rasters of all workers, each loaded once.
type rasterSet struct {
	list   []*raster
	byPath map[string]int
}

// loadRaster returns the number of a raster, loading it if it is new.
func (s *script) loadRaster(path string, bounds [4]float64, rows, columns int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.rasters.byPath[path]; ok {
		return i, nil
	}
	name := path
	if !s.options.Trusted && !filepath.IsAbs(path) {
		name = filepath.Join(s.folder, path)
	}
	f, err := s.open(name)
	if err != nil {
		return 0, err
	}
	r, err := readRaster(f, bounds, rows, columns)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if s.rasters.byPath == nil {
		s.rasters.byPath = make(map[string]int)
	}
	s.rasters.byPath[path] = len(s.rasters.list)
	s.rasters.list = append(s.rasters.list, r)
	if s.options.RasterRead != nil {
		s.options.RasterRead(path)
	}
	return len(s.rasters.list) - 1, nil
}

// raster returns a raster by its number, or nil.
func (s *script) raster(number int64) *raster {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 0 || number >= int64(len(s.rasters.list)) {
		return nil
	}
	return s.rasters.list[number]
}

// readRaster reads a grid as text: a line per row, numbers separated by
// spaces. bounds are west, east, south and north in degrees.
func readRaster(f io.Reader, bounds [4]float64, rows, columns int) (*raster, error) {
	if rows < 1 || columns < 1 || rows > maxRasterCells/columns {
		return nil, fmt.Errorf("a raster of %d rows and %d columns is not possible", rows, columns)
	}
	r := &raster{
		columns: columns, rows: rows,
		west: fixedDegrees(bounds[0]), east: fixedDegrees(bounds[1]),
		south: fixedDegrees(bounds[2]), north: fixedDegrees(bounds[3]),
	}
	if r.west >= r.east || r.south >= r.north {
		return nil, fmt.Errorf("the raster's bounds %v enclose nothing; they are lon_min, lon_max, lat_min, lat_max", bounds)
	}
	r.stepWestEast = float32(r.east-r.west) / (float32(columns) - 1)
	r.stepDown = float32(r.north-r.south) / (float32(rows) - 1)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16*columns+4096)
	for row := range rows {
		if !lines.Scan() {
			if err := lines.Err(); err != nil {
				return nil, fmt.Errorf("line %d: %w", row+1, err)
			}
			return nil, fmt.Errorf("the raster ends after %d of %d rows", row, rows)
		}
		fields := strings.FieldsFunc(lines.Text(), func(c rune) bool { return strings.ContainsRune(" \t\r\x00", c) })
		if len(fields) < columns {
			return nil, fmt.Errorf("line %d: the row has %d of %d columns", row+1, len(fields), columns)
		}
		for _, s := range fields[:columns] {
			n, err := strconv.ParseInt(s, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no whole number", row+1, s)
			}
			r.cells = append(r.cells, int32(n))
		}
	}
	return r, nil
}

func fixedDegrees(degrees float64) int32 {
	return int32(math.Round(min(max(degrees, -360), 360) * coordinatePrecision))
}

func (r *raster) contains(lon, lat int32) bool {
	return lon >= r.west && lon <= r.east && lat >= r.south && lat <= r.north
}

// position returns a place in units of cells from the northwest corner.
func (r *raster) position(lon, lat int32) (x, y float32) {
	if r.columns > 1 {
		x = float32(lon-r.west) / r.stepWestEast
	}
	if r.rows > 1 {
		y = float32(r.north-lat) / r.stepDown
	}
	return x, y
}

func (r *raster) at(x, y int) float32 { return float32(r.cells[y*r.columns+x]) }

// nearest returns the value of the nearest cell.
func (r *raster) nearest(lon, lat float64) int32 {
	x, y := fixedDegrees(lon), fixedDegrees(lat)
	if !r.contains(x, y) {
		return invalidDatum
	}
	px, py := r.position(x, y)
	column := min(int(math.Round(float64(px))), r.columns-1)
	row := min(int(math.Round(float64(py))), r.rows-1)
	return r.cells[row*r.columns+column]
}

// interpolated returns the bilinear mean of the four cells around a place, cut
// to a whole number.
func (r *raster) interpolated(lon, lat float64) int32 {
	x, y := fixedDegrees(lon), fixedDegrees(lat)
	if !r.contains(x, y) {
		return invalidDatum
	}
	px, py := r.position(x, y)
	cell := func(p float32, n int) (low, high int) {
		low = min(int(p), n-1)
		return low, min(int(math.Ceil(float64(p))), n-1)
	}
	left, right := cell(px, r.columns)
	top, bottom := cell(py, r.rows)
	fromLeft, fromTop := px-float32(left), py-float32(top)
	fromRight, fromBottom := 1-fromLeft, 1-fromTop
	// The conversions keep products from being fused with sums.
	mean := float32(r.at(left, top)*float32(fromRight*fromBottom)) +
		float32(r.at(right, top)*float32(fromLeft*fromBottom)) +
		float32(r.at(left, bottom)*float32(fromRight*fromTop)) +
		float32(r.at(right, bottom)*float32(fromLeft*fromTop))
	return int32(min(max(int64(mean), math.MinInt32), math.MaxInt32))
}

// registerRaster defines the global object that loads and reads rasters.
func (w *worker) registerRaster(name string) {
	L := w.state
	invalid := L.NewFunction(func(L *glua.LState) int {
		L.Push(glua.LNumber(invalidDatum))
		return 1
	})
	query := func(read func(r *raster, lon, lat float64) int32) glua.LGFunction {
		return func(L *glua.LState) int {
			r := w.script.raster(toInt64(float64(L.CheckNumber(2))))
			if r == nil {
				L.RaiseError("there is no raster %v; use what load returned", L.Get(2))
				return 0
			}
			datum := L.CreateTable(0, 2)
			datum.RawSetString("datum", glua.LNumber(read(r, float64(L.CheckNumber(3)), float64(L.CheckNumber(4)))))
			datum.RawSetString("invalid_data", invalid)
			L.Push(datum)
			return 1
		}
	}
	w.setGlobal(name, w.newObject(w.methodType(name, map[string]glua.LGFunction{
		"load": func(L *glua.LState) int {
			var n [6]float64
			for i := range n {
				n[i] = float64(L.CheckNumber(3 + i))
			}
			number, err := w.script.loadRaster(L.CheckString(2), [4]float64(n[:4]), int(toInt32(n[4])), int(toInt32(n[5])))
			if err != nil {
				L.RaiseError("%v", err)
			}
			L.Push(glua.LNumber(number))
			return 1
		},
		"query":       query((*raster).nearest),
		"interpolate": query((*raster).interpolated),
	})))
}
