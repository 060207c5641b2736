package httpapi

import "github.com/fourway-routing/fourway/routing"

// exports are the suffixes of a query whose answer other programs are to read: GeoJSON
// first, which isochrones are in, too.
var exports = []word[contentType]{{".geojson", geojsonBody}, {".gpx", gpxBody}}

// exportAnswer is an answer in a format that is not OSRM's.
type exportAnswer struct {
	response interface {
		AppendGeoJSON(dst []byte) []byte
		AppendGPX(dst []byte) []byte
	}
	kind contentType
}

func (a *exportAnswer) render(b *buffer, _ bool) {
	if a.kind == gpxBody {
		b.body = a.response.AppendGPX(b.body[:0])
		return
	}
	b.body = a.response.AppendGeoJSON(b.body[:0])
}

// export makes the whole line the default where it is to be kept, not looked at.
func (d *drawing) export(kind contentType) {
	if kind != jsonBody && !d.overviewed {
		d.overview = routing.OverviewFull
	}
}
