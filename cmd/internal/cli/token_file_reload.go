package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// tokenFileReadInterval is how often a file of tokens is read again.
const tokenFileReadInterval = 5 * time.Second

// readTokenSettings reads the authentication tokens: the flag's, or else the variable's,
// and beside them a file's, nil when there is none. A token, or a name of a file,
// that is there and empty is a mistake that would leave the server open, so it is
// not taken for none.
func (s settingsReader) readTokenSettings() (fixed []string, file *tokenFile, err error) {
	const flag = "auth-token"
	if s.cmd.Flags().Changed(flag) {
		// GetStringArray would lose a single empty text.
		if given, ok := s.cmd.Flags().Lookup(flag).Value.(pflag.SliceValue); ok {
			fixed = given.GetSlice()
		}
	} else if value, set := os.LookupEnv(envVariableByFlag[flag]); set {
		if fixed = splitNonBlankLines(value); len(fixed) == 0 {
			fixed = []string{""}
		}
	}
	for _, t := range fixed {
		if strings.TrimSpace(t) == "" {
			return nil, nil, newUsageError(flagAndEnvVariableText(flag) + " must not be empty")
		}
	}
	path := s.readText(tokenFileFlag)
	if path == "" {
		if _, set := os.LookupEnv(envVariableByFlag[tokenFileFlag]); set || s.cmd.Flags().Changed(tokenFileFlag) {
			return nil, nil, newUsageError(flagAndEnvVariableText(tokenFileFlag) + " must not be empty")
		}
		return fixed, nil, nil
	}
	now, err := readTokensFromFile(path)
	if err != nil {
		return nil, nil, newUsageError(flagAndEnvVariableText(tokenFileFlag) + ": " + err.Error())
	}
	return fixed, &tokenFile{path: path, fixed: fixed, last: now, every: tokenFileReadInterval}, nil
}

const tokenFileFlag = "auth-token-file"

// splitNonBlankLines splits a text that holds one value on each line.
func splitNonBlankLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// readTokensFromFile reads the tokens of a file, one on each line. A line that begins with # is a comment.
func readTokensFromFile(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := splitNonBlankLines(strings.TrimPrefix(string(text), "\uFEFF"))
	tokens := slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
	if len(tokens) == 0 {
		return nil, fmt.Errorf("%s holds no token", path)
	}
	return tokens, nil
}

// minTokenCharacters is the length below which a token can be guessed.
const minTokenCharacters = 16

// shortTokensText counts the tokens that can be guessed; "" for none.
func shortTokensText(tokens []string) string {
	n := 0
	for _, t := range tokens {
		if utf8.RuneCountInString(t) < minTokenCharacters {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s shorter than %d characters", formatCountOfNoun(n, "authentication token"), minTokenCharacters)
}

func shortTokensWarning(short string) string {
	return short + " can be guessed: make one by openssl rand -hex 32"
}

// tokenFile is a file of tokens that may change while the server runs.
type tokenFile struct {
	path  string
	fixed []string // tokens beside those of the file
	last  []string
	every time.Duration
	// strict rejects a file with short tokens.
	strict bool
}

// acceptedTokens returns the tokens to accept.
func (f *tokenFile) acceptedTokens() []string { return slices.Concat(f.fixed, f.last) }

// replaceTokensOnChange hands the tokens on whenever those of the file have changed, until ctx
// ends. A file that cannot be read, or holds none, leaves things as they are.
func (f *tokenFile) replaceTokensOnChange(ctx context.Context, log *slog.Logger, server interface{ ReplaceTokens([]string) error }) {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	broken := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := readTokensFromFile(f.path)
		short := shortTokensText(now)
		if err == nil && f.strict && short != "" {
			err = errors.New(flagAndEnvVariableText("strict") + " refuses " + short)
		}
		if err == nil && !slices.Equal(now, f.last) {
			if short != "" {
				log.Warn(shortTokensWarning(short), "file", f.path)
			}
			f.last = now
			if err = server.ReplaceTokens(f.acceptedTokens()); err == nil {
				log.Info("the authentication tokens were replaced", "file", f.path, "tokens", len(f.acceptedTokens()))
			}
		}
		if err != nil && !broken {
			log.Warn("the authentication tokens stay as they were", "file", f.path, "error", err)
		}
		broken = err != nil
	}
}
