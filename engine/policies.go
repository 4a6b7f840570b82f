package engine

import (
	"context"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/planerr"
)

// CheckPolicies judges the policies of a configuration against its model. It returns what it finds of the file, warnings too; the
// error is that of Open for the model, or of a file that cannot be read.
func CheckPolicies(ctx context.Context, c Config) ([]modelspec.Issue, error) {
	c = c.withDefaults()
	file, issues, err := c.readPolicies()
	if err != nil || modelspec.HasErrors(issues) {
		return issues, err
	}
	doc, _, err := readModelDocument(c)
	if err != nil {
		return nil, err
	}
	if _, err := validateConfiguredModel(ctx, c, doc); err != nil {
		return nil, err
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{Basic: c.Basic})
	if err != nil {
		return nil, err
	}
	policies := file.PoliciesOf(c.ModelName)
	if policies == nil || !policies.HasRoles {
		return issues, nil
	}
	applied, found, err := file.Apply(ctx, policies, doc, cat, c.Basic)
	if err != nil {
		return nil, err
	}
	issues = append(issues, found...)
	if modelspec.HasErrors(found) {
		return issues, nil
	}
	warnings, err := applied.Warnings(ctx)
	return append(issues, warnings...), err
}

// CheckTokens returns a warning for each token whose identity the policies of a configuration refuse for its model. The error is that of
// a file that cannot be read, or a *PoliciesError.
func CheckTokens(c Config, tokens []access.Token) ([]modelspec.Issue, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil || c.Policies == nil {
		return nil, err
	}
	return c.Policies.CheckTokens(policiesOfModel(c.Policies, c.ModelName), tokens), nil
}

// ExplainAccess describes what the reader of the configuration sees. Errors are those of Open.
func ExplainAccess(ctx context.Context, c Config) (*access.Explanation, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil {
		return nil, err
	}
	e, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close() }()
	id := c.Policies.NewIdentity(*c.As)
	if e.rights == nil {
		return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "the policies have no roles for the model: every caller sees all"}
	}
	policies := c.Policies.PoliciesOf(c.ModelName)
	out := e.rights.view.Explain(e.cat.Attributes)
	out.Identity = access.ExplainedIdentity{Name: id.Name, Issuer: id.Issuer, Roles: id.KnownRoles(policies), Attributes: map[string]any{}}
	for name, v := range id.Attributes {
		out.Identity.Attributes[name] = v.JSON()
	}
	out.Connections = []string{}
	if e.grantsConnection("") {
		out.Connections = append(out.Connections, "")
	}
	for _, one := range e.Connections() {
		out.Connections = append(out.Connections, one.Name)
	}
	return out, nil
}

// PoliciesError are the errors of a policies file.
type PoliciesError struct {
	Path   string
	Issues []modelspec.Issue
}

// Error names the file and its first finding.
func (e *PoliciesError) Error() string {
	first := e.firstError()
	out := planerr.ClipText(e.Path) + ":" + strconv.Itoa(first.Position.Line) + ":" + strconv.Itoa(first.Position.Column) + ": " + first.Code + ": " + first.Message
	if more := len(e.Issues) - 1; more > 0 {
		out += " (and " + strconv.Itoa(more) + " more)"
	}
	return out
}

// ErrorCode returns the code of the first error.
func (e *PoliciesError) ErrorCode() string { return e.firstError().Code }

// firstError returns the first finding that is not a warning.
func (e *PoliciesError) firstError() modelspec.Issue {
	return e.Issues[slices.IndexFunc(e.Issues, func(i modelspec.Issue) bool { return i.Severity == modelspec.SeverityError })]
}
