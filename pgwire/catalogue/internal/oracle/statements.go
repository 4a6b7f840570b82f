package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var parameterPattern = regexp.MustCompile(`\$\d+`)

// WithValues writes the values of parameters into a statement, as texts.
func WithValues(sql string, values [][]byte) string {
	return parameterPattern.ReplaceAllStringFunc(sql, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil || n < 1 || n > len(values) {
			return p
		}
		if values[n-1] == nil {
			return "NULL"
		}
		return literal(string(values[n-1]))
	})
}

var numberPattern = regexp.MustCompile(`\b\d{5,10}\b`)

// Abstract replaces the OIDs of the server's own objects by what they name: {class orders}.
func (s *Server) Abstract(sql string) string {
	return numberPattern.ReplaceAllStringFunc(sql, func(text string) string {
		oid, err := strconv.ParseUint(text, 10, 32)
		if name, ok := s.Names[uint32(oid)]; err == nil && ok {
			return "{" + name + "}"
		}
		return text
	})
}

var namePattern = regexp.MustCompile(`\{(class|type|constraint|database|role) [^{}]+\}`)

// Concrete puts the OIDs of a side into an abstract statement.
func Concrete(sql string, names map[uint32]string) string {
	return namePattern.ReplaceAllStringFunc(sql, func(text string) string {
		for oid, name := range names {
			if "{"+name+"}" == text {
				return strconv.FormatUint(uint64(oid), 10)
			}
		}
		return text
	})
}

// separator is the line between the statements of a file.
const separator = "\n-- next\n"

// SplitFile reads the statements of a file.
func SplitFile(text string) []string {
	var out []string
	for sql := range strings.SplitSeq(strings.TrimSpace(text), separator) {
		if sql != "" {
			out = append(out, sql)
		}
	}
	return out
}

// JoinFile writes the statements of a file, each once.
func JoinFile(statements []string) string {
	var out []string
	for _, sql := range statements {
		sql = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(sql), ";"))
		if sql != "" && !slices.Contains(out, sql) {
			out = append(out, sql)
		}
	}
	return strings.Join(out, separator) + "\n"
}
