package where

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// GroupedLODFields lists the level-of-detail fields that group-bys read.
func GroupedLODFields(in *scope.Env, groups []scope.Group) []*catalog.Field {
	var fields []*catalog.Field
	for _, g := range groups {
		for i := range g.FieldReferenceCount() {
			fields = in.Cat.AppendLODFieldsOfField(fields, g.ReferenceAtIndex(i).Field, in.Target.Dialect)
		}
	}
	return fields
}

// LODParamsOfGroupsAndRefs lists the parameters of the level-of-detail fields that group-bys
// and conditions read: row-level values, for which one value must do.
func LODParamsOfGroupsAndRefs(in *scope.Env, groups []scope.Group, refs resolve.Refs) []*catalog.Param {
	fields := GroupedLODFields(in, groups)
	for _, r := range refs {
		fields = in.Cat.AppendLODFieldsOfField(fields, r.Field, in.Target.Dialect)
	}
	return catalog.ParamsOfLODFields(fields)
}

// LODParamsOfQuery lists the parameters of the level-of-detail fields that the group-bys and
// the conditions of a query read. Its conditions name no result columns.
func LODParamsOfQuery(in *scope.Env, sel scope.Selection, groups []scope.Group) ([]*catalog.Param, error) {
	conds, err := ResolveFilters(in, sel, groups, measure.Expansion{})
	if err != nil {
		return nil, err
	}
	return LODParamsOfGroupsAndRefs(in, groups, conds.Refs), nil
}
