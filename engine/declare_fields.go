package engine

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/format"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// DeclareModelFields is FormatModel that also declares the columns that relationships and metrics name and that are not fields. With a
// configuration that has data, the fields have the datatypes of their columns; one whose column cannot be read has none. The model of the
// configuration is that of the text.
func DeclareModelFields(ctx context.Context, text []byte, data *Config, connection string) (out []byte, declared []format.MissingField, err error) {
	out, declared, err = format.DeclareMissingFields(text, nil)
	if err != nil || len(declared) == 0 || data == nil {
		return out, declared, err
	}
	c := *data
	c.ModelText = out
	e, err := Open(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	types := map[format.MissingField]modelspec.Datatype{}
	for _, f := range declared {
		found, err := e.columnDatatypeOfField(ctx, f.Dataset, f.Name, connection)
		if err != nil && ctx.Err() != nil {
			return nil, nil, errors.Join(err, e.Close())
		}
		types[f] = found
	}
	if err := e.Close(); err != nil {
		return nil, nil, err
	}
	return format.DeclareMissingFields(text, func(f format.MissingField) modelspec.Datatype { return types[f] })
}

// columnDatatypeOfField returns the datatype of the column of a field, "" where it is not known.
func (e *Engine) columnDatatypeOfField(ctx context.Context, dataset, field, connection string) (modelspec.Datatype, error) {
	one := int64(1)
	s, err := e.Prepare(ctx, &query.DetailQuery{From: dataset, Fields: []string{sqlexpr.FormatPath(field)}, Limit: &one, Connection: connection})
	if err != nil {
		return "", err
	}
	result, err := s.Execute(ctx)
	if err != nil || len(result.Datatypes) != 1 {
		return "", err
	}
	return modelspec.Datatype(result.Datatypes[0]), nil
}
