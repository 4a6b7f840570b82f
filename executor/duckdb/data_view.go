package duckdb

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// viewOf writes the statement that makes a table of its files: one reader for all files of the
// same columns and form, joined by name. It returns the readers too.
func viewOf(t datafiles.Table, files []fileColumns) (tableView, []fileGroup, error) {
	types, keys := commonTypes(files), keyTypes(t)
	var groups []fileGroup
	for _, f := range files {
		if len(f.columns) == 0 {
			continue // neither rows nor names
		}
		if err := checkKeys(f); err != nil {
			return tableView{}, nil, err
		}
		g := groupOf(t.Format, f, types, keys)
		i := slices.IndexFunc(groups, g.isLike)
		if i < 0 {
			groups = append(groups, g)
			continue
		}
		groups[i].files = append(groups[i].files, f.file)
	}
	if len(groups) == 0 {
		return tableView{}, nil, invalidFile(files[0].file, "it holds no object", "")
	}
	selects := make([]string, len(groups))
	for i, g := range groups {
		selects[i] = g.selection()
	}
	return tableView{t.Name, "CREATE VIEW " + identifier(t.Name) + " AS " + strings.Join(selects, " UNION ALL BY NAME ")}, groups, nil
}

// commonTypes returns the type of each column for which DuckDB's own choice will not do: text
// where the files of a table disagree.
func commonTypes(files []fileColumns) map[string]string {
	seen := map[string][]string{}
	for _, f := range files {
		for _, c := range f.columns {
			if key := fold(c.name); !f.untyped && !slices.Contains(seen[key], c.typ) {
				seen[key] = append(seen[key], c.typ)
			}
		}
	}
	types := map[string]string{}
	for name, list := range seen {
		switch {
		case len(list) == 1:
			types[name] = list[0]
		case !slices.ContainsFunc(list, isNotNumeric), !slices.ContainsFunc(list, isNotTemporal):
			// DuckDB takes the wider one.
		default:
			types[name] = varchar
		}
	}
	return types
}

const varchar = "VARCHAR"

var (
	numericType  = regexp.MustCompile(`^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$`)
	temporalType = regexp.MustCompile(`^(DATE|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?)$`)
)

func isNotNumeric(t string) bool  { return !numericType.MatchString(t) }
func isNotTemporal(t string) bool { return !temporalType.MatchString(t) }

// keyTypes chooses the types of the key=value folders of a table.
func keyTypes(t datafiles.Table) map[string]string {
	values := map[string][]string{}
	for _, f := range t.Files {
		for _, k := range f.Keys {
			values[fold(k.Name)] = append(values[fold(k.Name)], k.Value)
		}
	}
	types := map[string]string{}
	for name, list := range values {
		switch datafiles.KeyType(list) {
		case datafiles.IntegerKey:
			types[name] = "BIGINT"
		case datafiles.DateKey:
			types[name] = "DATE"
		default:
			types[name] = varchar
		}
	}
	return types
}

// checkKeys refuses a path whose folders DuckDB would take for another column: it reads the
// key=value folders of the whole path.
func checkKeys(f fileColumns) error {
	if len(f.file.Keys) == 0 {
		return nil
	}
	seen := map[string]int{}
	for part := range strings.SplitSeq(f.file.Path, "/") {
		if key, _, ok := strings.Cut(part, "="); ok {
			seen[fold(key)]++
		}
	}
	own := map[string]int{}
	for _, k := range f.file.Keys {
		own[fold(k.Name)]++
	}
	for key, n := range seen {
		isColumn := slices.ContainsFunc(f.columns, func(c dataColumn) bool { return fold(c.name) == key })
		if n > 1 || own[key] == 0 && isColumn {
			return invalidFile(f.file, "the folders of its path name the column "+strconv.Quote(key)+" more than once", "rename one of the key=value folders")
		}
	}
	return nil
}
