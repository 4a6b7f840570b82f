package access_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/access"
)

func digestOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func TestParseTokens_ReadsPlainAndNamedTokens(t *testing.T) {
	tokens, warnings, err := access.ParseTokens("\uFEFF# comment\n plain \n\n" +
		`{"name": "dash", "token": "s3cret", "roles": ["regional"], "attributes": {"regions": ["north"]}}` + "\r\n" +
		`{"name": "cron", "sha256": "` + strings.ToUpper(digestOf("other")) + `"}` + "\n" +
		`{"name": "x"}` + "\n" + `{not json` + "\n" + "plain\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(tokens) != 6 || len(warnings) != 2 || !strings.Contains(warnings[0], "line 6") || !strings.Contains(warnings[1], "line 7") {
		t.Fatalf("%d tokens, warnings %q", len(tokens), warnings)
	}
	if p := tokens[0]; p.Named || p.Secret != "plain" || p.Claims.Name != "" || len(p.Claims.Roles) > 0 {
		t.Errorf("%+v", p)
	}
	if d := tokens[1]; !d.Named || d.Secret != "s3cret" || d.Claims.Name != "dash" || d.Claims.Roles[0] != "regional" || hex.EncodeToString(d.Digest[:]) != digestOf("s3cret") {
		t.Errorf("%+v", d)
	}
	if c := tokens[2]; !c.Named || c.Secret != "" || hex.EncodeToString(c.Digest[:]) != digestOf("other") {
		t.Errorf("%+v", c)
	}
}

func TestParseTokens_RefusesWithoutRepeatingTokens(t *testing.T) {
	const secret = "c4n4ry"
	for _, tt := range []struct{ name, text, want string }{
		{"no name", `{"token":"c4n4ry"}`, "name is missing"},
		{"a blank name", `{"name":" ","token":"c4n4ry"}`, "name must be"},
		{"a name twice", `{"name":"a","token":"c4n4ry"}` + "\n" + `{"name":"a","token":"c4n4ry2"}`, `line 2 has the name "a" of line 1`},
		{"a token twice", `{"name":"a","token":"c4n4ry"}` + "\n" + `{"name":"b","token":"c4n4ry"}`, "line 2 has the token of another line"},
		{"a plain token again with a name", "c4n4ry\n" + `{"name":"b","token":"c4n4ry"}`, "line 2 has the token"},
		{"a named token again without its name", `{"name":"b","sha256":"` + digestOf(secret) + `"}` + "\nc4n4ry", "line 2 has the token"},
		{"token and digest", `{"name":"a","token":"c4n4ry","sha256":"00"}`, "both given"},
		{"a short digest", `{"name":"a","sha256":"c4n4ry"}`, "64 hexadecimal digits"},
		{"an empty token", `{"name":"a","token":""}`, "token must be a string"},
		{"a token that is a number", `{"name":"a","token":5}`, "token must be a string"},
		{"an unknown key", `{"name":"a","token":"c4n4ry","role":["x"]}`, `no key "role"`},
		{"a key twice", `{"name":"a","token":"c4n4ry","token":"x"}`, "given twice"},
		{"roles of another type", `{"name":"a","token":"c4n4ry","roles":"x"}`, "roles must be a list"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := access.ParseTokens(tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v", err)
			}
			if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), digestOf(secret)) {
				t.Errorf("the error repeats the token: %v", err)
			}
		})
	}
}

func FuzzParseTokens(f *testing.F) {
	for _, seed := range []string{"a\n#b\n", `{"name":"a","token":"b","attributes":{"x":[1]}}`, `{"name":"a","sha256":"` + digestOf("x") + `"}`, "{\n", "\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens, _, err := access.ParseTokens(text)
		if err != nil {
			return
		}
		for _, token := range tokens {
			if token.Named && token.Claims.Name == "" || !token.Named && token.Secret == "" {
				t.Fatalf("%+v", token)
			}
		}
	})
}
