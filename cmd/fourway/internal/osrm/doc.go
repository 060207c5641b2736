// Package osrm is the command lines of OSRM's tools: osrm-extract,
// osrm-partition, osrm-customize, osrm-contract, osrm-routed and osrm-datastore
// take the same options, say what scripts look for, and end with the same codes.
//
// What osrm-extract makes of x.osm.pbf is a data set named x.osrm, whose files
// are x.osrm.graph and so on, and the other tools take x, x.osrm or x.osm.pbf for
// its name. The files are those of package routing, not OSRM's.
//
// Data sets need no shared memory here: their files are mapped, so that processes
// share what they read. What osrm-datastore "loads" is therefore a link to the
// files under the name of the dataset, see package store, and osrm-routed
// --shared-memory serves what the link leads to, and follows it.
package osrm
