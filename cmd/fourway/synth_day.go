package main

import (
	"fmt"
	"io"
	"os"

	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/routing"
)

type synthDayCmd struct {
	Name string `arg:"" help:"Name of the data set, without ending, whose places the requests are about."`

	algorithm
	Output   string `short:"o" required:"" help:"File to write, to be played by fourway replay." placeholder:"FILE" type:"path"`
	Requests int    `default:"534497" help:"How many requests (${default})." placeholder:"N"`
	Seed     uint64 `default:"1" help:"Another seed makes another day (${default})." placeholder:"N"`
	Profile  string `default:"driving" help:"Profile in the URLs (${default})." placeholder:"NAME"`
}

// drives is the number of drives that traces are taken from.
const drives = 1000

func (c *synthDayCmd) Run(t *console) error {
	if c.Requests < 0 {
		return fmt.Errorf("--requests is %d, want at least 0", c.Requests)
	}
	places, err := workload.OpenPlaces(c.Name)
	if err != nil {
		return err
	}
	engine, err := routing.Open(c.Name, routing.Options{Algorithm: c.Algorithm})
	if err != nil {
		return err
	}
	defer engine.Close()
	if err := places.Simulate(t.ctx, engine, drives, c.Seed); err != nil {
		return err
	}
	if err := writeFile(c.Output, func(w io.Writer) error {
		return workload.WriteDay(t.ctx, w, places, workload.DayOptions{Requests: c.Requests, Seed: c.Seed, Profile: c.Profile})
	}); err != nil {
		return err
	}
	fmt.Fprintf(t.err, "wrote %s: %d requests\n", c.Output, c.Requests)
	return nil
}

// writeFile writes a file, under another name until it is complete.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // is gone once all went well
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
