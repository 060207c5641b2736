package plot

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strconv"
)

// WriteSVG writes the map as a file of Scalable Vector Graphics. The same map gives the
// same text.
func (m *Map) WriteSVG(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", m.Width, m.Height, m.Width, m.Height)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", hex(paper))
	var number []byte
	for i := range m.shapes {
		s := &m.shapes[i]
		if len(s.starts) == 0 {
			continue
		}
		opacity := ""
		if s.color.A < 255 {
			opacity = fmt.Sprintf(` opacity="%.2f"`, float64(s.color.A)/255)
		}
		if s.width > 0 {
			fmt.Fprintf(w, `<path fill="none" stroke="%s" stroke-width="%g" stroke-linecap="round" stroke-linejoin="round"%s d="`, hex(s.color), s.width, opacity)
		} else {
			fmt.Fprintf(w, `<path fill="%s" fill-rule="evenodd"%s d="`, hex(s.color), opacity)
		}
		for k := range s.starts {
			path := s.path(k)
			for j := 0; j < len(path); j += 2 {
				number = append(number[:0], 'L')
				if j == 0 {
					number[0] = 'M'
				}
				number = strconv.AppendFloat(number, float64(path[j]), 'f', 1, 32)
				number = append(number, ' ')
				number = strconv.AppendFloat(number, float64(path[j+1]), 'f', 1, 32)
				_, _ = w.Write(number) // Flush tells of errors
			}
			if s.width == 0 {
				_ = w.WriteByte('Z')
			}
		}
		_, _ = w.WriteString("\"/>\n")
	}
	_, _ = w.WriteString("</svg>\n")
	return w.Flush()
}

// paper is the color beneath all shapes.
var paper = color.NRGBA{0xfb, 0xfa, 0xf7, 0xff}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
