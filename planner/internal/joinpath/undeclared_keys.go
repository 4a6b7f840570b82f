package joinpath

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
)

// FindRelationshipsWithUndeclaredKeys lists the relationships that keep a home from reaching references along
// safe edges for one reason: the model declares no key that they join on. Ok is false
// where declaring keys does not help, or would leave several paths.
func FindRelationshipsWithUndeclaredKeys(cat *catalog.Catalog, home *catalog.Dataset, missing []resolve.Ref) (unproven []*catalog.Relationship, ok bool) {
	for _, ref := range missing {
		rels, ok := catalog.RelationshipsMissingTargetKeys(ref.Prefix)
		if len(ref.Prefix) == 0 {
			rels, ok = cat.RelationshipsMissingTargetKeysOnOnlyPath(home, ref.Field.Dataset, MaxPaths)
		}
		if !ok {
			return nil, false
		}
		for _, r := range rels {
			if !slices.Contains(unproven, r) {
				unproven = append(unproven, r)
			}
		}
	}
	return unproven, len(unproven) > 0
}

// UndeclaredKeyTexts names the relationships and the keys that they lack.
func UndeclaredKeyTexts(rels []*catalog.Relationship) string {
	parts := make([]string, len(rels))
	for i, r := range rels {
		parts[i] = "the relationship " + r.Name + " joins on " + r.To.Name + " (" + strings.Join(r.TargetKeyColumns(), ", ") + "), "
		if len(r.To.PrimaryKey) == 0 {
			parts[i] += "and " + r.To.Name + " declares no primary_key"
		} else {
			parts[i] += "which is not a declared key of " + r.To.Name
		}
	}
	return strings.Join(parts, "; ")
}

// UndeclaredKeyHints lists the hints that declare the keys.
func UndeclaredKeyHints(rels []*catalog.Relationship) string {
	parts := make([]string, len(rels))
	for i, r := range rels {
		parts[i] = r.KeyDeclarationHint()
	}
	return strings.Join(parts, "; ")
}
