package osrm

import (
	"bufio"
	"errors"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/options"
	"github.com/fourway-routing/fourway/cmd/fourway/internal/store"
)

// feature is a part of the data set that a server can do without.
type feature string

const (
	routeSteps    feature = "ROUTE_STEPS"
	routeGeometry feature = "ROUTE_GEOMETRY"
)

func parseFeature(s string) (feature, error) {
	switch f := feature(s); f {
	case routeSteps, routeGeometry:
		return f, nil
	}
	return "", unknownFeature
}

func (t *tool) addFeatures(g *options.Group) *[]feature {
	return options.Words(g, "disable-feature-dataset", parseFeature, "Features to do without: ROUTE_STEPS, ROUTE_GEOMETRY")
}

func runDatastore(t *tool) error {
	const usage = "[<options>] <configuration>"
	g := t.addGeneral()
	removeLocks := options.Flag(g, "remove-locks,r", "Accepted; there are no locks")
	springClean := options.Flag(g, "spring-clean,s", "Forget all datasets, after a question")
	c := t.options.Group("Configuration")
	options.Add(c, "max-wait", -1, options.Integer, "Accepted; an update waits for nothing")
	name := options.Add(c, "dataset-name", "", options.Text, "Name of the dataset")
	features := t.addFeatures(c)
	list := options.Switch(c, "list", false, "List all datasets")
	blocks := options.Switch(c, "list-blocks", false, "List all datasets and their files")
	options.Switch(c, "only-metric", false, "Accepted; what has not changed is not loaded again anyway")
	base := options.Add(t.options.Hidden(), "base,b", "", options.Path, "")
	t.options.Positional("base")
	if len(t.Args) == 0 {
		return t.usage(usage, 0)
	}
	// A command line that cannot be read ends without a code here, as with OSRM.
	var code exitCode
	if err := t.parse(usage, routedInputs...); errors.As(err, &code) {
		return nil
	}
	s, err := store.Open()
	if err != nil {
		return err
	}
	switch {
	case *removeLocks:
		return nil
	case *springClean:
		return t.springClean(s)
	case *list || *blocks:
		return t.list(s, *blocks)
	}
	if *base == "" || !t.complete(dataSet(*base), routedInputs) {
		return t.failf("Config contains invalid file paths. Exiting!")
	}
	disabled := make([]string, len(*features))
	for i, f := range *features {
		disabled[i] = string(f)
	}
	d, err := s.Put(*name, dataSet(*base), disabled)
	if err != nil {
		return err
	}
	t.log.infof("Dataset %q is %s, number %d", *name, dataSet(*base), d.Number)
	t.log.infof("All data loaded. Notify all client of new data")
	return nil
}

// springClean forgets all datasets if the answer to a question is Y.
func (t *tool) springClean(s *store.Store) error {
	t.log.infof("This forgets all datasets. Servers go on with what they have.")
	t.log.infof("Type 'Y' to go on.")
	if letter, err := bufio.NewReader(t.In).ReadByte(); err != nil || letter != 'Y' {
		t.log.infof("aborted.")
		return nil
	}
	return s.Clear()
}

// list prints the datasets, each in the two parts that OSRM has.
func (t *tool) list(s *store.Store, files bool) error {
	sets, err := s.List()
	if err != nil {
		return err
	}
	t.log.infof("name\tshm key\ttimestamp\tsize")
	for _, d := range sets {
		var fixed, updatable int64
		for _, f := range d.Files {
			if f.Suffix == ".graph" {
				fixed += f.Bytes
			} else {
				updatable += f.Bytes
			}
		}
		t.log.infof("%s/static\t%d\t%d\t%d", d.Name, 2*d.Number, d.Number, fixed)
		t.log.infof("%s/updatable\t%d\t%d\t%d", d.Name, 2*d.Number+1, d.Number, updatable)
		if files {
			for _, f := range d.Files {
				t.log.infof("  %s %d", f.Suffix, f.Bytes)
			}
		}
	}
	return nil
}
