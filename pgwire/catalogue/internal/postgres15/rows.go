package postgres15

import (
	"embed"
	"strings"
	"sync"
)

//go:embed data/*.tsv
var files embed.FS

// Text is the rows of a file in the text format of COPY; "" for a table without rows.
func Text(name string) string {
	text, err := files.ReadFile("data/" + name + ".tsv")
	if err != nil {
		return ""
	}
	return string(text)
}

// Null is the cell that is NULL.
const Null = `\N`

var known sync.Map // rows by the name of their file

// Rows reads the rows of a file once; the cells are unescaped, but for Null. Callers do not change them.
func Rows(name string) [][]string {
	if rows, ok := known.Load(name); ok {
		return rows.([][]string)
	}
	rows := readRows(name)
	known.Store(name, rows)
	return rows
}

func readRows(name string) [][]string {
	var out [][]string
	for line := range strings.Lines(Text(name)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, cell := range cells {
			if cell != Null {
				cells[i] = unescape.Replace(cell)
			}
		}
		out = append(out, cells)
	}
	return out
}

var (
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\b`, "\b", `\f`, "\f", `\v`, "\v")
	escape   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`)
)

// AppendRow appends a row in the text format of COPY. A cell that is Null is NULL.
func AppendRow(dst []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, '\t')
		}
		if cell == Null {
			dst = append(dst, cell...)
		} else {
			dst = append(dst, escape.Replace(cell)...)
		}
	}
	return append(dst, '\n')
}
