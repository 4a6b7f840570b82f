package engine

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// CheckPoliciesOnConnection finds the rules and masks that cannot be written in the SQL of a connection: the fields that every caller could
// read there without the policies, and a reader of a role cannot. It connects to nothing. The policies are valid (CheckPolicies); the error
// is that of Open, or of a connection that cannot be used.
func CheckPoliciesOnConnection(ctx context.Context, c Config, connection string) ([]modelspec.Issue, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil || c.Policies == nil {
		return nil, err
	}
	policies := policiesOfModel(c.Policies, c.ModelName)
	author := c
	author.Policies, author.PoliciesPath, author.PoliciesText = nil, "", nil
	whole, err := Open(ctx, author)
	if err != nil {
		return nil, err
	}
	defer func() { _ = whole.Close() }()
	t, err := whole.chooseCompileTarget("", connection)
	if err == nil {
		err = whole.checkExecutable(t)
	}
	if err != nil {
		return nil, err
	}
	var out []modelspec.Issue
	for i := range policies.Roles {
		found, err := checkRoleOnDialect(ctx, c, whole, &policies.Roles[i], t.dialect.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// checkRoleOnDialect reads each field of the datasets of a role as a reader who has the role alone, with attributes of any value.
func checkRoleOnDialect(ctx context.Context, c Config, whole *Engine, role *access.Role, dialect string) ([]modelspec.Issue, error) {
	c.As = &access.Claims{Name: "check", Roles: []string{role.Name.Value}, Attributes: map[string]any{}}
	for _, a := range c.Policies.Attributes {
		c.As.Attributes[a.Name.Value] = a.Sample()
	}
	reader, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }()
	var out []modelspec.Issue
	for _, d := range reader.cat.Datasets {
		for _, f := range d.Fields {
			err := compileField(ctx, reader, f, dialect)
			var failed *planerr.Error
			if err == nil || !errors.As(err, &failed) || compileField(ctx, whole, f, dialect) != nil {
				continue
			}
			out = append(out, modelspec.Issue{
				Severity: modelspec.SeverityError, Code: failed.Code, Position: role.GrantOf(d.Name).TextBehind(f.Name).Position(),
				Message: "the role " + role.Name.Value + " cannot read " + f.QualifiedName() + " in the SQL of " + dialect + ": " + failed.Message,
			})
			break
		}
	}
	return out, ctx.Err()
}

func compileField(ctx context.Context, e *Engine, f *catalog.Field, dialect string) error {
	s, err := e.Prepare(ctx, &query.DetailQuery{From: f.Dataset.Name, Fields: []string{f.QualifiedName()}, Dialect: dialect})
	if err == nil {
		_, err = s.SQL(ctx)
	}
	return err
}
