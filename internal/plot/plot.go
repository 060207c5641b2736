package plot

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/fourway-routing/fourway/internal/measure"
)

// Series are points of one kind. X and Y are positive, and as many of each.
type Series struct {
	Name string
	X, Y []float64
	// Second draws squares and a dashed line, for a series beside a first one.
	Second bool
	// Color is that of a first one, by its number among the colors.
	Color int
}

// Panel is a chart.
type Panel struct {
	Title, X, Y string // Y with its unit
	Series      []Series
}

// colors are told apart by most people (Okabe and Ito, 2008).
var colors = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

const (
	width, height       = 460, 420 // of a panel
	left, right         = 64, 14
	top, bottom         = 34, 44
	legendLine          = 16
	inWidth             = width - left - right
	markSize, fontSize  = 3.5, 12
	marginOfLines       = 0.06 // of the range, as a power of ten
	background, gridded = "#ffffff", "#dddddd"
)

// Write writes panels side by side as one drawing. The same panels give the same
// text.
func Write(w io.Writer, panels []Panel) error {
	most := 0
	for i := range panels {
		most = max(most, len(panels[i].Series))
	}
	var b strings.Builder
	tall := height + most*legendLine
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="%d">`+"\n",
		width*len(panels), tall, width*len(panels), tall, fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", background)
	for i := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d,0)">`+"\n", i*width)
		panels[i].draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// axis maps values to places, by their logarithms.
type axis struct {
	low, high  float64 // powers of ten
	from, over float64 // place of low, and length
}

func (a *axis) at(v float64) float64 {
	return a.from + a.over*(math.Log10(v)-a.low)/(a.high-a.low)
}

// span returns an axis that has room for all values.
func span(values func(*Series) []float64, all []Series, from, over float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range all {
		for _, v := range values(&all[i]) {
			low, high = min(low, math.Log10(v)), max(high, math.Log10(v))
		}
	}
	if low > high {
		low, high = 0, 1
	}
	margin := max((high-low)*marginOfLines, 0.1)
	return axis{low - margin, high + margin, from, over}
}

func (p *Panel) draw(b *strings.Builder) {
	x := span(func(s *Series) []float64 { return s.X }, p.Series, left, inWidth)
	y := span(func(s *Series) []float64 { return s.Y }, p.Series, height-bottom, -(height - top - bottom))
	text(b, left+inWidth/2, top-14, "middle", `font-weight="bold"`, p.Title)
	text(b, left+inWidth/2, height-8, "middle", "", p.X)
	fmt.Fprintf(b, `<text transform="translate(14,%d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", top+(height-top-bottom)/2, html.EscapeString(p.Y))
	for _, v := range ticks(&x) {
		at := x.at(v)
		fmt.Fprintf(b, `<path d="M%.1f %dV%d" stroke="%s"/>`+"\n", at, top, height-bottom, gridded)
		text(b, at, height-bottom+16, "middle", "", short(v))
	}
	for _, v := range ticks(&y) {
		at := y.at(v)
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="%s"/>`+"\n", left, at, left+inWidth, gridded)
		text(b, left-6, at+4, "end", "", short(v))
	}
	for i := range p.Series {
		p.Series[i].draw(b, &x, &y, height+i*legendLine)
	}
}

func text(b *strings.Builder, x, y float64, anchor, more, s string) {
	if more != "" {
		more = " " + more
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(s))
}

// ticks returns the powers of ten of an axis, and, where there are few, what lies
// between.
func ticks(a *axis) []float64 {
	steps := []float64{1}
	if a.high-a.low < 3 {
		steps = []float64{1, 2, 5}
	}
	var all []float64
	for e := math.Floor(a.low); e <= a.high; e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); math.Log10(v) >= a.low && math.Log10(v) <= a.high {
				all = append(all, v)
			}
		}
	}
	return all
}

// short writes a number with a letter for thousands.
func short(v float64) string {
	for _, unit := range [...]struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= unit.size*0.999 {
			return fmt.Sprintf("%.4g%s", v/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.3g", v)
}

// draw draws points, the line that fits them, and a line of the legend.
func (s *Series) draw(b *strings.Builder, x, y *axis, legend int) {
	color, dash := colors[s.Color%len(colors)], ""
	if s.Second {
		dash = ` stroke-dasharray="5 4"`
	}
	name := s.Name
	if len(s.X) > 1 {
		e, c := measure.Fit(s.X, s.Y)
		if !math.IsNaN(e) && !math.IsInf(c, 0) && c > 0 {
			low, high := s.X[0], s.X[0]
			for _, v := range s.X {
				low, high = min(low, v), max(high, v)
			}
			fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" fill="none"%s/>`+"\n",
				x.at(low), y.at(c*math.Pow(low, e)), x.at(high), y.at(c*math.Pow(high, e)), color, dash)
			name = fmt.Sprintf("%s: n^%.2f", name, e)
		}
	}
	for i := range s.X {
		s.mark(b, x.at(s.X[i]), y.at(s.Y[i]), color)
	}
	s.mark(b, left+8, float64(legend)+4, color)
	text(b, left+20, float64(legend)+8, "start", "", name)
}

func (s *Series) mark(b *strings.Builder, x, y float64, color string) {
	if s.Second {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%g" height="%g" fill="none" stroke="%s"/>`+"\n", x-markSize, y-markSize, 2*markSize, 2*markSize, color)
		return
	}
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>`+"\n", x, y, markSize, color)
}
