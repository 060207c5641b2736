// Package hours reads opening hours as OpenStreetMap writes them, such as
// "Mo-Fr 07:00-09:00,16:00-18:30; PH off", and tells whether an instant is within
// them: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification.
//
// Years, month and day ranges, dates relative to weekdays and to Easter, weeks,
// weekdays, the n-th weekday of a month, and times are understood, times beyond
// midnight and relative to the sun included. Of several rules the last that
// applies decides, whatever stands between them. Holidays are not known: a rule for
// holidays alone never applies, one for holidays and others applies to the others.
package hours
