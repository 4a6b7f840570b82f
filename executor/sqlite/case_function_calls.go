package sqlite

import "strings"

// renameCaseFunctionCalls gives LOWER and UPPER of a statement the names of the functions for all letters.
// Texts, quoted names and comments stay as they are.
func renameCaseFunctionCalls(sql string) string {
	var out strings.Builder
	kept := 0 // what is before it has been written
	for i := 0; i < len(sql); {
		if n := leadingQuotedOrCommentLength(sql[i:]); n > 0 {
			i += n
			continue
		}
		n := leadingWordLength(sql[i:])
		if n == 0 {
			i++
			continue
		}
		if name := replacementCaseFunction(sql[i:i+n], sql[i+n:]); name != "" {
			out.WriteString(sql[kept:i])
			out.WriteString(name)
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return sql
	}
	out.WriteString(sql[kept:])
	return out.String()
}

// restoreLowerUpperInErrorMessage replaces the names of the added functions in a message of SQLite by the names in the
// statement.
func restoreLowerUpperInErrorMessage(message string) string {
	return strings.NewReplacer(lowerFunctionName, "LOWER", upperFunctionName, "UPPER").Replace(message)
}

// replacementCaseFunction returns the name for a word that is called, "" for any other.
func replacementCaseFunction(word, rest string) string {
	rest = strings.TrimLeft(rest, " \t\r\n")
	switch {
	case !strings.HasPrefix(rest, "("):
		return ""
	case strings.EqualFold(word, "LOWER"):
		return lowerFunctionName
	case strings.EqualFold(word, "UPPER"):
		return upperFunctionName
	}
	return ""
}

// leadingQuotedOrCommentLength returns the length of a text, a quoted name or a comment that the statement continues with.
func leadingQuotedOrCommentLength(sql string) int {
	var closing string
	switch {
	case strings.HasPrefix(sql, "--"):
		closing = "\n"
	case strings.HasPrefix(sql, "/*"):
		closing = "*/"
	case strings.ContainsRune("'\"`", rune(sql[0])):
		closing = sql[:1] // doubled ones are two texts side by side
	case sql[0] == '[':
		closing = "]"
	default:
		return 0
	}
	opening := len(closing)
	if closing == "\n" {
		opening = 2
	}
	end := strings.Index(sql[opening:], closing)
	if end < 0 {
		return len(sql)
	}
	return opening + end + len(closing)
}

// leadingWordLength returns the length of the name or the number that the statement continues with.
func leadingWordLength(sql string) int {
	for i := range len(sql) {
		c := sql[i]
		if c != '_' && c != '$' && c < 0x80 && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return i
		}
	}
	return len(sql)
}
