package cli

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// renderAlignedTable aligns a grid: numbers to the right, the rest to the left. NULL marks a
// missing value, and a string that reads NULL is quoted. It takes at most width columns of
// a terminal, or as many as it needs where width is 0: texts are cut and their ends marked,
// numbers are not, and columns that do not fit are left out after a mark. It returns how
// many columns it shows.
func renderAlignedTable(g textTable, s textStyle, width int) (text []byte, columns int) {
	t := newAlignedTable(g, width)
	var b strings.Builder
	t.writeRow(&b, t.titles, func(_ int, text string) string { return s.bold(text) })
	rules := make([]string, len(t.widths))
	for i, w := range t.widths {
		rules[i] = strings.Repeat("-", w)
	}
	t.writeRow(&b, rules, func(_ int, text string) string { return s.dim(text) })
	for r, texts := range t.cells {
		t.writeRow(&b, texts, func(i int, text string) string {
			if g.rows[r][i].null {
				return s.dim(text)
			}
			return text
		})
	}
	return []byte(b.String()), t.shown
}

// alignedTable is a grid with its texts and widths.
type alignedTable struct {
	titles []string
	cells  [][]string
	widths []int
	right  []bool
	shown  int // columns that fit
}

func newAlignedTable(g textTable, width int) *alignedTable {
	n := len(g.columns)
	t := &alignedTable{titles: make([]string, n), cells: make([][]string, len(g.rows)), widths: make([]int, n), right: make([]bool, n)}
	most := maxCellWidth
	if width > 0 {
		most = width
	}
	for i, name := range g.columns {
		t.titles[i] = terminalSafeLine(name)
		t.widths[i] = displaywidth.String(t.titles[i])
		t.right[i] = isNumberColumn(g.rows, i)
	}
	numbers := g.numberColumns()
	for r, row := range g.rows {
		t.cells[r] = make([]string, n)
		for i, c := range row {
			t.cells[r][i] = cellDisplayText(c, numbers[i], most)
			t.widths[i] = max(t.widths[i], displaywidth.String(t.cells[r][i]))
		}
	}
	t.shown = fitColumnWidths(t.widths, t.shortenableColumns(), width)
	return t
}

// shortenableColumns returns the columns of texts. A number without its end would be another number.
func (t *alignedTable) shortenableColumns() []bool {
	out := make([]bool, len(t.right))
	for i, right := range t.right {
		out[i] = !right
	}
	return out
}

// writeRow writes one row. paint gives a text its colour, which has no width.
func (t *alignedTable) writeRow(b *strings.Builder, texts []string, paint func(i int, text string) string) {
	for i, text := range texts[:t.shown] {
		text = displaywidth.TruncateString(text, t.widths[i], "…")
		pad := strings.Repeat(" ", t.widths[i]-displaywidth.String(text))
		text = paint(i, text)
		switch {
		case t.right[i]:
			b.WriteString(pad + text)
		case i == len(texts)-1:
			b.WriteString(text)
		default:
			b.WriteString(text + pad)
		}
		if i < len(texts)-1 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
	}
	if t.shown < len(texts) {
		b.WriteString(hiddenColumnsMark)
	}
	b.WriteByte('\n')
}

func isNumberColumn(rows [][]tableCell, i int) bool {
	seen := false
	for _, row := range rows {
		if !row[i].number && !row[i].null {
			return false
		}
		seen = seen || row[i].number
	}
	return seen
}

// nullText is the word for a missing value.
const nullText = "NULL"

// cellDisplayText returns a cell's text in one line of at most so many columns of a terminal; a
// number is never cut.
func cellDisplayText(c tableCell, numbers numberColumn, most int) string {
	if c.null {
		return nullText
	}
	if c.text == nullText && !c.number {
		return `"` + nullText + `"`
	}
	if c.number {
		return numbers.text(c.text)
	}
	return displaywidth.TruncateString(terminalSafeLine(c.text), most, "…")
}

// terminalSafeLine keeps a text to one line and to what a terminal shows as it is: controls
// would move its cursor, or turn what follows around, and each becomes a space.
func terminalSafeLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || isBidiControlRune(r) {
			return ' '
		}
		return r
	}, text)
}

// isBidiControlRune reports whether a rune sets the direction of all that follows it,
// the cells beside it too. Marks, which have no effect beyond their neighbours, stay.
func isBidiControlRune(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}
