package main

// fact is what OSRM 26.8 takes for a request: mean and 99th percentile in
// microseconds, 0 where it is not known. Measured on two cores of an AMD EPYC,
// idle, with its own benchmark programs and parameters, in process, one thread.
type fact struct {
	name      string
	mean, p99 float64
}

// facts are those of an extract.
var facts = map[string][]fact{
	"delaware": {
		{"random_nearest/algo=ch/number=1", 41, 100},
		{"random_nearest/algo=ch/number=5", 51, 120},
		{"random_nearest/algo=ch/number=10", 67, 130},
		{"random_nearest/algo=mld/number=1", 49, 0},
		{"random_nearest/algo=mld/number=5", 67, 0},
		{"random_nearest/algo=mld/number=10", 89, 0},
		{"random_route/algo=ch/coordinates=3/full", 1810, 3200},
		{"random_route/algo=mld/coordinates=3/full", 2100, 3900},
		{"random_route/algo=ch/coordinates=2/alternatives=3/full", 3120, 6900},
		{"random_route/algo=mld/coordinates=2/alternatives=3/full", 1850, 3900},
		{"random_route/algo=ch/coordinates=3/plain", 960, 1700},
		{"random_route/algo=mld/coordinates=3/plain", 1260, 2300},
		{"random_route/algo=ch/coordinates=2/alternatives=3/plain", 2340, 5400},
		{"random_route/algo=mld/coordinates=2/alternatives=3/plain", 1060, 2100},
		{"random_table/algo=ch/coordinates=3", 960, 1700},
		{"random_table/algo=ch/coordinates=25", 7230, 8900},
		{"random_table/algo=ch/coordinates=50", 14500, 19000},
		{"random_table/algo=mld/coordinates=3", 3000, 4400},
		{"random_table/algo=mld/coordinates=25", 26000, 37000},
		{"random_table/algo=mld/coordinates=50", 50000, 69000},
		{"random_trip/algo=ch/coordinates=3", 2240, 3600},
		{"random_trip/algo=ch/coordinates=5", 3290, 5900},
		{"random_trip/algo=mld/coordinates=3", 3480, 5600},
		{"random_trip/algo=mld/coordinates=5", 5520, 7100},
		{"random_match/algo=ch/radius=default", 2150, 7000},
		{"random_match/algo=ch/radius=10", 4390, 16000},
		{"random_match/algo=ch/radius=20", 13900, 69000},
		{"random_match/algo=mld/radius=default", 1160, 3100},
		{"random_match/algo=mld/radius=10", 2120, 6900},
		{"random_match/algo=mld/radius=20", 6600, 37000},
	},
	// Means from operations a second.
	"monaco": {
		{"random_nearest/algo=ch/number=1", 1e6 / 23900, 0},
		{"random_nearest/algo=ch/number=5", 1e6 / 17800, 0},
		{"random_nearest/algo=ch/number=10", 1e6 / 14400, 0},
		{"random_nearest/algo=mld/number=1", 1e6 / 30500, 0},
		{"random_nearest/algo=mld/number=5", 1e6 / 22900, 0},
		{"random_nearest/algo=mld/number=10", 1e6 / 17500, 0},
		{"random_route/algo=ch/coordinates=3/full", 1e6 / 2968, 0},
		{"random_route/algo=mld/coordinates=3/full", 1e6 / 2623, 0},
		{"random_route/algo=ch/coordinates=3/plain", 1e6 / 6119, 0},
		{"random_route/algo=mld/coordinates=3/plain", 1e6 / 4914, 0},
		{"random_table/algo=ch/coordinates=3", 1e6 / 6940, 0},
		{"random_table/algo=ch/coordinates=25", 1e6 / 815, 0},
		{"random_table/algo=ch/coordinates=50", 1e6 / 395, 0},
		{"random_table/algo=mld/coordinates=3", 1e6 / 1964, 0},
		{"random_table/algo=mld/coordinates=25", 1e6 / 145, 0},
		{"random_table/algo=mld/coordinates=50", 1e6 / 62.5, 0},
		{"random_trip/algo=ch/coordinates=3", 1e6 / 3318, 0},
		{"random_trip/algo=ch/coordinates=5", 1e6 / 2237, 0},
		{"random_trip/algo=mld/coordinates=3", 1e6 / 1285, 0},
		{"random_trip/algo=mld/coordinates=5", 1e6 / 911, 0},
		{"random_match/algo=ch/radius=default", 1e6 / 227, 0},
		{"random_match/algo=ch/radius=10", 1e6 / 69, 0},
		{"random_match/algo=ch/radius=20", 1e6 / 13.9, 0},
		{"random_match/algo=mld/radius=default", 1e6 / 463, 0},
		{"random_match/algo=mld/radius=10", 1e6 / 147, 0},
		{"random_match/algo=mld/radius=20", 1e6 / 29, 0},
		{"match/algo=ch/radius=default", 6220, 0},
		{"match/algo=mld/radius=default", 2760, 0},
		{"rtree/results=1", 18, 0},
		{"rtree/results=10", 21, 0},
		{"json-render/to=buffer", 8800, 0},
	},
}

// stageFact is what a tool of OSRM takes: seconds, and megabytes of memory.
type stageFact struct{ wall, cpu, peak float64 }

var stageFacts = map[string]map[string]stageFact{
	"delaware": {
		"extract": {7.07, 11.7, 242}, "partition": {1.42, 2.1, 61}, "customize": {0.96, 1.3, 59}, "contract": {25.2, 48.6, 124},
		"contract-grid": {58.9, 79.4, 52},
	},
}

// disks are the megabytes of OSRM's files for both algorithms.
var disks = map[string]float64{"delaware": 92}
