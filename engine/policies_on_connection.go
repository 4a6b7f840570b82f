package engine

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// CheckPoliciesOnConnection finds the rules and masks that cannot be written in the SQL of a connection: the fields that every caller could
// read there without the policies, and a reader of a role cannot. It counts the values of the keys that rules and masks join on which several
// rows have; without such a join it connects to nothing. The policies are valid (CheckPolicies); the error is that of Open, or of a
// connection that cannot be used.
func CheckPoliciesOnConnection(ctx context.Context, c Config, connection string) ([]modelspec.Issue, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil || c.Policies == nil {
		return nil, err
	}
	policies := policiesOfModel(c.Policies, c.ModelName)
	author := c
	author.Policies, author.PoliciesPath, author.PoliciesText = nil, "", nil
	doc, text, err := readModelDocument(author)
	if err != nil {
		return nil, err
	}
	issues, err := validateConfiguredModel(ctx, author, doc)
	if err != nil {
		return nil, err
	}
	whole, err := openEngineOnDocument(ctx, author, doc, text, issues)
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
	duplicated, err := whole.duplicatesOfRuleKeys(ctx, doc, c.Policies, policies, t)
	return append(out, duplicated...), err
}

// duplicatesOfRuleKeys finds the keys that rules and masks join on and that the data break: a row then meets a rule several times.
func (e *Engine) duplicatesOfRuleKeys(ctx context.Context, doc *modelspec.Document, file *access.File, policies *access.Policies, t compileTarget) ([]modelspec.Issue, error) {
	applied, _, err := file.Apply(ctx, policies, doc, e.cat, e.config.Basic)
	if err != nil {
		return nil, err
	}
	var out []modelspec.Issue
	counted := map[*catalog.Relationship]*modelspec.Issue{} // nil where each value is in one row
	for _, j := range applied.RuleJoins(t.dialect.Name()) {
		r := j.Relationship
		if r.Valid != nil || len(r.ToFields) == 0 { // rows that are valid for a time share a key
			continue
		}
		found, ok := counted[r]
		if !ok {
			if found, err = e.duplicatesOfKey(ctx, doc, r, t); err != nil {
				return nil, err
			}
			counted[r] = found
		}
		if found != nil {
			here := *found
			here.Position, here.Message = j.Text.Position(), "the policy of "+j.Dataset+" joins "+r.To.Name+" along "+r.Name+": "+found.Message
			out = append(out, here)
		}
	}
	return out, nil
}

// duplicatesOfKey counts the duplicates of the key that a relationship leads to; nil for none.
func (e *Engine) duplicatesOfKey(ctx context.Context, doc *modelspec.Document, r *catalog.Relationship, t compileTarget) (*modelspec.Issue, error) {
	db, err := e.executorOfTarget(ctx, t)
	if err != nil {
		return nil, e.toExecuteError(ctx, err)
	}
	values, incomplete, err := datacheck.CountDuplicates(ctx, datacheck.ModelAndWarehouse{
		Document: doc, Catalog: e.cat, Planner: e.planner, Target: t.planner, Dialect: t.dialect, DB: db, Basic: e.config.Basic,
	}, r.ToFields, datacheck.Options{})
	switch {
	case err != nil:
		return nil, e.toExecuteError(ctx, err)
	case incomplete != "":
		return &modelspec.Issue{Severity: modelspec.SeverityWarning, Code: datacheck.CodeCheckIncomplete, Message: "its key was not checked: " + incomplete}, nil
	case values == 0:
		return nil, nil
	}
	var names []string
	for _, f := range r.ToFields {
		names = append(names, f.Name)
	}
	return &modelspec.Issue{
		Severity: modelspec.SeverityError, Code: datacheck.CodeKeyNotUnique,
		Message: "several rows have the same " + strings.Join(names, ", ") + " (" + strconv.FormatInt(values, 10) + " values), so that rows are counted several times",
	}, nil
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
