// Package file is the container of prepared data: named sections of fixed-size
// elements behind a header, read in place from a memory mapping.
//
// All numbers are little-endian. A file begins with
//
//	offset  bytes
//	     0      8  magic 89 'F' 'W' 'Y' 0D 0A 1A 0A
//	     8      4  version of the container
//	    12      4  kind, four ASCII letters
//	    16      4  version of the kind
//	    20      4  bytes of the header: 64 + 16·bound + 64·sections
//	    24      8  bytes of the file
//	    32      4  number of bound ids
//	    36      4  number of sections
//	    40      4  CRC-32C of the header, itself taken as 0
//	    44      4  0
//	    48     16  id: start of the SHA-256 of the content
//	    64     16  each: ids of the files that this one was made for
//	     …     64  each section: name (32 bytes, filled with 0), offset (8),
//	               bytes (8), bytes of an element (4), CRC-32C (4), 0 (8)
//
// and then the sections, in the order of the table, each at the next multiple of
// 64, with zeros between. The same content gives the same bytes.
//
// Opening validates header, table and bounds, in time independent of the size of
// the sections; [File.Verify] reads all. The meaning of sections is their
// owner's to check.
//
// A Writer is used by one goroutine. A File is immutable and safe for concurrent
// use until it is closed; slices from [Section] may be its mapping, are read-only
// and die with it.
//
// The build tag nounsafe, and a big-endian machine, decode sections into copies.
package file
