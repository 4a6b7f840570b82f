package main

import (
	"regexp"
	"strings"
)

var (
	inlineCodePattern  = regexp.MustCompile("`+[^`]*`+")
	linkTargetPattern  = regexp.MustCompile(`\]\([^)]*\)`)
	htmlCommentPattern = regexp.MustCompile(`<!--.*?-->`)
	listItemPattern    = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)
)

// proseOfMarkdownFile returns the prose of a page: a paragraph, an item or a row of a table is one text.
func proseOfMarkdownFile(file, content string) []ProseText {
	var out []ProseText
	var open []string
	first, fence := 0, ""
	flush := func() {
		if len(open) > 0 {
			prose := strings.Join(open, "\n")
			out = append(out, ProseText{GroupPages, file, first, blankOutCode(prose)})
		}
		open = nil
	}
	for n, line := range strings.Split(content, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if trimmed == fence {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fence = "```"
			continue
		case trimmed == "":
			flush()
			continue
		case listItemPattern.MatchString(line), strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, "#"):
			flush()
		}
		if len(open) == 0 {
			first = n + 1
		}
		open = append(open, line)
		if strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "#") {
			flush()
		}
	}
	flush()
	return out
}

// blankOutCode overwrites what is not prose, so that positions stay.
func blankOutCode(text string) string {
	for _, skip := range []*regexp.Regexp{inlineCodePattern, linkTargetPattern, htmlCommentPattern} {
		text = skip.ReplaceAllStringFunc(text, func(s string) string {
			return strings.Map(func(r rune) rune {
				if r == '\n' {
					return r
				}
				return '·'
			}, s)
		})
	}
	return text
}

var yamlCommentPattern = regexp.MustCompile(`(?:^|\s)# ?(.*)$`)

// proseOfYAMLFile returns the comments of a YAML file that users read.
func proseOfYAMLFile(file, content string) []ProseText {
	var out []ProseText
	follows := false
	for n, line := range strings.Split(content, "\n") {
		found := yamlCommentPattern.FindStringSubmatch(line)
		alone := strings.HasPrefix(strings.TrimSpace(line), "#")
		switch {
		case found == nil:
		case alone && follows:
			out[len(out)-1].Prose += "\n" + blankOutCode(found[1])
		default:
			out = append(out, ProseText{GroupPages, file, n + 1, blankOutCode(found[1])})
		}
		follows = found != nil && alone
	}
	return out
}
