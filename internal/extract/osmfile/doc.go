// Package osmfile reads OpenStreetMap files as streams of blocks: .osm.pbf, and .osm plain or compressed with gzip or
// bzip2. The format is told from the first bytes; names do not matter.
//
// It decodes and checks; what tags mean, which ways matter and how elements join is the caller's concern. Change files
// (osmChange), history files, o5m and OPL are refused with an error that says so.
//
// # Passes
//
// A [File] can be scanned any number of times, once per pass of an extraction. Each [File.Scan] names the kinds it
// wants. The first scan of a PBF remembers what each blob holds, so that later scans neither read nor inflate the others;
// and if it wants no nodes, it inflates no more than the start of most blobs that hold nothing else.
// Elements arrive as they stand in the file: nothing is sorted, nothing is resolved, and a file that holds its ways
// before its nodes is as good as any.
//
// # Blocks
//
// A block is one PBF blob or a batch of a few thousand XML elements. Nodes are columns (id, longitude, latitude) since
// most carry no tags and matter only as coordinates; those with tags are listed once more with the row they stand in.
//
// # Concurrency
//
// Scan decodes on [Options.Workers] goroutines, each of which owns its buffers, inflater and block for the whole scan;
// as many blocks are in memory as there are workers. Blocks go first to [Handler.Parallel], concurrently, then to
// [Handler.Ordered], in file order and one at a time; so the work on a block can be spread over all cores and its outcome
// still be merged in an order that depends on the file alone. All goroutines have ended when Scan returns. A File
// serves one Scan at a time.
//
// # Lifetime
//
// A [Block] and every slice reached from it is reused and valid only until the last handler returns. Strings are
// copies and may be kept.
//
// # Bad input
//
// Every failure to read is an [*Error] with file, place and one of the sentinels [ErrNotOSM], [ErrUnsupported],
// [ErrTruncated], [ErrCorrupt], [ErrTooBig]. Memory stays bounded whatever the file claims: PBF blobs by the format's own
// limits (64 KiB per header, 32 MiB inflated), XML tags, names, nesting and text by limits far above what OSM allows.
package osmfile
