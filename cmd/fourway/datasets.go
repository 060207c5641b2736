package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// dataSet is an argument of serve: the name of a data set and, unless it is the
// only one, the profile that URLs call it by.
type dataSet struct{ profile, name string }

// parseDataSets reads NAME, or PROFILE=NAME once or more.
func parseDataSets(args []string) ([]dataSet, error) {
	var sets []dataSet
	seen := map[string]bool{}
	for _, arg := range args {
		profile, name, ok := strings.Cut(arg, "=")
		if !ok || strings.ContainsAny(profile, `/\`) { // a path may have a =
			profile, name = "", arg
		}
		switch {
		case profile == "" && len(args) > 1:
			return nil, fmt.Errorf("%s: several data sets need a profile each: PROFILE=NAME", arg)
		case profile != "" && !httpapi.ValidProfile(profile):
			return nil, fmt.Errorf("%s: %q cannot stand in a URL as a profile; use letters, digits, and any of _.~:-", arg, profile)
		case name == "":
			return nil, fmt.Errorf("%s: the name of the data set is empty", arg)
		case seen[profile]:
			return nil, fmt.Errorf("%s: another data set has profile %s already", arg, profile)
		}
		seen[profile] = true
		sets = append(sets, dataSet{profile, name})
	}
	return sets, nil
}

// fleet is the open data sets of a server by the profiles in URLs. One data set
// may have several.
type fleet struct {
	engines map[string]*routing.Engine
	opened  []*routing.Engine
	names   []string // of those opened
	first   string   // of the profiles: whose data set answers where none is named
}

// openFleet opens data sets. With anyProfile there is one named driving, if need
// be the first.
func openFleet(sets []dataSet, anyProfile bool, opt routing.Options) (*fleet, error) {
	f := &fleet{engines: map[string]*routing.Engine{}}
	byName := map[string]*routing.Engine{}
	for _, set := range sets {
		e := byName[set.name]
		if e == nil {
			var err error
			if e, err = routing.Open(set.name, opt); err != nil {
				_ = f.close() // the first error says more
				return nil, err
			}
			byName[set.name] = e
			f.opened, f.names = append(f.opened, e), append(f.names, set.name)
		}
		if f.first == "" {
			f.first = cmp.Or(set.profile, "driving")
		}
		if set.profile == "" {
			f.engines["driving"], f.engines["car"], f.engines[e.Info().Profile] = e, e, e
		} else {
			f.engines[set.profile] = e
		}
	}
	if anyProfile && f.engines["driving"] == nil {
		f.engines["driving"] = f.opened[0]
	}
	return f, nil
}

// reopen puts what is on disk now in the place of each data set. Requests that run
// finish on what they began with; a data set that cannot be opened stays.
func (f *fleet) reopen(t *console) {
	for i, e := range f.opened {
		if err := e.Replace(t.ctx, f.names[i]); err != nil {
			fmt.Fprintf(t.err, "%s stays as it was: %v\n", f.names[i], err)
		} else {
			fmt.Fprintf(t.err, "opened %s anew\n", f.names[i])
		}
	}
}

func (f *fleet) close() error {
	var errs []error
	for _, e := range f.opened {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
