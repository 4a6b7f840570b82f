package cli

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// maxCell is the most columns of a terminal that a table gives to a text.
const maxCell = 80

// renderTable aligns a grid: numbers to the right, the rest to the left. NULL
// stands for no value, and a text that reads NULL is quoted.
func renderTable(g grid, s style) []byte {
	widths := make([]int, len(g.columns))
	right := make([]bool, len(g.columns))
	titles := make([]string, len(g.columns))
	for i, name := range g.columns {
		titles[i] = oneLine(name)
		widths[i] = displaywidth.String(titles[i])
		right[i] = allNumbers(g.rows, i)
	}
	shown := make([][]string, len(g.rows))
	for r, row := range g.rows {
		shown[r] = make([]string, len(row))
		for i, c := range row {
			shown[r][i] = display(c)
			widths[i] = max(widths[i], displaywidth.String(shown[r][i]))
		}
	}
	var b strings.Builder
	line := func(texts []string, paint func(i int, text string) string) { // colours have no width
		for i, text := range texts {
			pad := strings.Repeat(" ", widths[i]-displaywidth.String(text))
			text = paint(i, text)
			switch {
			case right[i]:
				b.WriteString(pad + text)
			case i == len(texts)-1:
				b.WriteString(text)
			default:
				b.WriteString(text + pad)
			}
			if i < len(texts)-1 {
				b.WriteString("  ")
			}
		}
		b.WriteByte('\n')
	}
	line(titles, func(_ int, text string) string { return s.bold(text) })
	rules := make([]string, len(widths))
	for i, w := range widths {
		rules[i] = strings.Repeat("-", w)
	}
	line(rules, func(_ int, text string) string { return s.dim(text) })
	for r, texts := range shown {
		line(texts, func(i int, text string) string {
			if g.rows[r][i].null {
				return s.dim(text)
			}
			return text
		})
	}
	return []byte(b.String())
}

func allNumbers(rows [][]cell, i int) bool {
	seen := false
	for _, row := range rows {
		if !row[i].number && !row[i].null {
			return false
		}
		seen = seen || row[i].number
	}
	return seen
}

// display is a cell's text in one line.
func display(c cell) string {
	if c.null {
		return "NULL"
	}
	if c.text == "NULL" && !c.number {
		return `"NULL"`
	}
	return displaywidth.TruncateString(oneLine(c.text), maxCell, "…")
}

// oneLine keeps a text to one line and to what a terminal shows as it is: controls
// would move its cursor, or turn what follows around, and each becomes a space.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || embedsDirection(r) {
			return ' '
		}
		return r
	}, text)
}

// embedsDirection reports whether a rune sets the direction of all that follows it,
// the cells beside it too. Marks, which have no effect beyond their neighbours, stay.
func embedsDirection(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}
