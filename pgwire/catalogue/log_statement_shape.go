package catalogue

import "github.com/semlayer/semlayer/semsql/parse"

// maxLoggedShapes bounds the shapes of statements that are remembered.
const maxLoggedShapes = 10_000

// logStatementShape logs a statement without its constants, each shape once.
func (c *Catalogue) logStatementShape(text string) {
	q, err := parse.ParseCatalogueStatement(text, parse.DefaultLimits())
	if err != nil {
		return
	}
	parse.Walk(q, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.String:
			n.Value = "?"
		case *parse.Number:
			n.Text = "0"
		case *parse.TimeLiteral:
			n.Value = "?"
		case *parse.Interval:
			n.Value = "?"
		}
		return true
	})
	shape := parse.Format(q)
	c.mu.Lock()
	known := c.shapes[shape] || len(c.shapes) == maxLoggedShapes
	if !known {
		c.shapes[shape] = true
	}
	c.mu.Unlock()
	if !known {
		c.log.Info("a statement about the catalogue", "shape", shape)
	}
}
