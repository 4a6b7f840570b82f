package parsers

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// textsOfFile cuts the texts for a parser out of a file.
func textsOfFile(name, content string) []string {
	switch filepath.Ext(name) {
	case ".go":
		return stringLiterals(content)
	case "":
		return stringLiterals(strings.TrimPrefix(content, "go test fuzz v1\n"))
	case ".txtar":
		return conditionAndExpressionTexts(content)
	}
	var out []string
	for _, block := range strings.Split(content, "\n\n") {
		out = append(out, block)
		statement, _, _ := strings.Cut(block, "\n--")
		out = append(out, statement)
		for _, line := range strings.Split(block, "\n") {
			left, right, _ := strings.Cut(line, " => ")
			out = append(out, left, right)
		}
	}
	return out
}

// stringLiterals returns the values of the string literals of Go source.
func stringLiterals(source string) []string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), []byte(source), func(token.Position, string) {}, 0)
	var out []string
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(literal); err == nil {
			out = append(out, text)
		}
	}
}

var valuePattern = regexp.MustCompile(`(?:expression|where_sql|sql|filter|context_filter|condition)"?: *(.*)`)

// conditionAndExpressionTexts returns what a case has as expressions, conditions and statements.
func conditionAndExpressionTexts(content string) []string {
	var out []string
	for _, found := range valuePattern.FindAllStringSubmatch(content, -1) {
		value := strings.TrimRight(found[1], ", }]")
		out = append(out, value)
		if text, err := strconv.Unquote(value); err == nil {
			out = append(out, text)
		}
	}
	return out
}
