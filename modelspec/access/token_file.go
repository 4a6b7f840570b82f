package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// Token is a bearer token of a file.
type Token struct {
	// Secret is the token itself, "" where the file holds only its digest.
	Secret string
	Digest [sha256.Size]byte
	// Named reports whether the token belongs to an identity. The claims of any other are empty.
	Named  bool
	Claims Claims
	// Line of the file, from 1; 0 for a token of no file.
	Line int
}

// PlainToken returns a token without an identity.
func PlainToken(secret string) Token {
	return Token{Secret: secret, Digest: sha256.Sum256([]byte(secret))}
}

// ParseTokens reads a file of tokens, one on each line. A line that is a JSON object with the key token or sha256 is a token with a
// name, roles and attributes; any other line is a token as it is. Blank lines and lines that begin with # hold no token. The warnings are
// about lines that look like an object and are not read as one. Errors and warnings repeat no token.
func ParseTokens(text string) (tokens []Token, warnings []string, err error) {
	names, digests := map[string]int{}, map[[sha256.Size]byte]int{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		number++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		token, err := parseTokenLine(line)
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", number, err)
		}
		token.Line = number
		if !token.Named && strings.HasPrefix(line, "{") {
			warnings = append(warnings, fmt.Sprintf("line %d begins with { and is not a JSON object with the key token or sha256: the whole line is a token", number))
		}
		first, twice := digests[token.Digest]
		if twice && (token.Named || tokens[first].Named) {
			return nil, nil, fmt.Errorf("line %d has the token of another line", number)
		}
		if before, ok := names[token.Claims.Name]; ok && token.Named {
			return nil, nil, fmt.Errorf("line %d has the name %.100q of line %d", number, token.Claims.Name, before)
		}
		if token.Named {
			names[token.Claims.Name] = number
		}
		digests[token.Digest] = len(tokens)
		tokens = append(tokens, token)
	}
	return tokens, warnings, nil
}

// CheckTokens returns a warning for each token whose identity the policies of a model refuse. Warnings repeat no token.
func (f *File) CheckTokens(p *Policies, tokens []Token) []modelspec.Issue {
	var out []modelspec.Issue
	for _, t := range tokens {
		err := f.NewIdentity(t.Claims).Check(p)
		refused := (*ForbiddenError)(nil)
		if !p.HasRoles || !errors.As(err, &refused) {
			continue
		}
		who := fmt.Sprintf("the token of line %d", t.Line)
		if t.Named {
			who = fmt.Sprintf("the token %.100q", t.Claims.Name)
		}
		out = append(out, modelspec.Issue{
			Severity: modelspec.SeverityWarning, Code: refused.Code, Location: t.Claims.Name, Message: who + " can ask nothing: " + refused.Message,
			Hint: refused.Hint, Position: modelspec.Position{Line: t.Line, Column: 1},
		})
	}
	return out
}

// parseTokenLine reads one line. An object that names a token but has a mistake is an error: as a plain token it would be useless, and
// its mistake unnoticed.
func parseTokenLine(line string) (Token, error) {
	if !isNamedTokenLine(line) {
		return PlainToken(line), nil
	}
	members, err := decodeObject([]byte(line), "a token", []string{"name", "token", "sha256", "roles", "attributes"})
	if err != nil {
		return Token{}, err
	}
	claims, err := claimsOf(members)
	if err != nil {
		return Token{}, err
	}
	if claims.Name == "" {
		return Token{}, fmt.Errorf("name is missing; each token of an identity has one")
	}
	token := Token{Named: true, Claims: claims}
	secret, hasSecret := members["token"]
	digest, hasDigest := members["sha256"]
	switch {
	case hasSecret && hasDigest:
		return Token{}, fmt.Errorf("token and sha256 are both given; give one of them")
	case hasSecret:
		text, ok := secret.(string)
		if !ok || strings.TrimSpace(text) != text || text == "" {
			return Token{}, fmt.Errorf("token must be a string without space around it")
		}
		token.Secret, token.Digest = text, sha256.Sum256([]byte(text))
	default:
		text, _ := digest.(string)
		decoded, err := hex.DecodeString(text)
		if err != nil || len(decoded) != sha256.Size {
			return Token{}, fmt.Errorf("sha256 must be the SHA-256 of the token, in 64 hexadecimal digits")
		}
		copy(token.Digest[:], decoded)
	}
	return token, nil
}

// isNamedTokenLine reports whether a line is a JSON object with the key token or sha256.
func isNamedTokenLine(line string) bool {
	members, err := decodeAnyObject([]byte(line))
	if err != nil {
		return false
	}
	_, hasSecret := members["token"]
	_, hasDigest := members["sha256"]
	return hasSecret || hasDigest
}
