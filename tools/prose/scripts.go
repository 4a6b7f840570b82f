package main

import (
	"regexp"
	"slices"
	"strings"
)

// A token is a comment or a string; the alternatives are tried in order at each position, so that
// neither is found inside of the other.
var (
	pythonTokenPattern     = regexp.MustCompile(`(?s)"""(.*?)"""|'''(.*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|(?m:#:? ?([^\n]*)$)`)
	typeScriptTokenPattern = regexp.MustCompile("(?s)`((?:[^`\\\\]|\\\\.)*)`|\"((?:[^\"\\\\\n]|\\\\.)*)\"|'((?:[^'\\\\\n]|\\\\.)*)'|/\\*(.*?)\\*/|(?m://+ ?([^\n]*)$)")
	interpolationPattern   = regexp.MustCompile(`\$?\{[^{}]*\}`)
	shellCommentPattern    = regexp.MustCompile(`(?m)(?:^|[ \t])##? ?([^\n]*)$`)
)

// proseOfNonGoProgram returns the comments and the strings of a program in another language than Go. A group of the
// pattern that is a comment is named by its index in commentGroups; consecutive lines of comments are one text.
func proseOfNonGoProgram(file, content string, tokens *regexp.Regexp, commentGroups ...int) []ProseText {
	var out []ProseText
	lastCommentLine := -1
	for _, at := range tokens.FindAllStringSubmatchIndex(content, -1) {
		for group := 1; group < len(at)/2; group++ {
			if at[2*group] < 0 {
				continue
			}
			prose := content[at[2*group]:at[2*group+1]]
			line := 1 + strings.Count(content[:at[2*group]], "\n")
			if !slices.Contains(commentGroups, group) {
				if strings.Contains(prose, " ") && !isTypeScriptTestFile(file) {
					out = append(out, ProseText{GroupMessages, file, line, blankOutCode(interpolationPattern.ReplaceAllString(prose, "·"))})
				}
				continue
			}
			if line == lastCommentLine+1 && len(out) > 0 && out[len(out)-1].Group == GroupComments {
				out[len(out)-1].Prose += "\n" + blankOutCode(prose)
			} else {
				out = append(out, ProseText{GroupComments, file, line, blankOutCode(prose)})
			}
			lastCommentLine = line + strings.Count(prose, "\n")
		}
	}
	return out
}

// isTypeScriptTestFile reports whether a file holds tests, whose strings are not messages.
func isTypeScriptTestFile(file string) bool {
	return strings.HasSuffix(file, ".test.ts") || strings.Contains(file, "/tests/")
}

var (
	templateActionPattern  = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	jsonDescriptionPattern = regexp.MustCompile(`"(?:description|title)": *"((?:[^"\\]|\\.)*)"`)
	yamlDescriptionPattern = regexp.MustCompile(`\b(?:description|label|questions): *["'\[]*([^"'\n]* [^"'\n]*)`)
)

// proseOfPlainText returns the paragraphs of a text without marks, such as the notes of a chart. Template actions are code.
func proseOfPlainText(file, content string) []ProseText {
	content = templateActionPattern.ReplaceAllStringFunc(content, func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return '·'
		}, s)
	})
	return proseOfMarkdownFile(file, content)
}

// proseOfDescriptions returns what a pattern finds in a document that programs read: descriptions for people.
func proseOfDescriptions(file, content string, pattern *regexp.Regexp) []ProseText {
	var out []ProseText
	for _, at := range pattern.FindAllStringSubmatchIndex(content, -1) {
		line := 1 + strings.Count(content[:at[2]], "\n")
		out = append(out, ProseText{GroupPages, file, line, blankOutCode(content[at[2]:at[3]])})
	}
	return out
}
