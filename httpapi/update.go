package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/fourway-routing/fourway/routing"
)

// standardLayer is the layer of updates that name none.
const standardLayer = "live"

// update reads updates: speeds or turn penalties in OSRM's CSV, or JSON.
func (c *change) update() (func(context.Context) (any, error), error) {
	if c.rest != "" {
		return nil, fail(codeInvalidURL, "Nothing follows the profile.")
	}
	var updates []routing.Update
	var err error
	switch c.kind {
	case "text/csv":
		updates, err = c.updateOfCSV()
	case "application/json":
		updates, err = c.updatesOfJSON()
	default:
		return nil, fail(codeInvalidContentType, "Updates are text/csv or application/json.")
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		report, err := c.engine.Update(ctx, updates...)
		if err != nil {
			return nil, err
		}
		answer := updateAnswer{Code: "Ok", Nodes: report.Nodes, Took: report.Took.Seconds()}
		for _, m := range report.Metrics {
			answer.Metrics = append(answer.Metrics, metricAnswer{m.Name, m.ID, m.Nodes})
		}
		for _, l := range report.Layers {
			answer.Layers = append(answer.Layers, layerAnswer(l))
		}
		return &answer, nil
	}, nil
}

type updateAnswer struct {
	Code    string         `json:"code"`
	Layers  []layerAnswer  `json:"layers"`
	Metrics []metricAnswer `json:"metrics"`
	Nodes   int            `json:"nodes"`
	Took    float64        `json:"took"` // seconds
}

// metricAnswer is what a MetricInfo tells of a state.
type metricAnswer struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	Nodes int    `json:"nodes"`
}

// layerAnswer has the fields of a LayerReport.
type layerAnswer struct {
	Metric      string `json:"metric,omitempty"`
	Name        string `json:"name"`
	Speeds      int    `json:"speeds"`
	Ways        int    `json:"ways"`
	Turns       int    `json:"turns"`
	FoundSpeeds int    `json:"found_speeds"`
	FoundWays   int    `json:"found_ways"`
	FoundTurns  int    `json:"found_turns"`
}

// updateOfCSV reads a file whose layer the query names.
func (c *change) updateOfCSV() ([]routing.Update, error) {
	if err := c.only("layer", "type", "clear", "metric"); err != nil {
		return nil, err
	}
	u := routing.Update{Metric: c.query.Get("metric"), Layer: c.query.Get("layer")}
	if u.Layer == "" {
		u.Layer = standardLayer
	}
	var err error
	if u.Clear, err = c.flag("clear"); err != nil {
		return nil, err
	}
	switch c.query.Get("type") {
	case "", "speeds":
		u.Speeds, err = routing.ReadSegmentSpeeds("body", c.body)
	case "turns":
		u.Turns, err = routing.ReadTurnPenalties("body", c.body)
	default:
		return nil, fail(routing.ErrInvalidOptions, "type is speeds or turns.")
	}
	if err == nil {
		return []routing.Update{u}, nil
	}
	if _, known := errors.AsType[*routing.Error](err); known {
		return nil, err
	}
	if _, known := errors.AsType[*http.MaxBytesError](err); known {
		return nil, err
	}
	return nil, fail(routing.ErrInvalidQuery, "The request body ends early: %v", err)
}

// updateBody is an Update in JSON.
type updateBody struct {
	Metric string
	Layer  string
	Clear  bool
	Speeds []speedBody
	Ways   []speedBody
	Turns  []turnBody
}

type speedBody struct {
	From, To, Way *int64
	Backward      bool
	Speed         *float64 // km/h; absent with Remove
	Rate          float64
	KeepWeight    bool `json:"keep_weight"`
	Remove        bool
}

type turnBody struct {
	From, Via, To   *int64
	Penalty, Weight *float64
	Remove          bool
}

// updatesOfJSON reads one update, or the member updates with several.
func (c *change) updatesOfJSON() ([]routing.Update, error) {
	if err := c.only(); err != nil {
		return nil, err
	}
	data, err := c.text()
	if err != nil {
		return nil, err
	}
	members, err := parseBody(data)
	if err != nil {
		return nil, err
	}
	list := make([]updateBody, 1)
	if _, several := members["updates"]; several {
		var all struct{ Updates []updateBody }
		err = strict(data, &all)
		list = all.Updates
	} else {
		err = strict(data, &list[0])
	}
	if err != nil {
		return nil, badBody("The body is not an update: %v", err)
	}
	if list == nil {
		return nil, badBody("updates must be an array of updates")
	}
	updates := make([]routing.Update, len(list))
	for i := range list {
		if updates[i], err = list[i].update(); err != nil {
			return nil, err
		}
	}
	return updates, nil
}

func (b *updateBody) update() (routing.Update, error) {
	u := routing.Update{Metric: b.Metric, Layer: b.Layer, Clear: b.Clear}
	if u.Layer == "" {
		u.Layer = standardLayer
	}
	for i, s := range b.Speeds {
		speed, err := s.speed("speeds", i)
		if err != nil {
			return u, err
		}
		if s.From == nil || s.To == nil || s.Way != nil {
			return u, badBody("speeds: entry %d must have from and to, OSM nodes", i)
		}
		u.Speeds = append(u.Speeds, routing.SegmentSpeed{From: *s.From, To: *s.To, Speed: speed, Rate: s.Rate, KeepWeight: s.KeepWeight})
	}
	for i, s := range b.Ways {
		speed, err := s.speed("ways", i)
		if err != nil {
			return u, err
		}
		if s.Way == nil || s.From != nil || s.To != nil {
			return u, badBody("ways: entry %d must have way, of OSM", i)
		}
		u.Ways = append(u.Ways, routing.WaySpeed{Way: *s.Way, Backward: s.Backward, Speed: speed, Rate: s.Rate, KeepWeight: s.KeepWeight})
	}
	for i, p := range b.Turns {
		if p.From == nil || p.Via == nil || p.To == nil {
			return u, badBody("turns: entry %d must have from, via and to, OSM nodes", i)
		}
		t := routing.TurnPenalty{From: *p.From, Via: *p.Via, To: *p.To, Remove: p.Remove}
		if p.Penalty != nil {
			t.Penalty = *p.Penalty
		} else if !p.Remove {
			return u, badBody("turns: entry %d must have penalty, in seconds, or remove", i)
		}
		if p.Weight != nil {
			t.Weight = explicit(*p.Weight)
		}
		u.Turns = append(u.Turns, t)
	}
	return u, nil
}

// speed returns the speed of the i-th entry of a list, negative if it is removed.
func (s *speedBody) speed(list string, i int) (float64, error) {
	switch {
	case s.Remove && s.Speed == nil:
		return -1, nil
	case s.Remove || s.Speed == nil || *s.Speed < 0:
		return 0, badBody("%s: entry %d must have speed, in km/h and 0 or more, or remove", list, i)
	}
	return *s.Speed, nil
}
