package cli

import (
	"strings"
	"unicode/utf8"
)

// maxCell is the most of a text that a table shows.
const maxCell = 80

// renderTable aligns a grid: numbers to the right, the rest to the left. NULL
// stands for no value, and a text that reads NULL is quoted.
func renderTable(g grid, s style) []byte {
	widths := make([]int, len(g.columns))
	right := make([]bool, len(g.columns))
	for i, name := range g.columns {
		widths[i] = utf8.RuneCountInString(name)
		right[i] = allNumbers(g.rows, i)
	}
	shown := make([][]string, len(g.rows))
	for r, row := range g.rows {
		shown[r] = make([]string, len(row))
		for i, c := range row {
			shown[r][i] = display(c)
			widths[i] = max(widths[i], utf8.RuneCountInString(shown[r][i]))
		}
	}
	var b strings.Builder
	line := func(texts []string, paint func(i int, text string) string) { // colours have no width
		for i, text := range texts {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
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
	line(g.columns, func(_ int, text string) string { return s.bold(text) })
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
	text := oneLine(c.text)
	if runes := []rune(text); len(runes) > maxCell {
		return string(runes[:maxCell-1]) + "…"
	}
	return text
}

// oneLine keeps a text to one line and to what a terminal shows as it is:
// control characters would move its cursor, and each becomes a space.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) {
			return ' '
		}
		return r
	}, text)
}
