package catalogue

import (
	"context"
	"hash/maphash"
	"log/slog"
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// The bounds of what is remembered and logged of the shapes of statements.
const (
	maxLoggedShapes     = 10_000
	maxLoggedShapeBytes = 1000
)

// logStatementShape logs a statement without its constants, each shape once. The names that remain are those of the client, so
// the level is debug.
func (c *Catalogue) logStatementShape(ctx context.Context, text string) {
	if !c.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
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
	hash := maphash.String(c.seed, shape)
	c.mu.Lock()
	_, known := c.shapes[hash]
	known = known || len(c.shapes) == maxLoggedShapes
	if !known {
		c.shapes[hash] = struct{}{}
	}
	c.mu.Unlock()
	if !known {
		c.log.DebugContext(ctx, "a statement about the catalogue", "shape", strings.ToValidUTF8(shape[:min(len(shape), maxLoggedShapeBytes)], ""))
	}
}
