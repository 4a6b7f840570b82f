package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// resolvedNameInAggregate is a name in an aggregate and what it refers to.
type resolvedNameInAggregate struct {
	column *sqlexpr.Column
	resolvedFieldReference
}

// resolveNamesInAggregate resolves the names of an expression in an aggregate. Names without a path come first
// to mind: a one-to-one relationship is followed from the datasets that they name.
func (l *metricLowering) resolveNamesInAggregate(e sqlexpr.Expr) (refs []resolvedNameInAggregate, ok bool) {
	columns := sqlexpr.ColumnReferences(e)
	var about []*catalog.Dataset
	if l.home != nil {
		about = append(about, l.home.cat)
	}
	for _, column := range columns {
		if len(l.relationshipsInNamePrefix(column)) == 0 {
			if ref, err := l.resolveArgumentName(column, nil); err == nil {
				about = appendUnique(about, ref.startDataset())
			}
		}
	}
	ok = true
	for _, column := range columns {
		ref, err := l.resolveArgumentName(column, about)
		if err == nil {
			err = ref.field.cat.Err
		}
		if err != nil {
			l.addErrorAt(column, err)
			ok = false
			continue
		}
		refs = append(refs, resolvedNameInAggregate{column, ref})
	}
	return refs, ok
}

// findAggregateHome returns the dataset whose rows an aggregate over references counts; nil where it has none,
// which is reported unless it names no field.
func (l *metricLowering) findAggregateHome(call *sqlexpr.Call, refs []resolvedNameInAggregate) (home *datasetInProgress, ok bool) {
	named := datasetsOfReferences(refs)
	switch {
	case len(named) == 0:
		return nil, true
	case l.home != nil && (len(named) > 1 || l.declaredHomeHasNoAggregate()) && reachesAllDatasets(l.cat, l.home.cat, named):
		return l.home, true
	case len(named) == 1:
		return l.datasetInProgressOfCatalogDataset(named[0]), true
	case l.home != nil:
		l.addDeclaredHomeError(call, named)
		return nil, false
	}
	homes := findHomesReachingAllDatasets(l.cat, named)
	switch len(homes) {
	case 1:
		return l.datasetInProgressOfCatalogDataset(homes[0]), true
	case 0:
	default:
		l.addErrorf(call, CodeCrossDatasetAggregate, declareHomeHint(homes[0]), "the aggregate %s mixes columns of %s, and it could count the rows of %s", quoteExpr(call), datasetNamesText(named), strings.Join(namesOfDatasets(homes), " or of "))
		return nil, false
	}
	l.addErrorf(call, CodeCrossDatasetAggregate, l.crossDatasetAggregateHint(call, named), "the aggregate %s mixes columns of %s, and the rows of none of them lead to one row of each other", quoteExpr(call), datasetNamesText(named))
	return nil, false
}

// addDeclaredHomeError reports a declared home whose rows do not lead to one row each of the datasets that an aggregate names.
func (l *metricLowering) addDeclaredHomeError(call *sqlexpr.Call, named []*catalog.Dataset) {
	unreached := slices.DeleteFunc(slices.Clone(named), func(d *catalog.Dataset) bool { return l.cat.ReachesSafely(l.home.cat, d) })
	hint := l.crossDatasetAggregateHint(call, append([]*catalog.Dataset{l.home.cat}, unreached...))
	if homes := findHomesReachingAllDatasets(l.cat, named); len(homes) == 1 {
		hint = declareHomeHint(homes[0])
	}
	l.addErrorf(call, CodeCrossDatasetAggregate, hint, "the rows of %s, which the metric gives as its dataset, do not lead to one row each of %s, which %s names",
		l.home.cat.Name, datasetNamesText(unreached), quoteExpr(call))
}

func datasetsOfReferences(refs []resolvedNameInAggregate) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, r := range refs {
		out = appendUnique(out, r.startDataset())
	}
	return out
}

func datasetNamesText(list []*catalog.Dataset) string {
	return strings.Join(namesOfDatasets(list), " and ")
}

func namesOfDatasets(list []*catalog.Dataset) []string {
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.Name
	}
	return names
}

func reachesAllDatasets(cat *catalog.Catalog, from *catalog.Dataset, list []*catalog.Dataset) bool {
	return !slices.ContainsFunc(list, func(d *catalog.Dataset) bool { return !cat.ReachesSafely(from, d) })
}

