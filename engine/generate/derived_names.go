package generate

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/tables"
)

// singularOf returns the singular of an English plural: ies becomes y, ses, xes, zes, ches and
// shes lose es, and another s is dropped that does not follow an s.
func singularOf(name string) string {
	if stem, ok := strings.CutSuffix(name, "ies"); ok && stem != "" {
		return stem + "y"
	}
	for _, ending := range []string{"ses", "xes", "zes", "ches", "shes"} {
		if strings.HasSuffix(name, ending) && len(name) > len(ending) {
			return strings.TrimSuffix(name, "es")
		}
	}
	if stem, ok := strings.CutSuffix(name, "s"); ok && stem != "" && !strings.HasSuffix(stem, "s") {
		return stem
	}
	return name
}

// namesOfRowsOf returns what names of columns call the rows of a table: the name of the table and its singular, with and
// without words that a change of case separates.
func namesOfRowsOf(table string) []string {
	var out []string
	for _, name := range []string{datafiles.IdentifierFromText(table), identifierOfWords(table)} {
		for _, n := range []string{name, singularOf(name)} {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// uniqueNames returns the names with _2, _3 after those that an earlier one has. A name
// that is made so is not that of another.
func uniqueNames(names []string) []string {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	used := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n
		for k := 2; used[out[i]]; k++ {
			if next := n + "_" + strconv.Itoa(k); !taken[next] && !used[next] {
				out[i] = next
			}
		}
		used[out[i]] = true
	}
	return out
}

// datasetNames names the datasets of tables: after the table, with the schema where two
// tables share that name.
func datasetNames(list []tables.Table) []string {
	names := make([]string, len(list))
	times := map[string]int{}
	for i, t := range list {
		names[i] = datafiles.IdentifierFromText(t.Name)
		times[names[i]]++
	}
	for i, t := range list {
		if times[names[i]] > 1 {
			names[i] = datafiles.IdentifierFromText(t.Schema + "_" + t.Name)
		}
	}
	return uniqueNames(names)
}

// deriveFieldNames names the fields of columns. A column whose name needs no change keeps it,
// also after others of that name: an expression that is the name of another field means that field.
func deriveFieldNames(columns []tables.Column) []string {
	order := make([]int, 0, len(columns))
	for i, c := range columns {
		if datafiles.IdentifierFromText(c.Name) == c.Name {
			order = append(order, i)
		}
	}
	for i, c := range columns {
		if datafiles.IdentifierFromText(c.Name) != c.Name {
			order = append(order, i)
		}
	}
	names := make([]string, len(columns))
	for k, i := range order {
		names[k] = datafiles.IdentifierFromText(columns[i].Name)
	}
	out := make([]string, len(columns))
	for k, name := range uniqueNames(names) {
		out[order[k]] = name
	}
	return out
}

// splitWords splits a name at underscores.
func splitWords(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "_"), func(w string) bool { return w == "" })
}

// hasNameEnding reports whether a name is a word or ends with it.
func hasNameEnding(name string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return name == e || strings.HasSuffix(name, "_"+e) })
}

// shortenTextForMessage shortens a text for a message.
func shortenTextForMessage(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// ModelNameOfPath returns the name of a model of the tables at a path: after the folder or the
// file, and for a glob after the folder that holds its files.
func ModelNameOfPath(path string) string {
	info, err := os.Stat(path)
	if err != nil && strings.ContainsAny(path, "*?[") {
		path = filepath.Dir(path)
	}
	if absolute, absErr := filepath.Abs(path); absErr == nil {
		path = absolute
	}
	base := filepath.Base(path)
	if err == nil && !info.IsDir() {
		base, _, _ = strings.Cut(base, ".")
	}
	return datafiles.IdentifierFromText(base)
}
