package postgres15

import (
	"embed"
	"strings"
	"sync"
)

//go:embed data/*.tsv
var dataFiles embed.FS

// TableCopyText returns the rows of a file in the text format of COPY; "" for a table without rows.
func TableCopyText(name string) string {
	text, err := dataFiles.ReadFile("data/" + name + ".tsv")
	if err != nil {
		return ""
	}
	return string(text)
}

// NullCell is the cell that is NULL.
const NullCell = `\N`

var rowsByFile sync.Map // rows by the name of their file

// RowsOfFile reads the rows of a file once; the cells are unescaped, but for Null. Callers do not change them.
func RowsOfFile(name string) [][]string {
	if rows, ok := rowsByFile.Load(name); ok {
		return rows.([][]string)
	}
	rows := parseRowsOfFile(name)
	rowsByFile.Store(name, rows)
	return rows
}

func parseRowsOfFile(name string) [][]string {
	var out [][]string
	for line := range strings.Lines(TableCopyText(name)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, cell := range cells {
			if cell != NullCell {
				cells[i] = copyUnescaper.Replace(cell)
			}
		}
		out = append(out, cells)
	}
	return out
}

var (
	copyUnescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\b`, "\b", `\f`, "\f", `\v`, "\v")
	copyEscaper   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`)
)

// AppendCopyRow appends a row in the text format of COPY. A cell that is Null is NULL.
func AppendCopyRow(dst []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, '\t')
		}
		if cell == NullCell {
			dst = append(dst, cell...)
		} else {
			dst = append(dst, copyEscaper.Replace(cell)...)
		}
	}
	return append(dst, '\n')
}
