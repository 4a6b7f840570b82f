package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// uniqueAlias returns an alias that no table of the statement has.
func (w *writer) uniqueAlias(base string) string { return w.names.addUnique(base) }

// aliasesOf are the aliases that the plan itself gives.
func aliasesOf(root plan.Node) *nameSet {
	s := newNameSet(8)
	s.addAliases(root)
	return s
}

func (s *nameSet) addAliases(n plan.Node) {
	switch n := n.(type) {
	case nil:
	case *plan.Scan:
		s.add(n.Alias)
	case *plan.Derived:
		s.add(n.Alias)
		s.addAliases(n.Input)
	case *plan.Join:
		s.addAliases(n.Left)
		s.addAliases(n.Right)
	default:
		for _, in := range n.Inputs() {
			s.addAliases(in)
		}
	}
}

// labelColumns gives the columns of the outermost block the names that a result may have.
func (w *writer) labelColumns(b *selectBlock) {
	if b == nil || b.out == nil || w.d.ident.label == nil {
		return
	}
	cols := slices.Clone(b.out.cols)
	for i := range cols {
		cols[i].name = w.d.ident.label(cols[i].name)
	}
	uniqueNames(cols)
	b.out = &columnScope{cols: cols}
}

// nameTables builds the derived tables of a statement, so that all its tables have
// aliases, and gives other ones to those that output columns hide.
func (w *writer) nameTables(b *selectBlock) {
	var h hiddenNames
	w.nameSources(b, &h)
	if len(h.aliases) == 0 {
		return
	}
	for _, name := range h.outputs {
		w.names.add(name)
	}
	w.renamed = make(map[string]string, len(h.aliases))
	for _, alias := range h.aliases {
		if w.renamed[alias] == "" {
			w.renamed[alias] = w.uniqueAlias(alias)
		}
	}
}

// hiddenNames are the aliases that output columns hide, and the names of all output
// columns.
type hiddenNames struct{ aliases, outputs []string }

// nameSources goes through a block and those below it in the order of the text.
func (w *writer) nameSources(b *selectBlock, h *hiddenNames) {
	if b == nil || w.err != nil {
		return
	}
	switch s := b.from.(type) {
	case tableTree:
		w.nameDerived(s.node, h)
	case derived:
		w.nameSources(s.block, h)
	case crossProduct:
		for _, t := range s.tables {
			w.nameSources(t.block, h)
		}
	case *union:
		for _, arm := range s.arms {
			w.nameSources(arm, h)
		}
	}
	if w.d.outputNamesHideTables && b.out != nil {
		h.add(b, w.names)
	}
}

// nameDerived builds the derived tables of a tree of joins.
func (w *writer) nameDerived(n plan.Node, h *hiddenNames) {
	switch n := n.(type) {
	case *plan.Derived:
		if w.derived == nil {
			w.derived = map[*plan.Derived]*selectBlock{}
		}
		b := w.build(n.Input)
		w.derived[n] = b
		w.nameSources(b, h)
	case *plan.Filter:
		w.nameDerived(n.Input, h)
	case *plan.Join:
		w.nameDerived(n.Left, h)
		w.nameDerived(n.Right, h)
	}
}

// add notes the aliases that the output columns of a block hide from its GROUP BY and
// HAVING.
func (h *hiddenNames) add(b *selectBlock, names *nameSet) {
	hides := len(b.having) > 0
	for i := range b.keys {
		hides = hides || b.keyPosition(i+1) == 0
	}
	for i := range b.out.cols {
		name := b.out.cols[i].name
		h.outputs = append(h.outputs, name)
		if alias, taken := names.spelled[foldName(name)]; hides && taken {
			h.aliases = append(h.aliases, alias)
		}
	}
}
