// Package extracttest turns drawn maps into networks and asks about them by the
// letters of the drawing. It is for tests only.
package extracttest
