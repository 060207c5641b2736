// Package lua runs profiles written in Lua for OSRM, unchanged: versions 0 to 4
// of its interface, with the objects, enumerations and helper functions that
// they expect.
package lua
