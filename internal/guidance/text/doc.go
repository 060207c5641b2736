// Package text writes maneuvers as sentences. What it knows of a language lies in
// a file of data: JSON in the folder languages, embedded in the program.
//
// A sentence is made of a template:
//
//	Turn {modifier}[ onto {way}| toward {destination}]
//
// Braces take what the maneuver has under that name. Brackets take the first of
// the alternatives between bars for which the maneuver has everything, or nothing
// if there is none; they nest. A backslash takes the next character as it is.
//
// Counting differs by language: a file says by rules which numbers are "one",
// "two", "few" or "many", the rest being "other", in the notation of Unicode's
// plural rules (UTS #35), as far as "n % 10 = 2..4 and n % 100 != 12..14" goes.
// Words that stand in more than one form have a dictionary for each: {side} and
// {side.noun} are two of them. Names of roads stay as they are.
//
// To add a language, add its file. Opening it checks that it lacks nothing.
//
// A Language is immutable and safe for concurrent use.
package text
