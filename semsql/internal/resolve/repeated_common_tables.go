package resolve

import "github.com/semlayer/semlayer/semsql/parse"

// RepeatedCommonTables returns the common tables that the text of a query reads at more than one place.
func RepeatedCommonTables(q *parse.Query) map[*parse.CommonTable]bool {
	c := commonTableReads{read: map[*parse.CommonTable]bool{}, repeated: map[*parse.CommonTable]bool{}}
	c.visit(q, nil)
	return c.repeated
}

type commonTableReads struct{ read, repeated map[*parse.CommonTable]bool }

// visit counts the common tables that a node reads. A common table sees those before it.
func (c commonTableReads) visit(n parse.Node, visible *CommonTables) {
	if t, ok := n.(*parse.Table); ok && len(t.Path) == 1 {
		if table, _ := visible.FindCommonTable(t.Path[0]); table != nil {
			c.repeated[table] = c.repeated[table] || c.read[table]
			c.read[table] = true
		}
	}
	parse.VisitChildren(n, func(child parse.Node) {
		c.visit(child, visible)
		if table, ok := child.(*parse.CommonTable); ok {
			visible = visible.WithCommonTables([]*parse.CommonTable{table})
		}
	})
}
