package catalogue

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// keptViews are the views of information_schema whose rows become a table when a statement first reads them. They depend on the
// model and the name of the user alone. Generators of code join several of them for each relation, from several connections.
var keptViews = []string{"columns", "constraint_column_usage", "element_types", "key_column_usage", "referential_constraints", "table_constraints", "tables"}

const (
	// maxKeptViews bounds the tables of views in a set: those of two users. Views beyond it are computed by each statement.
	maxKeptViews = 14
	// maxKeptViewColumns bounds the columns of all relations in a set that keeps views, and with them the rows of a view.
	maxKeptViewColumns = 2_000
)

// keptView is a view that a statement reads from its table.
type keptView struct {
	table      ducksql.Name
	definition ducksql.Node // for one user
}

// keepView returns the table of a view; false where each statement computes the view.
func (r *translator) keepView(t *postgres15.Table, columns []*scopeColumn) (ducksql.Node, bool) {
	if r.views > 0 || !r.set.keepsViews || t.Schema != "information_schema" || !slices.Contains(keptViews, t.Name) {
		return nil, false
	}
	// Its own translator numbers the names of a view alike in each statement.
	definition, ok := (&translator{set: r.set, session: r.session}).expandView(t, columns)
	if !ok || isEmptyResult(definition) {
		return nil, false
	}
	digest := fnv.New64a()
	_, _ = digest.Write([]byte(ducksql.Print(definition)))
	view := keptView{table: ducksql.Name("v_" + t.Name + "_" + strconv.FormatUint(digest.Sum64(), 16)), definition: definition}
	if !r.set.reserveView(view.table) {
		return nil, false
	}
	r.keptViews = append(r.keptViews, view)
	return keptViewTable(view.table), true
}

func keptViewTable(name ducksql.Name) ducksql.Node { return ducksql.FillTemplate("stored.?", name) }

// reserveView reports whether a set keeps a view, or may keep it from now on.
func (s *tableSet) reserveView(name ducksql.Name) bool {
	s.viewsMu.Lock()
	defer s.viewsMu.Unlock()
	if !slices.Contains(s.views, name) {
		if len(s.views) == maxKeptViews {
			return false
		}
		s.views = append(s.views, name)
	}
	return true
}

// createKeptViews makes the tables of views that are missing. An engine that opened again has none of them.
func (s *tableSet) createKeptViews(ctx context.Context, views []keptView) error {
	if len(views) == 0 {
		return nil
	}
	select {
	case s.creatingViews <- struct{}{}:
		defer func() { <-s.creatingViews }()
	case <-ctx.Done():
		return ctx.Err()
	}
	known, err := s.readTexts(ctx, ducksql.FillTemplate("SELECT table_name FROM duckdb_tables() WHERE database_name = 'stored'"))
	if err != nil {
		return err
	}
	for _, v := range views {
		if slices.Contains(known, string(v.table)) {
			continue
		}
		known = append(known, string(v.table))
		if err := s.engine.Exec(ctx, ducksql.Print(ducksql.FillTemplate("CREATE TABLE ? AS ?", keptViewTable(v.table), v.definition))); err != nil {
			return err
		}
	}
	return nil
}

// readTexts runs a statement and returns its first column.
func (s *tableSet) readTexts(ctx context.Context, statement ducksql.Node) ([]string, error) {
	rows, err := s.engine.Query(ctx, ducksql.Print(statement))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []string
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		for i := range int(batch.NumRows()) {
			out = append(out, batch.Column(0).ValueStr(i))
		}
		return nil
	})
	return out, err
}
