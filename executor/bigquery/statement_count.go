package bigquery

import "strings"

// countStatements counts the statements of a text: what semicolons part, and holds more
// than space and comments. Semicolons in texts, names and comments do not count.
func countStatements(sql string) int {
	count, something := 0, false
	for i := 0; i < len(sql); {
		n := quotedOrCommentLength(sql[i:])
		switch {
		case n > 0 && startsWithComment(sql[i:]):
			i += n
		case n > 0:
			something = true
			i += n
		case sql[i] == ';':
			if something {
				count++
			}
			something = false
			i++
		default:
			something = something || !strings.ContainsRune(" \t\r\n\f\v", rune(sql[i]))
			i++
		}
	}
	if something {
		count++
	}
	return count
}

func startsWithComment(s string) bool {
	return s[0] == '#' || strings.HasPrefix(s, "--") || strings.HasPrefix(s, "/*")
}

// quotedOrCommentLength returns the length of the comment, the text or the quoted name that s begins
// with, 0 if it begins with none. What is not closed reaches to the end.
func quotedOrCommentLength(s string) int {
	switch {
	case s[0] == '#' || strings.HasPrefix(s, "--"):
		return indexAfterDelimiter(s, "\n", 0)
	case strings.HasPrefix(s, "/*"):
		return indexAfterDelimiter(s, "*/", 2)
	case strings.HasPrefix(s, `"""`), strings.HasPrefix(s, "'''"):
		return quotedStringLength(s, s[:3])
	case s[0] == '"' || s[0] == '\'' || s[0] == '`':
		return quotedStringLength(s, s[:1])
	default:
		return 0
	}
}

func indexAfterDelimiter(s, end string, from int) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// quotedStringLength: a backslash keeps the next character from ending it, in raw texts too.
func quotedStringLength(s, quote string) int {
	for i := len(quote); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		}
	}
	return len(s)
}
