package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/profile"
)

// worker returns worker i of the profile, which knows the relations and what holds
// at places. The stages of an extraction use the same workers one after another:
// scripts take a while to start.
func (x *extraction) worker(i int) (profile.Worker, error) {
	for len(x.workers) <= i {
		w, err := x.profile.NewWorker()
		if err != nil {
			return nil, err
		}
		if l, ok := w.(profile.LocationWorker); ok && x.opts.Locations != nil {
			l.SetLocations(x.opts.Locations)
		}
		x.workers = append(x.workers, w)
	}
	if r, ok := x.workers[i].(profile.RelationWorker); ok {
		r.SetRelations(x.relations)
		r.SetAreas(x.areas.relations)
	}
	return x.workers[i], nil
}

// readRelations runs a pass before all others for profiles that look at
// relations: it collects those that they want to look up later, then shows them
// all.
func (x *extraction) readRelations(ctx context.Context) error {
	w, err := x.worker(0)
	if err != nil {
		return err
	}
	worker, ok := w.(profile.RelationWorker)
	if !ok {
		return nil
	}
	batches := make([][]*osm.Relation, x.opts.Workers)
	var all, wanted, areas []*osm.Relation
	_, err = x.file.Scan(ctx, x.scan("relations", osmfile.Relations), osmfile.Handler{
		Parallel: func(b *osmfile.Block) error {
			batch := batches[b.Worker][:0]
			for i := range b.Relations {
				batch = append(batch, copyRelation(&b.Relations[i]))
			}
			batches[b.Worker] = batch
			return nil
		},
		Ordered: func(b *osmfile.Block) error {
			all = append(all, batches[b.Worker]...)
			return nil
		},
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		if slices.Contains(x.props.RelationTypes, r.Tags.Find("type")) {
			wanted = append(wanted, r)
		}
	}
	x.relations = profile.NewRelations(wanted)
	worker.SetRelations(x.relations)
	for _, r := range all {
		var result profile.RelationResult
		if err := worker.Relation(r, &result); err != nil {
			return fmt.Errorf("extract: relation %d: %w", r.ID, err)
		}
		if result.Area {
			areas = append(areas, r)
		}
	}
	x.setAreas(areas)
	return nil
}

// copyRelation takes a relation out of its block.
func copyRelation(r *osmfile.Relation) *osm.Relation {
	c := &osm.Relation{
		ID:      r.ID,
		Tags:    make(osm.Tags, len(r.Tags)),
		Members: make(osm.Members, len(r.Members)),
	}
	for i, t := range r.Tags {
		c.Tags[i] = osm.Tag{Key: strings.Clone(t.Key), Value: strings.Clone(t.Value)}
	}
	for i, m := range r.Members {
		c.Members[i] = osm.Member{Type: m.Type, Ref: m.Ref, Role: strings.Clone(m.Role)}
	}
	return c
}
