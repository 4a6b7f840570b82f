package pgwire_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/pgwire"
)

// versionCatalogue answers every statement with the version of the server.
type versionCatalogue struct{}

func (versionCatalogue) Describe(context.Context, pgwire.CatalogueSession, string, []uint32) (pgwire.StatementDescription, error) {
	const text = 25
	return pgwire.StatementDescription{Columns: []pgwire.Column{{Name: "version", Type: text}}}, nil
}

func (c versionCatalogue) Answer(ctx context.Context, s pgwire.CatalogueSession, text string, _ []pgwire.BindParameterValue) (pgwire.CatalogueRows, error) {
	d, err := c.Describe(ctx, s, text, nil)
	return pgwire.CatalogueRows{Columns: d.Columns, Rows: [][]any{{"PostgreSQL 15.0 (semlayer " + s.Version + ")"}}}, err
}

// A catalogue answers the statements that read no rows of the model.
func ExampleCatalogue() {
	var c pgwire.Catalogue = versionCatalogue{}
	rows, err := c.Answer(context.Background(), pgwire.CatalogueSession{Version: "v0.1.0"}, "SELECT version()", nil)
	fmt.Println(rows.Rows[0], err)
	// Output: [PostgreSQL 15.0 (semlayer v0.1.0)] <nil>
}
