package statements

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// statementCase is one block of a file: a statement up to a line that begins with "--", which names its
// kind and types or its error, and below that the rows or the parts of the error.
//
//	SELECT status, MEASURE(revenue) FROM orders GROUP BY 1
//	-- metric text, numeric
//	status | revenue
//	completed | 350
type statementCase struct {
	place    string // file:line
	sql      string
	outcome  string
	expected []string
}

// readCases reads the blocks of all files of a folder; an empty line ends a block, a line that begins with # is a comment.
func readCases(t *testing.T, folder string) []statementCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	var out []statementCase
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, readBlocks(filepath.Base(path), string(text))...)
	}
	return out
}

func readBlocks(file, text string) []statementCase {
	var out []statementCase
	var c statementCase
	flush := func() {
		if c.sql != "" {
			out = append(out, c)
		}
		c = statementCase{}
	}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			flush()
		case strings.HasPrefix(line, "#"):
		case c.outcome != "":
			c.expected = append(c.expected, line)
		case strings.HasPrefix(line, "-- "):
			c.outcome = strings.TrimPrefix(line, "-- ")
		default:
			if c.sql == "" {
				c.place = file + ":" + itoa(i+1)
			} else {
				c.sql += "\n"
			}
			c.sql += line
		}
	}
	flush()
	return out
}
