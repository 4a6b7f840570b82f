package catalogue

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/semsql/parse"
)

// servedModel is a revision of a model with one relation. No test asks it for rows.
type servedModel struct {
	pgwire.Engine
	revision string
}

func (m servedModel) Revision() string { return m.revision }
func (m servedModel) ViewKey() string  { return m.revision }

func (m servedModel) Relations() []engine.RelationInfo {
	return []engine.RelationInfo{{Name: "of_" + m.revision, Columns: []engine.RelationColumn{{Name: "id", Type: "bigint"}}}}
}

// askRevision requests the relations of a revision of a model.
func askRevision(t *testing.T, c *Catalogue, database, revision string) {
	t.Helper()
	s := pgwire.CatalogueSession{Model: servedModel{revision: revision}, Database: database, User: "me"}
	rows, err := answer(t.Context(), c, s, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'", nil)
	if err != nil || fmt.Sprint(rows.Rows) != "[[of_"+revision+"]]" {
		t.Fatalf("%s: %v %v", revision, rows.Rows, err)
	}
}

// heldSets returns the sets of tables that are in memory.
func heldSets(c *Catalogue) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sets {
		out = append(out, s.database+" "+s.revision)
	}
	return out
}

func TestCatalogue_DropsTheTablesOfFormerRevisions(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	askRevision(t, c, "shop", "a")
	askRevision(t, c, "other", "x")
	first := c.sets[0]
	askRevision(t, c, "shop", "b")
	if got := fmt.Sprint(heldSets(c)); got != "[other x shop b]" {
		t.Errorf("after a new revision: %s", got)
	}
	if first.set.engine != nil {
		t.Error("the tables of the former revision are open")
	}
	second := c.sets[1]
	c.ReplaceModels([]pgwire.Model{{Name: "shop", Service: servedModel{revision: "c"}}, {Name: "other", Service: servedModel{revision: "x"}}})
	if got := fmt.Sprint(heldSets(c)); got != "[other x]" || second.set.engine != nil {
		t.Errorf("after a reload: %s", got)
	}
	c.ReplaceModels(nil)
	if got := heldSets(c); len(got) != 0 {
		t.Errorf("without models: %s", got)
	}
}

// seenModel is a revision as one reader sees it, with its own relation.
type seenModel struct {
	servedModel
	reader string
}

func (m seenModel) ViewKey() string { return m.revision + " " + m.reader }

func (m seenModel) Relations() []engine.RelationInfo {
	return []engine.RelationInfo{{Name: "for_" + m.reader, Columns: []engine.RelationColumn{{Name: "id", Type: "bigint"}}}}
}

// Readers of one revision have their own catalogues, in any order of requests.
func TestCatalogue_ReadersDoNotShareTables(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	for _, reader := range []string{"a", "b", "a", "c", "b"} {
		s := pgwire.CatalogueSession{Model: seenModel{servedModel{revision: "1"}, reader}, Database: "shop", User: "me"}
		rows, err := answer(t.Context(), c, s, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'", nil)
		if err != nil || fmt.Sprint(rows.Rows) != "[[for_"+reader+"]]" {
			t.Fatalf("%s: %v %v", reader, rows.Rows, err)
		}
	}
}

// A statement that runs while its model is replaced reads its rows to the end.
func TestCatalogue_RunningStatementsKeepTheirTables(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	askRevision(t, c, "shop", "a")
	held := c.sets[0]
	err := c.runWithTableSet(t.Context(), pgwire.CatalogueSession{Model: servedModel{revision: "a"}, Database: "shop"}, func(set *tableSet) error {
		c.ReplaceModels(nil)
		rows, err := set.engine.Query(context.Background(), "SELECT 1")
		if err != nil {
			return err
		}
		return rows.Close()
	})
	if err != nil {
		t.Error(err)
	}
	if held.set.engine != nil {
		t.Error("the tables are open after the last statement")
	}
}

// answer reads the rows of the text of a statement.
func answer(ctx context.Context, c *Catalogue, s pgwire.CatalogueSession, text string, params []pgwire.BindParameterValue) (pgwire.CatalogueRows, error) {
	return c.Answer(ctx, s, parse.ParseStatement(text, parse.DefaultLimits()), params)
}
