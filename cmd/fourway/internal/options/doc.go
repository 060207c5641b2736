// Package options reads command lines as programs built on Boost.Program_options
// do, so that scripts written for them run unchanged.
//
//	set := options.New()
//	group := set.Group("Options")
//	threads := options.Add(group, "threads,t", 4, options.Unsigned, "Number of threads")
//	input := options.Add(group, "input,i", "", options.Path, "File to read")
//	set.Positional("input")
//	err := set.Parse(os.Args[1:])
//
// An option has a long name and perhaps a short one. Accepted are --name value,
// --name=value, -n value, -nvalue, several short options without values in one
// word, any beginning of a long name that no other shares, and options after
// positional arguments. After -- everything is positional.
//
// A Set belongs to one goroutine.
package options
