package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/access"
)

const tokenFileFlag = "auth-token-file"

// tokenSettings are the authentication tokens: the flag's, or else the variable's, and beside them those of a file.
type tokenSettings struct {
	fixed    []access.Token
	path     string // of the file; "" for none
	file     []access.Token
	warnings []string // about the file
}

// all returns the tokens to accept.
func (t tokenSettings) all() []access.Token {
	return append(append([]access.Token{}, t.fixed...), t.file...)
}

// readTokenSettings reads the authentication tokens. A token, or a name of a file,
// that is there and empty is a mistake that would leave the server open, so it is
// not taken for none.
func (s settingsReader) readTokenSettings() (out tokenSettings, err error) {
	const flag = "auth-token"
	fixed := s.readRepeated(flag)
	if value, set := os.LookupEnv(envVariableByFlag[flag]); set && !s.cmd.Flags().Changed(flag) && strings.TrimSpace(value) == "" {
		fixed = []string{""}
	}
	for _, t := range fixed {
		if strings.TrimSpace(t) == "" {
			return out, newUsageError(flagAndEnvVariableText(flag) + " must not be empty")
		}
		out.fixed = append(out.fixed, access.PlainToken(t))
	}
	if out.path = s.readText(tokenFileFlag); out.path == "" {
		_, set := os.LookupEnv(envVariableByFlag[tokenFileFlag])
		if set || s.cmd.Flags().Changed(tokenFileFlag) || s.isInFile(tokenFileFlag) {
			return out, newUsageError(flagAndEnvVariableText(tokenFileFlag) + " must not be empty")
		}
		return out, nil
	}
	if out.file, out.warnings, err = readTokensFromFile(out.path); err != nil {
		return out, newUsageError(flagAndEnvVariableText(tokenFileFlag) + ": " + err.Error())
	}
	return out, nil
}

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

// readTokensFromFile reads the tokens of a file, one on each line.
func readTokensFromFile(path string) (tokens []access.Token, warnings []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if tokens, warnings, err = access.ParseTokens(string(text)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(tokens) == 0 {
		return nil, nil, fmt.Errorf("%s holds no token", path)
	}
	return tokens, warnings, nil
}

// minTokenCharacters is the length below which a token can be guessed.
const minTokenCharacters = 16

// shortTokensText counts the tokens that can be guessed; "" for none. The length of a token is unknown where the file holds its digest.
func shortTokensText(tokens []access.Token) string {
	n := 0
	for _, t := range tokens {
		if t.Secret != "" && utf8.RuneCountInString(t.Secret) < minTokenCharacters {
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

// refuseShortTokens returns an error of a strict server for tokens that can be guessed.
func refuseShortTokens(tokens []access.Token) error {
	if short := shortTokensText(tokens); short != "" {
		return errors.New(flagAndEnvVariableText("strict") + " refuses " + short)
	}
	return nil
}

// logTokenWarnings logs the lines of a token file that may not be what their author meant.
func logTokenWarnings(log *slog.Logger, path string, warnings []string) {
	for _, w := range warnings {
		log.Warn("tokens: "+w, "file", path)
	}
}
