package cube

import (
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// withSnakeCaseKeys writes the keys of a cube as Cube's documentation does: Cube takes primaryKey for
// primary_key. The keys of meta stay.
func withSnakeCaseKeys(n *importer.Node) *importer.Node {
	out := *n
	out.Items, out.Members = nil, nil
	for _, item := range n.Items {
		out.Items = append(out.Items, withSnakeCaseKeys(item))
	}
	for _, m := range n.Members {
		if m.Key = snakeCase(m.Key); m.Key != "meta" {
			m.Value = withSnakeCaseKeys(m.Value)
		}
		out.Members = append(out.Members, m)
	}
	return &out
}

// snakeCase writes countDistinct as count_distinct.
func snakeCase(text string) string {
	var out strings.Builder
	for i, c := range text {
		if i > 0 && unicode.IsUpper(c) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}

// snakeCaseMemberType returns the type of a member.
func snakeCaseMemberType(n *importer.Node) string { return snakeCase(n.Get("type").String()) }
