// Package plot draws charts with logarithmic axes, and the power laws that fit
// their points, as SVG; and maps of lines and areas, as SVG and PNG.
package plot
