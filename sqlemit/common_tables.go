package sqlemit

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/planner/plan"
)

// commonTable is a common table expression: the input of derived tables that share it.
type commonTable struct {
	input plan.Node
	block *selectBlock
	name  string
}

// findCommonTable finds the common table of a plan node; nil where it has none yet.
func (w *writer) findCommonTable(input plan.Node) *commonTable {
	for i := range w.common {
		if w.common[i].input == input {
			return &w.common[i]
		}
	}
	return nil
}

// buildCommonTable builds the common table of a shared input, once. base is its name, unless that is
// taken; "" where it has none.
func (w *writer) buildCommonTable(input plan.Node, base string, h *hiddenAliasesAndOutputNames) {
	if w.findCommonTable(input) != nil {
		return
	}
	b := w.buildBlock(input)
	w.buildDerivedTablesOfBlock(b, h)
	name := base
	if base == "" {
		base = "shared"
		name = w.uniqueAlias(base)
	}
	for w.mayReadTableNamed(name) || w.hasCommonTable(name) {
		name = w.uniqueAlias(base)
	}
	w.names.addNameIfAbsent(name)
	w.common = append(w.common, commonTable{input, b, name})
}

func (w *writer) hasCommonTable(name string) bool {
	return slices.ContainsFunc(w.common, func(c commonTable) bool { return strings.EqualFold(c.name, name) })
}

// mayReadTableNamed reports whether a source of the plan may be a table of this name, which a
// common table of that name would hide.
func (w *writer) mayReadTableNamed(name string) bool {
	return slices.ContainsFunc(w.scans, func(s *plan.Scan) bool {
		if s.Source.Query != "" {
			return strings.Contains(strings.ToLower(s.Source.Query), name)
		}
		return len(s.Source.Table) == 1 && strings.EqualFold(s.Source.Table[0].Text, name)
	})
}

// printWithClause prints the WITH clause of the statement.
func (w *writer) printWithClause() {
	for i := range w.common {
		if i == 0 {
			w.appendText("WITH ")
		} else {
			w.appendText(", ")
		}
		w.printQuotedName(w.common[i].name)
		w.appendText(" AS ")
		w.openSubqueryParenthesis()
		w.printStatement(w.common[i].block)
		w.closeSubqueryParenthesis()
	}
	if len(w.common) > 0 {
		w.printClauseSpace()
	}
}

// printCommonTable prints a common table under the alias of one of its readers.
func (w *writer) printCommonTable(n *plan.Derived) {
	c := w.findCommonTable(n.Input)
	if c == nil {
		w.recordInternalError("a shared table was not built")
		return
	}
	w.printQuotedName(c.name)
	w.printAliasClause(n.Alias)
}
