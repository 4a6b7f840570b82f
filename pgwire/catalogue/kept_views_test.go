package catalogue

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// keyedModel has two relations with keys, and one that refers to the other.
type keyedModel struct{ servedModel }

func (m keyedModel) Relations() []engine.RelationInfo {
	return []engine.RelationInfo{
		{Name: "makers", Columns: []engine.RelationColumn{{Name: "id", Type: "bigint", NotNull: true}, {Name: "town", Type: "text"}}, Keys: []engine.RelationKey{{Name: "makers_pkey", Primary: true, Columns: []string{"id"}}}},
		{
			Name: "bowls", Columns: []engine.RelationColumn{{Name: "id", Type: "bigint", NotNull: true}, {Name: "maker", Type: "bigint"}, {Name: "weight", Type: "numeric", IsMetric: true}},
			Keys:        []engine.RelationKey{{Name: "bowls_pkey", Primary: true, Columns: []string{"id"}}},
			ForeignKeys: []engine.RelationForeignKey{{Name: "bowl_maker", Columns: []string{"maker"}, Target: "makers", TargetColumns: []string{"id"}}},
		},
	}
}

// rowsOfView returns the rows of a view for a user, in the order of their texts.
func rowsOfView(t *testing.T, c *Catalogue, view, user string) []string {
	t.Helper()
	s := pgwire.CatalogueSession{Model: keyedModel{servedModel{revision: "1"}}, Database: "shop", User: user}
	found, err := answer(t.Context(), c, s, "SELECT * FROM information_schema."+view, nil)
	if err != nil {
		t.Fatalf("%s: %v", view, err)
	}
	var out []string
	for _, row := range found.Rows {
		out = append(out, fmt.Sprint(row...))
	}
	slices.Sort(out)
	return out
}

// Each view has the rows that a statement computes, for every user, also where more users ask than views are kept, and in an
// engine that has lost its tables.
func TestKeptViews_HaveTheRowsOfTheirDefinition(t *testing.T) {
	kept, computed := New(slog.New(slog.DiscardHandler), nil), New(slog.New(slog.DiscardHandler), nil)
	defer kept.Close()
	defer computed.Close()
	rowsOfView(t, computed, "tables", "me")
	computed.sets[0].set.keepsViews, computed.sets[0].set.views = false, nil
	for _, user := range []string{"me", "semlayer", "you", "me"} {
		for _, view := range keptViews {
			want := rowsOfView(t, computed, view, user)
			if len(want) == 0 && view != "element_types" {
				t.Errorf("%s has no rows", view)
			}
			if diff := cmp.Diff(want, rowsOfView(t, kept, view, user)); diff != "" {
				t.Errorf("%s of %s: %s", view, user, diff)
			}
		}
		set := kept.sets[0].set
		for _, name := range set.views {
			if err := set.engine.Exec(t.Context(), ducksql.Print(ducksql.FillTemplate("DROP TABLE IF EXISTS ?", keptViewTable(name)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := len(kept.sets[0].set.views); got < len(keptViews)-1 || got > maxKeptViews {
		t.Errorf("%d views have tables, of %d at most", got, maxKeptViews)
	}
	if got := len(computed.sets[0].set.views); got != 0 {
		t.Errorf("%d views have tables in the set that computes them", got)
	}
}

// The rows of a view stay in memory, so a model with many columns keeps none.
func TestKeptViews_AreThoseOfSmallModels(t *testing.T) {
	relation := engine.RelationInfo{Name: "wide", Columns: make([]engine.RelationColumn, maxKeptViewColumns+1)}
	for i := range relation.Columns {
		relation.Columns[i] = engine.RelationColumn{Name: "c" + strings.Repeat("x", i%40) + fmt.Sprint(i), Type: "bigint"}
	}
	for n, want := range map[int]bool{maxKeptViewColumns: true, maxKeptViewColumns + 1: false} {
		set, err := openTableSet(t.Context(), []engine.RelationInfo{{Name: relation.Name, Columns: relation.Columns[:n]}}, newTableSetBounds(nil))
		if err != nil {
			t.Fatal(err)
		}
		if set.keepsViews != want {
			t.Errorf("%d columns: views are kept: %t", n, set.keepsViews)
		}
		if err := set.engine.Close(); err != nil {
			t.Error(err)
		}
	}
}
