package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
)

func (a *app) accessCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "access",
		Short: "Check a policies file, and explain what a reader sees",
	}
	cmd.AddCommand(a.accessCheckCommand(), a.accessExplainCommand())
	return cmd
}

// policyFinding is a finding about a policies file as access check prints it.
type policyFinding struct {
	Severity modelspec.Severity `json:"severity"`
	Code     string             `json:"code"`
	Location string             `json:"location"`
	Message  string             `json:"message"`
	Line     int                `json:"line"`
	Column   int                `json:"column"`
}

func (a *app) accessCheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check a policies file against a model",
		Long: "check lists what is wrong in a policies file, with line and column. With --auth-token-file it names the tokens whose identity lacks a role\n" +
			"or an attribute, so that a server would reject each of their requests. With --connection it names the rules and masks that the SQL of the\n" +
			"connection cannot express. The exit code is 1 if there is an error; warnings alone are 0.",
		Args: cobra.NoArgs,
	}
	addModelFlags(cmd)
	addConnectionsFlag(cmd)
	cmd.Flags().String("connection", "", "connection profile: check that its SQL can express the rules and masks, and count duplicates of the keys that they join on")
	cmd.Flags().String(policiesFlag, "", "policies file")
	cmd.Flags().String(tokenFileFlag, "", "token file: name the tokens whose identity lacks a role or an attribute")
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := a.readAccessConfig(cmd)
		if err != nil {
			return err
		}
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		issues, err := engine.CheckPolicies(cmd.Context(), c)
		if err != nil {
			return err
		}
		found := findingsOfFile(c.PoliciesPath, issues)
		if path := s.readWithoutVariable(tokenFileFlag); path != "" && !modelspec.HasErrors(issues) {
			tokens, err := checkTokenFile(c, path)
			if err != nil {
				return err
			}
			found = append(found, tokens...)
		}
		if name := s.readWithoutVariable("connection"); name != "" && !modelspec.HasErrors(issues) {
			rejected, err := engine.CheckPoliciesOnConnection(cmd.Context(), c, name)
			if err != nil {
				return err
			}
			issues = append(issues, rejected...)
			found = append(found, findingsOfFile(c.PoliciesPath, rejected)...)
		}
		if err := a.printPolicyFindings(c.PoliciesPath, found); err != nil {
			return err
		}
		if modelspec.HasErrors(issues) {
			return errFailureAlreadyPrinted
		}
		return nil
	}
	return cmd
}

// readAccessConfig reads the model and the policies file of a command about both.
func (a *app) readAccessConfig(cmd *cobra.Command) (engine.Config, error) {
	s, err := newSettingsReader(cmd)
	if err != nil {
		return engine.Config{}, err
	}
	c, err := a.readEngineConfig(s, a.newCommandLogger())
	if err != nil {
		return c, err
	}
	if c.PoliciesPath = s.readPoliciesPath(); c.PoliciesPath == "" {
		return c, newUsageError("the command needs --policies FILE")
	}
	return c, nil
}

// fileFinding is a finding in one of the files of a check.
type fileFinding struct {
	path string
	modelspec.Issue
}

func findingsOfFile(path string, issues []modelspec.Issue) []fileFinding {
	out := make([]fileFinding, len(issues))
	for i, one := range issues {
		out[i] = fileFinding{path, one}
	}
	return out
}

// checkTokenFile finds the tokens whose identity is not complete.
func checkTokenFile(c engine.Config, path string) ([]fileFinding, error) {
	tokens, warnings, err := readTokensFromFile(path)
	if err != nil {
		return nil, newUsageError("--" + tokenFileFlag + ": " + err.Error())
	}
	issues, err := engine.CheckTokens(c, tokens)
	if err != nil {
		return nil, err
	}
	var out []fileFinding
	for _, text := range warnings {
		out = append(out, fileFinding{path, modelspec.Issue{Severity: modelspec.SeverityWarning, Code: access.CodeInvalidPolicy, Message: text}})
	}
	return append(out, findingsOfFile(path, issues)...), nil
}

func (a *app) printPolicyFindings(policies string, issues []fileFinding) error {
	if a.effectiveOutputFormat() == formatJSON {
		found, valid := make([]policyFinding, len(issues)), true
		for i, one := range issues {
			found[i] = policyFinding{one.Severity, one.Code, one.Location, one.Message, one.Position.Line, one.Position.Column}
			valid = valid && one.Severity != modelspec.SeverityError
		}
		return a.printJSON(struct {
			Valid  bool            `json:"valid"`
			Issues []policyFinding `json:"issues"`
		}{valid, found})
	}
	var b strings.Builder
	for _, one := range issues {
		fmt.Fprintf(&b, "%s%s: %s: %s", engine.MessagePositionPrefix(one.path, one.Position), one.Severity, one.Code, terminalSafeLine(one.Message))
		if len(one.Candidates) > 0 {
			b.WriteString(" (did you mean " + strings.Join(one.Candidates, ", ") + "?)")
		}
		b.WriteByte('\n')
	}
	if len(issues) == 0 {
		b.WriteString(policies + " is valid\n")
	}
	return a.printText(b.String())
}

func (a *app) accessExplainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show what a reader sees of a model, and what hides the rest",
		Args:  cobra.NoArgs,
	}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addConnectionsFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := a.readAccessConfig(cmd)
		if err != nil {
			return err
		}
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		if err := s.readReader(&c); err != nil {
			return err
		}
		explained, err := engine.ExplainAccess(cmd.Context(), c)
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(explained)
		}
		return a.printText(explanationText(explained))
	}
	return cmd
}

// explanationText lays out what a reader sees.
func explanationText(e *access.Explanation) string {
	var b strings.Builder
	line := func(title string, items ...string) {
		if len(items) > 0 {
			fmt.Fprintf(&b, "%-12s %s\n", title, terminalSafeLine(strings.Join(items, ", ")))
		}
	}
	line("identity", strings.TrimSpace(e.Identity.Name+" as "+strings.Join(e.Identity.Roles, ", ")))
	for _, d := range e.Datasets {
		b.WriteByte('\n')
		line("dataset", d.Name)
		line("  rows", d.Rows)
		line("  fields", d.Fields...)
		for _, m := range d.Masked {
			line("  masked", m.Name+": "+m.Mask)
		}
		for _, h := range d.Hidden {
			line("  hidden", h.Why)
		}
	}
	b.WriteByte('\n')
	line("metrics", e.Metrics...)
	for _, h := range e.HiddenMetrics {
		line("  hidden", h.Why)
	}
	var connections []string
	for _, c := range e.Connections {
		if c == "" {
			c = "the embedded database"
		}
		connections = append(connections, c)
	}
	line("connections", connections...)
	sees := "no"
	if e.SQL {
		sees = "yes"
	}
	line("sees SQL", sees)
	return b.String()
}
