package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// examples are command lines that the help of commands ends with.
var examples = map[string][]string{
	"build": {
		"fourway build -o delaware delaware.osm.pbf",
		"fourway build --profile bicycle --tags -o bike delaware.osm.pbf",
		"fourway build --algorithm mld,cch -o live delaware.osm.pbf",
		"fourway build --from delaware --metric rush --segment-speed-file rush.csv",
		"fourway build --like delaware -o newer delaware.osm.pbf",
	},
	"route": {
		"fourway route --steps delaware -75.5466,39.7447 -75.7497,39.6837",
		"fourway route --algorithm mld --exclude motorway,ferry live -75.5466,39.7447 -75.7497,39.6837",
	},
	"table":      {"fourway table --sources 0 delaware -75.5466,39.7447 -75.7497,39.6837 -75.5244,39.1582"},
	"nearest":    {"fourway nearest -n 3 delaware -75.5466,39.7447"},
	"explain":    {"fourway explain delaware -75.5466,39.7447 -75.7497,39.6837"},
	"match-eval": {"fourway match-eval --count 10 --noise 5,20 delaware", "fourway match-eval delaware traces"},
	"lookup": {
		"fourway lookup delaware way/11756511",
		"fourway lookup --around -75.5466,39.7447 --radius 50 delaware",
		`fourway lookup --query '[out:json];way["highway"="motorway"];out count;' delaware`,
	},
	"isochrone": {"fourway isochrone --minutes 10,20,30 -o reach.geojson delaware -75.5466,39.7447"},
	"export": {
		"fourway export -f gpx -o route.gpx delaware -75.5466,39.7447 -75.7497,39.6837",
		"fourway export -f csv -o roads delaware",
	},
	"plot": {
		"fourway plot --route -75.5466,39.7447 --route -75.7497,39.6837 -o route.svg delaware",
		"fourway plot --isochrone -75.5466,39.7447 --minutes 10,20,30 -o reach.png delaware",
	},
	"info":   {"fourway info delaware"},
	"verify": {"fourway verify delaware"},
	"serve": {
		"fourway serve delaware",
		"fourway serve --listen 0.0.0.0:5000 --access-log car=delaware bike=bike",
		"fourway serve --algorithm mld --allow-updates --update-token-file token live",
	},
	"demo":       {"fourway demo", "fourway demo --extract monaco.osm.pbf"},
	"bench":      {"fourway bench --json delaware.json delaware.osm.pbf", "fourway bench --only '^random_match' --data delaware"},
	"growth":     {"fourway growth --sizes 1e5,1e6 --svg growth.svg"},
	"replay":     {"fourway replay --data delaware day.txt", "fourway replay --url http://127.0.0.1:5000 --recorded day.txt"},
	"synth-day":  {"fourway synth-day -o day.txt delaware"},
	"synth-osm":  {"fourway synth-osm --nodes 5e6 -o country.osm.pbf", "fourway synth-osm --mosaic delaware.osm.pbf --copies 3x3 -o mosaic.osm.pbf"},
	"completion": {"source <(fourway completion bash)"},
	"man":        {"fourway man | man -l -"},
}

// showExamples adds them to the help of commands, and so to the page of the manual.
func showExamples(app *kong.Kong) error {
	for _, n := range app.Model.Children {
		lines := examples[n.Name]
		if len(lines) == 0 {
			continue
		}
		head := "Example:"
		if len(lines) > 1 {
			head = "Examples:"
		}
		parts := []string{head, "    " + strings.Join(lines, "\n    ")}
		if n.Detail != "" {
			parts = append([]string{n.Detail}, parts...)
		}
		n.Detail = strings.Join(parts, "\n\n")
	}
	return nil
}
