// Package lua runs profiles written in Lua for OSRM, unchanged: versions 0 to 4
// of its interface, with the objects, enumerations, libraries and helper
// functions that they expect. What OSRM's own profiles return for an element is
// what they return here.
//
//	p, err := lua.Open("profiles/car.lua", lua.Options{})
//
// # Interpreter
//
// Scripts run in gopher-lua, which speaks Lua 5.1 with goto. What profiles use
// of newer versions is added: table.pack, table.unpack and table.move, load of
// strings, string.rep with a separator, math.tointeger, math.type, rawlen, utf8,
// __pairs, escapes such as "\u{e9}", and the patterns and numbers in strings of Lua
// 5.4. Numbers are floats of 64 bits: integers beyond 2 to the power of 53 are not
// exact, where Lua 5.4 wraps them around, and 2.0 is written 2. The operators // and
// those on bits are missing. A module is found in the folder of the profile.
//
// # What is missing
//
// Versions of elements are 0, and nodes of ways have no place, unless whoever reads
// the map fills them in.
//
// # Safety
//
// A script that is not Options.Trusted cannot read or write anything but code
// and rasters of its own folder, and is stopped when a call takes too many
// instructions. Work of library functions and the length of strings count as
// instructions too. This keeps honest mistakes and simple malice from hanging
// or filling a process; it is no replacement for a process of its own with
// limits of the operating system.
//
// # Speed
//
// A worker keeps results by the values of the tags that the script has asked for,
// and does not call it again for an element with the same ones. This is not done
// for elements that the script asks for more than tags (their ids, nodes or
// places) or that are members of relations that it looks up, for calls that print
// or are random, and for scripts whose functions carry something from call to call
// in variables.
//
// # Concurrency and lifetime
//
// A profile is safe for concurrent use and each of its workers runs an
// interpreter of its own, as in OSRM: global variables of a script are not
// shared. A script must therefore not carry anything from one element to the
// next, or results depend on the number of workers. Objects that the script is
// given are valid only during the call.
package lua
