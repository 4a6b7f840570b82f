package document

import (
	"fmt"
	"strings"
)

// syntaxMistake is the place of an error in its text.
type syntaxMistake struct {
	lines          []string
	message        string // of the library
	stopped, block mark
}

// hint returns what to change for the usual mistakes: a tab, the indentation, a quote or a colon inside a text,
// a missing comma or bracket.
func (m syntaxMistake) hint() string {
	before := m.textBefore(m.stopped)
	isFirstOfLine := strings.TrimLeft(before, " ") == ""
	switch {
	case m.isTab():
		return "replace the tab by spaces"
	case m.message == endOfStreamMessage:
		return "close the quotes at the end of the text"
	case m.message == missingColonMessage:
		return "write a colon and a space after the key"
	case m.message == badTokenMessage:
		return fmt.Sprintf("put the text that begins with %.1s into quotes", m.textFrom(m.stopped))
	case m.message == nestedColonMessage && strings.Contains(before, ": "):
		return "put the text into quotes, because it contains a colon"
	case m.message == nestedColonMessage:
		return "indent the line as the line above it, or put the text above into quotes"
	case m.followsQuote(before):
		return m.quoteHint(before[len(before)-1:])
	case m.message == missingInMapMessage || m.message == missingInSeqMessage:
		return m.collectionHint(before)
	case isFirstOfLine && (m.message == missingKeyMessage || m.message == missingDashMessage):
		return m.indentationHint(len(before))
	case m.message == missingKeyMessage && strings.ContainsAny(m.textFrom(m.stopped)+" ", "]}"):
		return "remove the bracket, or open one before it"
	}
	return ""
}

// isTab reports whether reading stopped at a tab.
func (m syntaxMistake) isTab() bool { return strings.HasPrefix(m.textFrom(m.stopped), "\t") }

// textBefore returns the part of a mark's line before the mark.
func (m syntaxMistake) textBefore(at mark) string {
	line := m.line(at.line)
	return string(line[:min(at.column-1, len(line))])
}

// textFrom returns the rest of a mark's line.
func (m syntaxMistake) textFrom(at mark) string {
	line := m.line(at.line)
	return string(line[min(at.column-1, len(line)):])
}

func (m syntaxMistake) line(number int) []rune {
	if number < 1 || number > len(m.lines) {
		return nil
	}
	return []rune(m.lines[number-1])
}

// followsQuote reports whether reading stopped at a character right behind a quote.
func (m syntaxMistake) followsQuote(before string) bool {
	return strings.HasSuffix(before, "'") || strings.HasSuffix(before, `"`)
}

func (m syntaxMistake) quoteHint(quote string) string {
	if quote == "'" {
		return "double the quote inside the text: ''"
	}
	return `write the quote inside the text as \"`
}

// collectionHint is about a collection in brackets that goes on where it should end.
func (m syntaxMistake) collectionHint(before string) string {
	bracket := m.message[len(m.message)-2 : len(m.message)-1]
	_, last, _ := cutLast(strings.TrimRight(before, " "), ",{[")
	_, value, hasKey := strings.Cut(last, ": ")
	switch {
	case m.block.line < m.stopped.line:
		return fmt.Sprintf("close the bracket of line %d with %s, or write a comma between its entries", m.block.line, bracket)
	case hasKey && strings.HasPrefix(m.textFrom(m.stopped), ":") && !strings.Contains(strings.TrimSpace(value), " "):
		return "put the text into quotes, because it contains a colon"
	}
	if strings.TrimSpace(m.textFrom(m.stopped)) == "" {
		return "write a comma between the entries, or close the bracket with " + bracket
	}
	return "write a comma between the entries, or put a text with special characters into quotes"
}

// cutLast cuts a text around the last of some characters.
func cutLast(text, characters string) (before, after string, found bool) {
	if i := strings.LastIndexAny(text, characters); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return "", text, false
}

// indentationHint compares the indentation of the line with that of the nearest line above of its kind.
func (m syntaxMistake) indentationHint(indentation int) string {
	isItem := strings.HasPrefix(m.textFrom(m.stopped), "- ")
	for number := m.stopped.line - 1; number > 0; number-- {
		line := m.lines[number-1]
		content := strings.TrimLeft(line, " ")
		if content == "" || content[0] == '#' || strings.HasPrefix(content, "- ") != isItem {
			continue
		}
		return fmt.Sprintf("the line is indented by %d, and line %d by %d: entries of one block are indented alike", indentation, number, len(line)-len(content))
	}
	return "indent the line as the other entries of its block"
}
