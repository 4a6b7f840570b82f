package layout

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/document"
)

// formatScalarOnOneLine returns a scalar on one line, in quotes where YAML needs them.
func formatScalarOnOneLine(n *Node, inFlow bool) string {
	switch {
	case n.Absent:
		return ""
	case n.TagText != "" && n.Style == PlainStyle, n.Tag != "!!str" && n.TagText == "":
		return n.Value // of which the text is as it was
	case n.TagText == "" && isPlainString(n.Value, inFlow):
		return n.Value
	}
	return quoteYAMLString(n.Value)
}

// isPlainString reports whether a string reads as itself without quotes.
func isPlainString(s string, inFlow bool) bool {
	if s == "" || strings.TrimSpace(s) != s || !isPrintableOnOneLine(s) || strings.ContainsRune(s, '\t') {
		return false
	}
	switch c := s[0]; {
	case strings.IndexByte("#,[]{}&*!|>'\"%@`", c) >= 0:
		return false
	case strings.IndexByte("-?:", c) >= 0 && (len(s) == 1 || s[1] == ' ' || inFlow):
		return false
	}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") || strings.Contains(s, " #") ||
		strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || inFlow && strings.ContainsAny(s, ",[]{}?") {
		return false
	}
	return !parsesAsNonString(s)
}

// parsesAsNonString reports whether a reader of YAML 1.1 or 1.2 takes a word without quotes for
// another type than a string.
func parsesAsNonString(s string) bool {
	if document.PlainTag(s) != "!!str" {
		return true
	}
	switch strings.ToLower(s) {
	case "yes", "no", "on", "off", "=", "<<":
		return true
	}
	return strings.IndexByte("+-0123456789", s[0]) >= 0 && yaml11NumberPattern.MatchString(s)
}

// yaml11NumberPattern is what YAML 1.1 alone reads as a number: in base 60, or in base 8, or with _.
var yaml11NumberPattern = regexp.MustCompile(`^[-+]?(?:[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|0[xXoObB][0-9a-fA-F_]+)$`)

// isPrintableOnOneLine reports whether the text may stand in YAML without escapes, on one line.
func isPrintableOnOneLine(s string) bool {
	for _, r := range s {
		switch {
		case r == '\t', r >= 0x20 && r < 0x7F, r >= 0xA0 && r < 0xD800 && r != 0x2028 && r != 0x2029:
		case r >= 0xE000 && r <= 0xFFFD && r != 0xFEFF && r != utf8.RuneError, r >= 0x10000:
		default:
			return false
		}
	}
	return true
}

// quoteYAMLString writes a string in double quotes, or in single quotes where those save escapes.
func quoteYAMLString(s string) string {
	printable := isPrintableOnOneLine(s) && !strings.ContainsRune(s, '\t')
	if printable && strings.ContainsAny(s, `"\`) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isPrintableOnOneLine(string(r)):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
