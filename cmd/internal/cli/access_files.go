package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

// accessFileReadInterval is how often the files of policies and tokens are read again.
const accessFileReadInterval = 5 * time.Second

// accessFiles are the policies file and the token file of a server. Both may change while it runs.
type accessFiles struct {
	tokens       tokenSettings
	policiesPath string // "" for none
	policies     *access.File
	severalNames bool   // the server has several models
	model        string // the NAME of the only model
	strict       bool   // short tokens are rejected
	directory    *identity.Directory
	// enforce puts policies in force on the models; nil where there is none.
	enforce  func(context.Context, *access.File) error
	log      *slog.Logger
	every    time.Duration
	failures map[string]string // by path: what was logged last
}

// readAccessFiles reads who may call a server, and with which rights.
func (s settingsReader) readAccessFiles(c serverSettings) (*accessFiles, error) {
	f := &accessFiles{strict: c.strict, log: c.log, every: accessFileReadInterval, failures: map[string]string{}, severalNames: c.source.Folder != ""}
	if f.model = filepath.Base(c.source.File); c.source.File != "" {
		f.model = strings.TrimSuffix(f.model, filepath.Ext(f.model))
	}
	var err error
	if f.tokens, err = s.readTokenSettings(); err != nil {
		return nil, err
	}
	if f.policiesPath = s.readText(policiesFlag); f.policiesPath != "" {
		if f.policies, err = f.readPolicies(); err != nil {
			return nil, err
		}
	}
	f.directory = identity.New(identity.Config{Logger: c.log})
	if err := f.directory.Replace(f.tokens.all(), f.policies); err != nil {
		return nil, newUsageError(flagAndEnvVariableText(tokenFileFlag) + ": " + err.Error())
	}
	return f, nil
}

// openToEveryCaller returns the access of a server without tokens.
func openToEveryCaller(log *slog.Logger) *accessFiles {
	return &accessFiles{directory: identity.New(identity.Config{Logger: log}), log: log}
}

// readPolicies reads the policies file as the server applies it.
func (f *accessFiles) readPolicies() (*access.File, error) {
	file, findings, err := readPoliciesFile(f.policiesPath)
	if err != nil {
		return nil, err
	}
	if file != nil && f.severalNames {
		findings = file.CheckSeveralModels()
	}
	if len(findings) > 0 {
		return nil, policiesError(f.policiesPath, findings)
	}
	if !f.severalNames {
		file = file.ForModel(f.model)
	}
	if file.HasRoles() && len(file.Issuers) == 0 && f.tokens.path == "" {
		return nil, newUsageError(fmt.Sprintf("%s has roles, but no caller could be identified: it needs %s, or an issuer in the file",
			flagAndEnvVariableText(policiesFlag), flagAndEnvVariableText(tokenFileFlag)))
	}
	return file, nil
}

// readPoliciesFile reads a policies file. The file is nil where there are findings.
func readPoliciesFile(path string) (*access.File, []modelspec.Issue, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = from.Close() }() // which was only read
	text, err := io.ReadAll(io.LimitReader(from, access.MaxFileBytes+1))
	if err != nil {
		return nil, nil, err
	}
	file, findings := access.Parse(path, text)
	return file, findings, nil
}

// policiesError names each finding with its place and code.
func policiesError(path string, findings []modelspec.Issue) error {
	var lines []string
	for _, i := range findings {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s: %s", path, i.Position.Line, i.Position.Column, i.Code, i.Message)+hintText(i.Hint))
	}
	return errors.New(strings.Join(lines, "\n"))
}

func hintText(hint string) string {
	if hint == "" {
		return ""
	}
	return " (" + hint + ")"
}

// isSecured reports whether callers need a token.
func (f *accessFiles) isSecured() bool { return !f.directory.IsOpen() }

// replaceOnChange hands the files on whenever one of them has changed, until ctx ends.
func (f *accessFiles) replaceOnChange(ctx context.Context) {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.readAgain(ctx)
		}
	}
}

// readAgain reads both files. The last valid revision of one that is invalid or missing stays.
func (f *accessFiles) readAgain(ctx context.Context) {
	tokens, policies := f.tokens, f.policies
	var tokensErr, policiesErr error
	if f.tokens.path != "" {
		if tokens.file, tokens.warnings, tokensErr = readTokensFromFile(f.tokens.path); tokensErr == nil && f.strict {
			tokensErr = refuseShortTokens(tokens.file)
		}
		if tokensErr != nil {
			tokens = f.tokens
		}
	}
	if f.policiesPath != "" {
		if policies, policiesErr = f.readPolicies(); policiesErr != nil {
			policies = f.policies
		}
	}
	tokensChanged := !reflect.DeepEqual(tokens.file, f.tokens.file)
	policiesChanged := policies != nil && policies.Hash != f.policies.Hash
	if policiesChanged && f.enforce != nil {
		if err := f.enforce(ctx, policies); err != nil {
			policies, policiesErr, policiesChanged = f.policies, err, false
		}
	}
	if tokensChanged || policiesChanged {
		if err := f.directory.Replace(tokens.all(), policies); err != nil {
			tokensErr = errors.Join(tokensErr, err)
		} else {
			f.logReplaced(tokens, policies, tokensChanged, policiesChanged)
			f.tokens, f.policies = tokens, policies
		}
	}
	f.logFailure(f.tokens.path, "the authentication tokens stay as they were", tokensErr)
	f.logFailure(f.policiesPath, "the policies stay as they were", policiesErr)
	f.directory.SetStale(tokensErr != nil || policiesErr != nil)
}

func (f *accessFiles) logReplaced(tokens tokenSettings, policies *access.File, tokensChanged, policiesChanged bool) {
	if tokensChanged {
		if short := shortTokensText(tokens.file); short != "" {
			f.log.Warn(shortTokensWarning(short), "file", tokens.path)
		}
		logTokenWarnings(f.log, tokens.path, tokens.warnings)
		f.log.Info("the authentication tokens were replaced", "file", tokens.path, "tokens", len(tokens.all()))
	}
	if policiesChanged {
		f.log.Info("the policies were replaced", "file", f.policiesPath, "revision", policies.Hash)
	}
}

// logFailure logs why a file is not used, once for each reason.
func (f *accessFiles) logFailure(path, message string, err error) {
	if err == nil {
		delete(f.failures, path)
		return
	}
	if f.failures[path] != err.Error() {
		f.failures[path] = err.Error()
		f.log.Error(message, "file", path, "error", err)
	}
}
