package main

import (
	"regexp"
	"strings"
)

// findPatternMatches returns the matches of all patterns in a text. A sentence may continue over lines.
func findPatternMatches(t ProseText) []Finding {
	// A line break is one byte, as is the space that takes its place: positions stay.
	flat := strings.ReplaceAll(t.Prose, "\n", " ")
	var out []Finding
	for _, p := range disallowedWordingPatterns {
		var but [][]int
		if p.But != nil {
			but = p.But.FindAllStringIndex(flat, -1)
		}
		for _, at := range p.Match.FindAllStringIndex(flat, -1) {
			if overlapsAnySpan(at, but) {
				continue
			}
			matched := strings.TrimLeft(flat[at[0]:at[1]], ".;:!, ")
			if isExceptedMatch(t.File, p.ID, flat, at) {
				continue
			}
			line := t.Line + strings.Count(t.Prose[:at[1]-len(matched)], "\n")
			out = append(out, Finding{t.Group, t.File, line, p, shortenMatch(matched)})
		}
	}
	return out
}

// shortenMatch keeps the first words of a long match.
func shortenMatch(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	head := text[:most]
	return head[:max(strings.LastIndex(head, " "), 1)] + " ..."
}

func overlapsAnySpan(at []int, spans [][]int) bool {
	for _, s := range spans {
		if s[0] < at[1] && at[0] < s[1] {
			return true
		}
	}
	return false
}

// exceptedSentence is a sentence that a pattern matches and that is right as it is.
type exceptedSentence struct {
	file, pattern string
	text          *regexp.Regexp // contains the match
	why           string
}

func isExceptedMatch(file, pattern, text string, at []int) bool {
	for _, e := range exceptedSentences {
		if e.pattern == pattern && e.file == file && overlapsAnySpan(at, e.text.FindAllStringIndex(text, -1)) {
			return true
		}
	}
	return false
}

// ProseTextKind is a kind of text with its own budget.
type ProseTextKind string

// The groups, in the order of the report.
const (
	GroupPages    ProseTextKind = "pages"    // Markdown, and comments of YAML that users read
	GroupCLI      ProseTextKind = "cli"      // help of commands and flags
	GroupMessages ProseTextKind = "messages" // errors, log lines, descriptions
	GroupComments ProseTextKind = "comments" // comments of Go
)

func allGroups() []ProseTextKind {
	return []ProseTextKind{GroupPages, GroupCLI, GroupMessages, GroupComments}
}

// ProseText is a run of prose at one place of a file.
type ProseText struct {
	Group ProseTextKind
	File  string // relative to the root of the repository, with slashes
	Line  int    // of the first line
	Prose string // lines are parted by line breaks as in the file
}

// Finding is a match of a pattern.
type Finding struct {
	Group   ProseTextKind
	File    string
	Line    int
	Pattern Pattern
	Matched string
}
