package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var parameterPattern = regexp.MustCompile(`\$\d+`)

// InlineParameters writes the values of parameters into a statement, as texts.
func InlineParameters(sql string, values [][]byte) string {
	return parameterPattern.ReplaceAllStringFunc(sql, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil || n < 1 || n > len(values) {
			return p
		}
		if values[n-1] == nil {
			return "NULL"
		}
		return quoteLiteral(string(values[n-1]))
	})
}

var oidPattern = regexp.MustCompile(`\b\d{5,10}\b`)

// ReplaceOIDsInStatementByPlaceholders replaces the OIDs of the server's own objects by what they name: {class orders}.
func (s *Server) ReplaceOIDsInStatementByPlaceholders(sql string) string {
	return oidPattern.ReplaceAllStringFunc(sql, func(text string) string {
		oid, err := strconv.ParseUint(text, 10, 32)
		if name, ok := s.Names[uint32(oid)]; err == nil && ok {
			return "{" + name + "}"
		}
		return text
	})
}

var objectPlaceholderPattern = regexp.MustCompile(`\{(class|type|constraint|database|role) [^{}]+\}`)

// ReplacePlaceholdersByOIDs puts the OIDs of a side into an abstract statement.
func ReplacePlaceholdersByOIDs(sql string, names map[uint32]string) string {
	return objectPlaceholderPattern.ReplaceAllStringFunc(sql, func(text string) string {
		for oid, name := range names {
			if "{"+name+"}" == text {
				return strconv.FormatUint(uint64(oid), 10)
			}
		}
		return text
	})
}

// statementSeparator is the line between the statements of a file.
const statementSeparator = "\n-- next\n"

// SplitStatementFile reads the statements of a file.
func SplitStatementFile(text string) []string {
	var out []string
	for sql := range strings.SplitSeq(strings.TrimSpace(text), statementSeparator) {
		if sql != "" {
			out = append(out, sql)
		}
	}
	return out
}

// JoinStatementFile writes the statements of a file, each once.
func JoinStatementFile(statements []string) string {
	var out []string
	for _, sql := range statements {
		sql = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(sql), ";"))
		if sql != "" && !slices.Contains(out, sql) {
			out = append(out, sql)
		}
	}
	return strings.Join(out, statementSeparator) + "\n"
}
