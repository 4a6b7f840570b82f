package duckdb

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// newCreateViewStatement writes the statement that makes a table of its files: one reader for all files of the
// same columns and form, joined by name. It returns the readers too.
func newCreateViewStatement(t datafiles.Table, files []inspectedFile) (createViewStatement, []fileGroup, error) {
	types, keys := typeOverridesByColumn(files), typesByPartitionKey(t)
	var groups []fileGroup
	for _, f := range files {
		if len(f.columns) == 0 {
			continue // neither rows nor names
		}
		if err := rejectRepeatedPartitionKeys(f); err != nil {
			return createViewStatement{}, nil, err
		}
		g := newSingleFileGroup(t.Format, f, types, keys)
		i := slices.IndexFunc(groups, g.canShareReader)
		if i < 0 {
			groups = append(groups, g)
			continue
		}
		groups[i].files = append(groups[i].files, f.file)
	}
	if len(groups) == 0 {
		return createViewStatement{}, nil, invalidFileError(files[0].file, "it holds no object", "")
	}
	selects := make([]string, len(groups))
	for i, g := range groups {
		selects[i] = g.selectStatement()
	}
	return createViewStatement{t.Name, "CREATE VIEW " + quoteIdentifier(t.Name) + " AS " + strings.Join(selects, " UNION ALL BY NAME ")}, groups, nil
}

// typeOverridesByColumn returns the type of each column for which DuckDB's own choice will not do: text
// where the files of a table disagree.
func typeOverridesByColumn(files []inspectedFile) map[string]string {
	seen := map[string][]string{}
	for _, f := range files {
		for _, c := range f.columns {
			if key := foldColumnName(c.name); !f.untyped && !slices.Contains(seen[key], c.typ) {
				seen[key] = append(seen[key], c.typ)
			}
		}
	}
	types := map[string]string{}
	for name, list := range seen {
		switch {
		case len(list) == 1:
			types[name] = list[0]
		case !slices.ContainsFunc(list, isNotNumericType), !slices.ContainsFunc(list, isNotTemporalType):
			// DuckDB takes the wider one.
		default:
			types[name] = varcharTypeName
		}
	}
	return types
}

const varcharTypeName = "VARCHAR"

var (
	numericTypePattern  = regexp.MustCompile(`^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$`)
	temporalTypePattern = regexp.MustCompile(`^(DATE|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?)$`)
)

func isNotNumericType(t string) bool  { return !numericTypePattern.MatchString(t) }
func isNotTemporalType(t string) bool { return !temporalTypePattern.MatchString(t) }

// typesByPartitionKey chooses the types of the key=value folders of a table.
func typesByPartitionKey(t datafiles.Table) map[string]string {
	values := map[string][]string{}
	for _, f := range t.Files {
		for _, k := range f.Keys {
			values[foldColumnName(k.Name)] = append(values[foldColumnName(k.Name)], k.Value)
		}
	}
	types := map[string]string{}
	for name, list := range values {
		switch datafiles.PartitionKeyTypeOfValues(list) {
		case datafiles.PartitionKeyInteger:
			types[name] = "BIGINT"
		case datafiles.PartitionKeyDate:
			types[name] = "DATE"
		default:
			types[name] = varcharTypeName
		}
	}
	return types
}

// rejectRepeatedPartitionKeys rejects a path whose folders DuckDB would take for another column: it reads the
// key=value folders of the whole path.
func rejectRepeatedPartitionKeys(f inspectedFile) error {
	if len(f.file.Keys) == 0 {
		return nil
	}
	seen := map[string]int{}
	for part := range strings.SplitSeq(f.file.Path, "/") {
		if key, _, ok := strings.Cut(part, "="); ok {
			seen[foldColumnName(key)]++
		}
	}
	own := map[string]int{}
	for _, k := range f.file.Keys {
		own[foldColumnName(k.Name)]++
	}
	for key, n := range seen {
		isColumn := slices.ContainsFunc(f.columns, func(c dataFileColumn) bool { return foldColumnName(c.name) == key })
		if n > 1 || own[key] == 0 && isColumn {
			return invalidFileError(f.file, "the folders of its path name the column "+strconv.Quote(key)+" more than once", "rename one of the key=value folders")
		}
	}
	return nil
}

// quoteLiteral prints a text as a literal of SQL.
func quoteLiteral(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteIdentifier prints a name as an identifier of SQL.
func quoteIdentifier(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// quoteLiterals prints a list of texts.
func quoteLiterals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quoteLiteral(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// globForExactPath prints a path as the pattern that matches this file alone: DuckDB reads every path
// as a glob.
func globForExactPath(path string) string { return globEscaper.Replace(path) }

var globEscaper = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")
