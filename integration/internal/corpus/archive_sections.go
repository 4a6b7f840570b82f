package corpus

import (
	"regexp"
	"strings"
)

// section is a named part of a case file.
type section struct {
	name string
	text string
}

var sectionMarker = regexp.MustCompile(`^-- (\S+) --$`)

// splitSections cuts a case file into the text before the first marker and the
// sections.
func splitSections(text string) (head string, sections []section) {
	var current *section
	for line := range strings.Lines(text) {
		if m := sectionMarker.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			sections = append(sections, section{name: m[1]})
			current = &sections[len(sections)-1]
			continue
		}
		if current == nil {
			head += line
		} else {
			current.text += line
		}
	}
	return head, sections
}

// joinSections returns the inverse of split.
func joinSections(head string, sections []section) string {
	var b strings.Builder
	b.WriteString(head)
	for _, s := range sections {
		b.WriteString("-- " + s.name + " --\n")
		b.WriteString(s.text)
		if !strings.HasSuffix(s.text, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
