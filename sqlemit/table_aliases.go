package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// uniqueAlias returns an alias that no table of the statement has.
func (w *writer) uniqueAlias(base string) string { return w.names.addUniqueName(base) }

// collectTablesAndAliases finds the tables of the plan and the aliases that it gives itself.
func (w *writer) collectTablesAndAliases(n plan.Node) {
	switch n := n.(type) {
	case nil:
	case *plan.Scan:
		w.names.addNameIfAbsent(n.Alias)
		w.scans = append(w.scans, n)
	case *plan.Derived:
		w.names.addNameIfAbsent(n.Alias)
		if n.Shared {
			if slices.Contains(w.collected, n.Input) {
				return
			}
			w.collected = append(w.collected, n.Input)
		}
		w.collectTablesAndAliases(n.Input)
	case *plan.Join:
		w.collectTablesAndAliases(n.Left)
		w.collectTablesAndAliases(n.Right)
	case *plan.Filter:
		w.collectTablesAndAliases(n.Input)
	case *plan.GroupingSets:
		w.collectTablesAndAliases(n.Input)
	case *plan.Window:
		w.collectTablesAndAliases(n.Input)
	case *plan.Project:
		w.collectTablesAndAliases(n.Input)
	default:
		for _, in := range n.Inputs() {
			w.collectTablesAndAliases(in)
		}
	}
}

// setResultLabels gives the columns of the outermost block the names that a result may have.
func (w *writer) setResultLabels(b *selectBlock) {
	if b == nil || b.out == nil || w.d.ident.label == nil {
		return
	}
	cols := slices.Clone(b.out.cols)
	for i := range cols {
		cols[i].name = w.d.ident.label(cols[i].name)
	}
	makeColumnNamesUnique(cols)
	b.out = w.memory.newColumnScope(cols)
}

// buildAndAliasTables builds the derived tables of a statement, so that all its tables have
// aliases, and gives other ones to those that output columns hide.
func (w *writer) buildAndAliasTables(b *selectBlock) {
	var h hiddenAliasesAndOutputNames
	w.buildDerivedTablesOfBlock(b, &h)
	if len(h.aliases) == 0 {
		return
	}
	for _, name := range h.outputs {
		w.names.addNameIfAbsent(name)
	}
	w.renamed = make(map[string]string, len(h.aliases))
	for _, alias := range h.aliases {
		if w.renamed[alias] == "" {
			w.renamed[alias] = w.uniqueAlias(alias)
		}
	}
}

// hiddenAliasesAndOutputNames are the aliases that output columns hide, and the names of all output
// columns.
type hiddenAliasesAndOutputNames struct{ aliases, outputs []string }

// buildDerivedTablesOfBlock goes through a block and those below it in the order of the text.
func (w *writer) buildDerivedTablesOfBlock(b *selectBlock, h *hiddenAliasesAndOutputNames) {
	if b == nil || w.err != nil {
		return
	}
	w.buildDerivedTablesOfSource(b.from, h)
	for _, p := range b.where {
		if p.member != nil {
			w.buildDerivedTablesOfBlock(p.member.rows, h)
		}
	}
	if w.d.outputNamesHideTables && b.out != nil {
		h.collectAliasesHiddenByOutputs(b, w.names)
	}
}

// buildDerivedTablesOfSource goes through the blocks in FROM.
func (w *writer) buildDerivedTablesOfSource(s fromSource, h *hiddenAliasesAndOutputNames) {
	switch s := s.(type) {
	case joinTree:
		w.buildDerivedTables(s.node, h)
	case *derivedTable:
		w.buildDerivedTablesOfBlock(s.block, h)
	case crossJoin:
		for _, t := range s.tables {
			w.buildDerivedTablesOfSource(t, h)
		}
	case *blockUnion:
		for _, arm := range s.arms {
			w.buildDerivedTablesOfBlock(arm, h)
		}
	}
}

// buildDerivedTables builds the derived tables of a tree of joins.
func (w *writer) buildDerivedTables(n plan.Node, h *hiddenAliasesAndOutputNames) {
	switch n := n.(type) {
	case *plan.Derived:
		if n.Shared {
			w.buildCommonTable(n.Input, n.Table, h)
			return
		}
		if w.derived == nil {
			w.derived = map[*plan.Derived]*selectBlock{}
		}
		b := w.buildBlock(n.Input)
		w.derived[n] = b
		w.buildDerivedTablesOfBlock(b, h)
	case *plan.Filter:
		w.buildDerivedTables(n.Input, h)
	case *plan.SemiJoin:
		w.buildDerivedTables(n.Input, h)
	case *plan.Join:
		w.buildDerivedTables(n.Left, h)
		w.buildDerivedTables(n.Right, h)
	default: // a tree of joins has no other node but tables
	}
}

// collectAliasesHiddenByOutputs notes the aliases that the output columns of a block hide from its GROUP BY and
// HAVING.
func (h *hiddenAliasesAndOutputNames) collectAliasesHiddenByOutputs(b *selectBlock, names *nameSet) {
	hides := len(b.having) > 0 || b.sets != nil
	for i := range b.keys {
		hides = hides || b.keyPositionInSelect(i+1) == 0
	}
	for i := range b.out.cols {
		name := b.out.cols[i].name
		h.outputs = append(h.outputs, name)
		if alias, taken := names.findSpelling(name); hides && taken {
			h.aliases = append(h.aliases, alias)
		}
	}
}
