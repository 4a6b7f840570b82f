package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// MatchesName reports whether a reference means a name that the statement declares: without quotes in
// any case, with quotes exactly. A name that was declared without quotes is in lower case.
func MatchesName(declared, reference parse.Name) bool {
	switch {
	case !reference.Quoted:
		return strings.EqualFold(declared.Text, reference.Text)
	case declared.Quoted:
		return declared.Text == reference.Text
	}
	return strings.ToLower(declared.Text) == reference.Text
}

// AliasColumnName returns the name of a column that an alias gives: in lower case without quotes.
func AliasColumnName(alias parse.Name) string {
	if alias.Quoted {
		return alias.Text
	}
	return strings.ToLower(alias.Text)
}

// pathText returns a reference as a message shows it.
func pathText(path []parse.Name) string {
	parts := make([]string, len(path))
	for i, n := range path {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}
