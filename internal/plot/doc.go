// Package plot draws charts with logarithmic axes, and the power laws that fit
// their points, as SVG.
package plot
