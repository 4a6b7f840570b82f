package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// formatMarkdown is a format of diff alone: a comment on a change.
const formatMarkdown = "markdown"

// standardInputFileName is the name of a file that is read from standard input.
const standardInputFileName = "-"

// failOnFlagNone of --fail-on never fails.
const failOnFlagNone = "none"

func (a *app) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what a change of a model does to its queries",
		Long: "diff compares two model files and lists the differences by what they do to queries: breaking, changed results, or\n" +
			"compatible. A file - is standard input. The exit code is 1 if a difference has the class of --fail-on or a worse one.",
		Args: cobra.ExactArgs(2),
	}
	settings.AddFlags(cmd.Flags(), "sem-vendor", "sem-basic")
	cmd.Flags().String("fail-on", string(diff.ClassBreaking), "breaking|changed|none: the class from which on the exit code is 1")
	cmd.Flags().String("queries", "", "file of logged requests, one {\"path\",\"body\"} per line, to compile on both models")
	cmd.Flags().String(policiesFlag, "", "policies file: added datasets, fields and metrics get the roles that see them")
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(allowedFailOnValues(), cobra.ShellCompDirectiveNoFileComp))
	a.addFormatFlag(cmd, formatTable, formatJSON, formatMarkdown, formatGitHub)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		basic, err := s.readBasicMode()
		if err != nil {
			return err
		}
		failOn := s.readText("fail-on")
		if !slices.Contains(allowedFailOnValues(), failOn) {
			return newUsageError(fmt.Sprintf("--fail-on must be one of %s, not %q", strings.Join(allowedFailOnValues(), ", "), failOn))
		}
		o := engine.DiffOptions{Basic: basic}
		if o.Policies, err = readPoliciesOfDiff(s.readPoliciesPath()); err != nil {
			return err
		}
		entries, err := a.diffModels(cmd.Context(), args[0], args[1], s.readText("queries"), o)
		if err != nil {
			return err
		}
		if err := a.printDiff(entries, args[0], args[1]); err != nil {
			return err
		}
		if slices.ContainsFunc(entries, func(e diff.Entry) bool {
			return failOn != failOnFlagNone && e.Class.AtLeast(diff.ChangeClass(failOn))
		}) {
			return errFailureAlreadyPrinted
		}
		return nil
	}
	return cmd
}

func allowedFailOnValues() []string {
	return []string{string(diff.ClassBreaking), string(diff.ClassChanged), failOnFlagNone}
}

// diffModels compares two files. A file that cannot be compared is an error of usage: exit
// code 1 means a difference.
func (a *app) diffModels(ctx context.Context, before, after, queries string, o engine.DiffOptions) ([]diff.Entry, error) {
	if before == standardInputFileName && after == standardInputFileName {
		return nil, newUsageError("only one of the two models can be standard input")
	}
	old, err := a.readModelText(before)
	if err != nil {
		return nil, newUsageError(err.Error())
	}
	current, err := a.readModelText(after)
	if err != nil {
		return nil, newUsageError(err.Error())
	}
	if queries != "" {
		if o.Queries, err = a.readRequests(queries, engine.ReadRequestLog); err != nil {
			return nil, newUsageError(err.Error())
		}
	}
	entries, err := engine.DiffModels(ctx, old, current, o)
	if errors.As(err, new(*modelspec.LoadError)) || errors.As(err, new(*engine.PoliciesError)) {
		return nil, newUsageError(err.Error())
	}
	return entries, err
}

// readPoliciesOfDiff reads the policies of a comparison; nil without a path.
func readPoliciesOfDiff(path string) (*access.File, error) {
	if path == "" {
		return nil, nil
	}
	file, findings, err := readPoliciesFile(path)
	if err == nil && len(findings) > 0 {
		err = policiesError(path, findings)
	}
	if err != nil {
		return nil, newUsageError(err.Error())
	}
	return file, nil
}

// readModelText reads a model file, or standard input.
func (a *app) readModelText(path string) (engine.ModelText, error) {
	if path == standardInputFileName {
		text, err := modelspec.Read(a.std.In, "standard input")
		return engine.ModelText{Path: "standard input", Text: text}, err
	}
	text, err := modelspec.ReadModelFileText(path)
	return engine.ModelText{Path: path, Text: text}, err
}

// readRequests reads the queries of a file, or of standard input.
func (a *app) readRequests(path string, read func(io.Reader) ([]engine.RequestLogEntry, error)) ([]engine.RequestLogEntry, error) {
	if path == standardInputFileName {
		return read(a.std.In)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	queries, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return queries, nil
}

func (a *app) printDiff(entries []diff.Entry, before, after string) error {
	var text string
	switch a.effectiveOutputFormat() {
	case formatJSON:
		return a.printJSON(entries)
	case formatMarkdown:
		text = diffMarkdown(entries)
	case formatGitHub:
		text = diffGitHubAnnotations(entries, after)
	default:
		text = diffText(entries, before, after, styleOfStream(a.std.Out))
	}
	_, err := io.WriteString(a.std.Out, text)
	return err
}
