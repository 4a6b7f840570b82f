package viewrange

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// whereSQLKey is the key of the condition that may name result columns.
const whereSQLKey = "where_sql"

// NewModelResolver returns the resolver of the conditions of a view: a relationship leaves its own dataset whether or not that is a home.
func NewModelResolver(cat *catalog.Catalog) *resolve.Resolver {
	return &resolve.Resolver{Cat: cat.WithoutView(), Homes: cat.Datasets}
}

// AddRefsOfGroup adds what a group reads by itself to references.
func AddRefsOfGroup(refs *resolve.Refs, g scope.Group) {
	for i := range g.FieldReferenceCount() {
		refs.IndexOrAdd(g.ReferenceAtIndex(i))
	}
}

// NamesAny reports whether references name a field of others: by the same path, or where one of the two follows the joins of the view.
func NamesAny(named, others resolve.Refs) bool {
	return slices.ContainsFunc(named, func(ref resolve.Ref) bool {
		return slices.ContainsFunc(others, func(o resolve.Ref) bool {
			return ref.Field == o.Field && (ref.IsSame(o) || len(ref.Prefix) == 0 || len(o.Prefix) == 0)
		})
	})
}

// conditionRefs lists the fields that the conditions of the request name, and whether they name the axis of its metrics. What does not
// resolve is left to the passes that report it.
func conditionRefs(in *scope.Env, names *resolve.Resolver, groups []scope.Group) (refs resolve.Refs, namesAxis bool) {
	for key, text := range map[string]string{whereSQLKey: in.Keys.WhereSQL, "context_filter": in.Keys.ContextFilter} {
		if strings.TrimSpace(text) == "" {
			continue
		}
		root, err := resolve.ParseCondition(key, text)
		if err != nil {
			continue
		}
		for _, column := range sqlexpr.ColumnReferences(root) {
			parts := resolve.NameTexts(column.Path)
			if len(parts) == 1 {
				at := slices.IndexFunc(groups, func(g scope.Group) bool { return strings.EqualFold(g.Name, parts[0]) })
				if at >= 0 {
					namesAxis = namesAxis || groups[at].OnAxis
					AddRefsOfGroup(&refs, groups[at])
					continue
				}
			}
			if ref, err := names.Resolve(parts); err == nil {
				refs.IndexOrAdd(ref)
			}
		}
	}
	return refs, namesAxis
}
