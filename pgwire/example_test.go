package pgwire_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/semsql/parse"
)

// versionCatalogue answers every statement with the version of the server.
type versionCatalogue struct{}

func (versionCatalogue) Describe(context.Context, pgwire.CatalogueSession, *parse.Statement, []uint32) (pgwire.StatementDescription, error) {
	const text = 25
	return pgwire.StatementDescription{Columns: []pgwire.Column{{Name: "version", Type: text}}}, nil
}

func (versionCatalogue) ColumnNumbers(pgwire.CatalogueSession, string, string) (table uint32, attribute uint16) {
	return 0, 0
}

func (c versionCatalogue) Answer(ctx context.Context, s pgwire.CatalogueSession, statement *parse.Statement, _ []pgwire.BindParameterValue) (pgwire.CatalogueRows, error) {
	d, err := c.Describe(ctx, s, statement, nil)
	return pgwire.CatalogueRows{Columns: d.Columns, Rows: [][]any{{"PostgreSQL 15.0 (semlayer " + s.Version + ")"}}}, err
}

// A catalogue answers the statements that read no rows of the model.
func ExampleCatalogue() {
	var c pgwire.Catalogue = versionCatalogue{}
	rows, err := c.Answer(context.Background(), pgwire.CatalogueSession{Version: "v0.1.0"}, parse.ParseStatement("SELECT version()", parse.DefaultLimits()), nil)
	fmt.Println(rows.Rows[0], err)
	// Output: [PostgreSQL 15.0 (semlayer v0.1.0)] <nil>
}
