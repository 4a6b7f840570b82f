package lookml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// maxMistakesPerFile bounds the mistakes that the report names for a file.
const maxMistakesPerFile = 10

// topLevelLinePattern is a line that begins a construct at the top of a file, as files are written: without space before it.
var topLevelLinePattern = regexp.MustCompile(`(?m)^[a-z_]+[ \t]*:`)

// mistakesOfFile returns the mistakes of a file that cannot be read as one error at the place of the first. To find those after
// the first, it reads each construct at the top of the file alone, and without the lines that have a mistake.
func mistakesOfFile(p *parser, first error) error {
	out := &importer.Error{}
	if !errors.As(first, &out) {
		return first
	}
	var mistakes []*importer.Error
	starts := topLevelLinePattern.FindAllStringIndex(p.text, -1)
	for i, at := range starts {
		end := len(p.text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		line := 1 + strings.Count(p.text[:at[0]], "\n")
		mistakes = append(mistakes, mistakesOfPart(p, p.text[at[0]:end], line, maxMistakesPerFile-len(mistakes))...)
		if len(mistakes) == maxMistakesPerFile {
			break
		}
	}
	if len(mistakes) == 0 {
		return out
	}
	text := mistakes[0].Message
	for _, mistake := range mistakes[1:] {
		text += fmt.Sprintf("; line %d: %s", mistake.Line, mistake.Message)
	}
	return &importer.Error{File: out.File, Line: mistakes[0].Line, Message: text}
}

// mistakesOfPart returns at most a number of mistakes of the constructs that begin at a line. It reads on where the line with a mistake has as
// many opening as closing braces, so that its absence leaves those around it whole.
func mistakesOfPart(p *parser, text string, firstLine, most int) []*importer.Error {
	var out []*importer.Error
	lines := strings.SplitAfter(text, "\n")
	for len(out) < most {
		part := &parser{file: p.file, order: p.order, text: strings.Join(lines, ""), line: firstLine, left: p.left}
		_, err := part.parseItems(0, 0)
		mistake := (*importer.Error)(nil)
		if !errors.As(err, &mistake) || part.limited {
			break
		}
		out = append(out, mistake)
		line := &lines[mistake.Line-firstLine]
		if strings.Count(*line, "{") != strings.Count(*line, "}") || strings.TrimSpace(*line) == "" {
			break
		}
		*line = "\n"
	}
	return out
}
