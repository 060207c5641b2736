// Package routing is the public face of Fourway: Build prepares an
// OpenStreetMap extract, Open maps the prepared files, and Route and Nearest
// answer as OSRM's services of the same names do.
//
// It parses no URLs and serves none: see package httpapi.
package routing
