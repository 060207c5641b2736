// Package profile says what OpenStreetMap tags mean for a vehicle: which ways
// it may use and how fast, what stops or slows it at nodes, and what a turn
// costs. Car, bicycle and foot follow the stock profiles of OSRM 26.8: the
// same tags give the same modes, speeds, rates, names, lanes, classes and
// obstacles. Package profile/lua runs profiles written for OSRM itself.
//
// The package turns tags into plain values and knows nothing of graphs: which
// nodes a way visits, how rates become weights and which turns exist is the
// extractor's business. Turn restriction relations are read by the extractor
// too; Properties.Restrictions only names the keys that apply.
//
// # Use
//
// A Profile is immutable and may be shared. Whoever evaluates tags takes a
// Worker from it, one per goroutine, and hands it elements together with a
// result that is used again for the next element:
//
//	worker, err := p.NewWorker()
//	var result profile.WayResult
//	for _, way := range ways {
//		if err := worker.Way(way, &result); err != nil {
//			return err
//		}
//		if result.Routable(p.Properties().DurationIsWeight()) {
//			use(way, &result)
//		}
//	}
//
// The order in which elements reach workers never changes a result.
//
// # Lifetime
//
// Strings in results share memory with the element's tags where the value is
// taken over unchanged. Slices in a NodeResult belong to the result and are
// overwritten by the next call.
package profile