// findHomesReachingAllDatasets returns the datasets whose rows lead to one row of each other: the one whose
// declared relationships lead to the rest of them, where it is a single one, else all of them.
func findHomesReachingAllDatasets(cat *catalog.Catalog, named []*catalog.Dataset) []*catalog.Dataset {
	var homes, first []*catalog.Dataset
	for _, d := range named {
		if reachesAllDatasets(cat, d, named) {
			homes = append(homes, d)
		}
	}
	for _, d := range homes {
		if !slices.ContainsFunc(homes, func(o *catalog.Dataset) bool { return o != d && !hasForwardSafePath(cat, d, o) }) {
			first = append(first, d)
		}
	}
	if len(first) == 1 {
		return first
	}
	return homes
}

// hasForwardSafePath reports whether safe relationships lead from one dataset to another as they are declared.
func hasForwardSafePath(cat *catalog.Catalog, from, to *catalog.Dataset) bool {
	return slices.ContainsFunc(cat.SafePaths(from, to, suggest.MaxCandidates), func(path []catalog.JoinStep) bool {
		return !slices.ContainsFunc(path, func(s catalog.JoinStep) bool { return s.Reverse })
	})
}

// declaredHomeHasNoAggregate reports whether no aggregate of the expression is at home at the declared dataset by the
// fields that it names: aggregates over fields of a single other dataset are then meant to count the rows of that one.
func (l *metricLowering) declaredHomeHasNoAggregate() bool {
	if l.moves == nil {
		moves := true
		sqlexpr.Walk(l.src.expr, func(e sqlexpr.Expr) bool {
			call, ok := e.(*sqlexpr.Call)
			if ok && sqlexpr.InfoOfFunction(call.Fn).Class == sqlexpr.ClassAggregate {
				moves = moves && !l.isAggregateAtDeclaredHome(call)
				return false
			}
			return true
		})
		l.moves = &moves
	}
	return *l.moves
}

func (l *metricLowering) isAggregateAtDeclaredHome(call *sqlexpr.Call) bool {
	var named []*catalog.Dataset
	for _, column := range sqlexpr.ColumnReferences(call) {
		ref, err := l.resolveArgumentName(column, []*catalog.Dataset{l.home.cat})
		if err != nil {
			return true // which lowering reports
		}
		named = appendUnique(named, ref.startDataset())
	}
	switch len(named) {
	case 0:
		return true
	case 1:
		return named[0] == l.home.cat
	}
	return reachesAllDatasets(l.cat, l.home.cat, named)
}

// crossDatasetAggregateHint returns the hint for an aggregate over fields of datasets none of whose rows lead to one row of
// each other.
func (l *metricLowering) crossDatasetAggregateHint(call *sqlexpr.Call, named []*catalog.Dataset) string {
	for _, d := range named {
		if keys, ok := l.missingKeysHint(d, named); ok {
			return keys
		}
	}
	if len(call.Args) == 1 && call.Fn == sqlexpr.FnSum && l.hasOneDatasetPerTerm(call.Args[0]) {
		return "split it into one aggregate per dataset"
	}
	if l.home == nil {
		for _, d := range l.cat.Datasets {
			if reachesAllDatasets(l.cat, d, named) {
				return declareHomeHint(d)
			}
		}
	}
	return addJoinToSourceHint(named[0], named[1]) + ", which the metric aggregates"
}

// declareHomeHint returns the hint to declare the home of an aggregate.
func declareHomeHint(d *catalog.Dataset) string {
	return fmt.Sprintf("give the metric the dataset whose rows it counts, as in \"dataset\": \"%s\"", d.Name)
}

// missingKeysHint returns the hint to declare keys, where nothing else keeps the rows of a dataset from leading
// to one row of each other.
func (l *metricLowering) missingKeysHint(from *catalog.Dataset, named []*catalog.Dataset) (string, bool) {
	hint := ""
	for _, d := range named {
		if d == from || l.cat.ReachesSafely(from, d) {
			continue
		}
		rels, ok := l.cat.RelationshipsMissingTargetKeysOnOnlyPath(from, d, suggest.MaxCandidates)
		if !ok {
			return "", false
		}
		for _, r := range rels {
			if text := r.KeyDeclarationHint(); !strings.Contains(hint, text) {
				hint = strings.TrimPrefix(hint+"; "+text, "; ")
			}
		}
	}
	return hint, hint != ""
}
