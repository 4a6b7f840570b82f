package engine

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// The maximum length of an excerpt of a line, and how much of it precedes the column when the line is cut.
const (
	excerptWidth             = 100
	excerptWidthBeforeColumn = 40
)

// LineExcerpt returns a line of a text with its number, and a caret below the column of a position; "" for an unknown
// position. If the line is long, it is the part around the column. width is how many columns a text takes where it is shown.
func LineExcerpt(line string, at modelspec.Position, width func(string) int) string {
	if at.Line < 1 || at.Column < 1 {
		return ""
	}
	text := []rune(line)
	column := min(at.Column-1, len(text))
	if len(text) > excerptWidth {
		from := min(max(column-excerptWidthBeforeColumn, 0), len(text)-excerptWidth)
		if from > 0 {
			text = append([]rune("…"), text[from+1:]...)
			column -= from
		}
		if len(text) > excerptWidth {
			text = append(text[:excerptWidth-1], '…')
		}
	}
	number := strconv.Itoa(at.Line)
	margin := strings.Repeat(" ", len(number)+2) + " | "
	return strings.TrimRight("  "+number+" | "+string(text), " ") + "\n" + margin + strings.Repeat(" ", width(string(text[:column]))) + "^\n"
}
