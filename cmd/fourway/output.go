package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// writeTo writes a file, which appears as a whole or not at all; "-" is where answers
// go.
func writeTo(t *console, path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(t.out)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// parseBox reads west,south,east,north in degrees; the default for no text.
func parseBox(s string, standard orb.Bound) (orb.Bound, error) {
	if s == "" {
		return standard, nil
	}
	parts := strings.Split(strings.TrimSpace(s), ",")
	var v [4]float64
	for i, part := range parts {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || i >= len(v) {
			return orb.Bound{}, fmt.Errorf("--box: %q is no rectangle: write WEST,SOUTH,EAST,NORTH in degrees", s)
		}
		v[i] = n
	}
	b := orb.Bound{Min: orb.Point{v[0], v[1]}, Max: orb.Point{v[2], v[3]}}
	// Written so that what is no number is none either.
	if !(len(parts) == len(v) && -180 <= v[0] && v[0] < v[2] && v[2] <= 180 && -90 <= v[1] && v[1] < v[3] && v[3] <= 90) {
		return orb.Bound{}, fmt.Errorf("--box: %q is no rectangle: write WEST,SOUTH,EAST,NORTH in degrees", s)
	}
	return b, nil
}
