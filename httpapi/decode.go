package httpapi

import "github.com/fourway-routing/fourway/routing"

// DecodeRoute reads a request as the body of a POST to the route service says it,
// for those who take such requests from elsewhere, lines of a file for one. What
// has to do with HTTP or with the words of an answer, format and language, is read
// and has no effect. Errors are a *routing.Error.
func DecodeRoute(body []byte) (routing.RouteRequest, error) {
	r, _, err := routeOfBody(body)
	return r, err
}

// DecodeMatch is DecodeRoute for the match service.
func DecodeMatch(body []byte) (routing.MatchRequest, error) {
	r, _, err := matchOfBody(body)
	return r, err
}

// DecodeIsochrone is DecodeRoute for isochrones, which the server takes by GET alone.
// The members are the options of the URL; contours are arrays of numbers.
func DecodeIsochrone(body []byte) (routing.IsochroneRequest, error) {
	return isochroneOfBody(body)
}
