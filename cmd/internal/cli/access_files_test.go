package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
)

// replaceFile writes a file as Kubernetes does it: the new one takes the place of the old one.
func replaceFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// serverFiles reads the files of a server as its start does.
func serverFiles(t *testing.T, log *testwait.Log, args ...string) (*accessFiles, error) {
	t.Helper()
	cmd := new(app).serveCommand()
	if err := cmd.ParseFlags(append(args, "--model", "shop.yaml")); err != nil {
		t.Fatal(err)
	}
	s, err := newSettingsReader(cmd)
	if err != nil {
		t.Fatal(err)
	}
	c := serverSettings{log: slog.New(slog.NewTextHandler(log, nil))}
	c.source.File = "models/shop.yaml"
	return s.readAccessFiles(c)
}

func (f *accessFiles) accepts(t *testing.T, bearer string) bool {
	t.Helper()
	_, err := f.directory.SignIn(t.Context(), bearer)
	return err == nil
}

func secretsOf(tokens []access.Token) []string {
	var out []string
	for _, t := range tokens {
		out = append(out, t.Secret)
	}
	return out
}

func TestAccessFiles_TokenFileIsReadAgain(t *testing.T) {
	clearVariables(t)
	path := filepath.Join(t.TempDir(), "tokens")
	replaceFile(t, path, "first-token\n")
	log := new(testwait.Log)
	f, err := serverFiles(t, log, "--auth-token-file", path, "--auth-token", "fixed-token")
	if err != nil {
		t.Fatal(err)
	}
	check := func(state string, accepted ...string) {
		t.Helper()
		f.readAgain(t.Context())
		for _, token := range []string{"fixed-token", "first-token", "second-token"} {
			if want := strings.Contains(" "+strings.Join(accepted, " ")+" ", " "+token+" "); f.accepts(t, token) != want {
				t.Errorf("%s: %s accepted %v", state, token, !want)
			}
		}
	}
	check("at first", "fixed-token", "first-token")
	replaceFile(t, path, "first-token\nsecond-token\n")
	check("a token more", "fixed-token", "first-token", "second-token")
	replaceFile(t, path, "\n")
	check("an empty file changes nothing", "fixed-token", "first-token", "second-token")
	check("and again", "fixed-token", "first-token", "second-token")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check("nor does a missing one", "fixed-token", "first-token", "second-token")
	replaceFile(t, path, `{"name":"a","token":"second-token"}`+"\n"+`{"name":"a","token":"x"}`+"\n")
	check("nor an invalid one", "fixed-token", "first-token", "second-token")
	replaceFile(t, path, "second-token\n")
	check("a token less", "fixed-token", "second-token")
	if n := strings.Count(log.String(), "holds no token"); n != 1 || strings.Count(log.String(), "level=ERROR") != 3 {
		t.Errorf("logged %s", log.String())
	}
	for _, token := range []string{"first-token", "second-token", "fixed-token"} {
		if strings.Contains(strings.ReplaceAll(log.String(), path, ""), token) {
			t.Errorf("a token is in the log: %s", log.String())
		}
	}
}

func TestAccessFiles_PoliciesFileIsReadAgain(t *testing.T) {
	clearVariables(t)
	path := filepath.Join(t.TempDir(), "policies.yaml")
	const first = "version: 1\nattributes: {a: {type: int}}\nissuers: [{issuer: \"https://id.example.com\", audience: [x]}]\n"
	replaceFile(t, path, first)
	log := new(testwait.Log)
	f, err := serverFiles(t, log, "--policies", path)
	if err != nil {
		t.Fatal(err)
	}
	before := f.directory.Policies()
	f.readAgain(t.Context())
	if f.directory.Policies() != before {
		t.Error("an equal file is another revision")
	}
	for _, text := range []string{"version: 2\n", "roles: {", "version: 1\n"} {
		replaceFile(t, path, text)
		f.readAgain(t.Context())
		if f.directory.Policies() != before {
			t.Errorf("%q replaces the policies", text)
		}
	}
	if !strings.Contains(log.String(), path+":1:10: invalid_policy: version must be the number 1") {
		t.Errorf("logged %s", log.String())
	}
	replaceFile(t, path, strings.Replace(first, "[x]", "[y]", 1))
	f.readAgain(t.Context())
	if now := f.directory.Policies(); now == before || now.Issuers[0].Audience[0].Value != "y" {
		t.Errorf("a new file is not in force")
	}
}

func TestAccessFiles_RefusedAtStart(t *testing.T) {
	clearVariables(t)
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		replaceFile(t, path, text)
		return path
	}
	const role = "version: 1\nroles: {a: {all: true}}\n"
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"--policies", filepath.Join(folder, "absent")}, "no such file"},
		{"an invalid file", []string{"--policies", file("invalid", "version: 1\nrole: {}\n")}, "invalid:2:1: invalid_policy: the file has no key \"role\" (did you mean roles?)"},
		{"roles that nobody could have", []string{"--policies", file("roles", role)}, "no caller could be identified"},
		{"a token file with a mistake", []string{"--auth-token-file", file("named", `{"name":"a","token":"c4n4ry","role":"x"}`)}, `no key "role"`},
		{"one token twice", []string{"--auth-token", "c4n4ry", "--auth-token-file", file("twice", `{"name":"a","token":"c4n4ry"}`)}, "two tokens are equal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serverFiles(t, new(testwait.Log), tt.args...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "c4n4ry") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAccessFiles_IssuersCountAsTokens(t *testing.T) {
	clearVariables(t)
	path := filepath.Join(t.TempDir(), "policies.yaml")
	replaceFile(t, path, "version: 1\nissuers: [{issuer: \"https://id.example.com\", audience: [x]}]\n")
	f, err := serverFiles(t, new(testwait.Log), "--policies", path)
	if err != nil {
		t.Fatal(err)
	}
	if !f.isSecured() || f.accepts(t, "") {
		t.Error("a server with an issuer is open")
	}
	port := postgresSettings{bind: "0.0.0.0:5432"}
	if _, err := port.withServerSettings(serverSettings{access: f}, ""); err != nil {
		t.Errorf("the PostgreSQL port: %v", err)
	}
	replaceFile(t, path, "version: 1\nrequired: {limits: {rows: 10}}\n")
	open, err := serverFiles(t, new(testwait.Log), "--policies", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := port.withServerSettings(serverSettings{access: open}, ""); err == nil || open.isSecured() {
		t.Error("limits alone count as tokens")
	}
}

func TestTokens_FileHasCommentsAndAByteOrderMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	replaceFile(t, path, "\uFEFFfirst\r\n# tokens of the studio\n  # indented\n\nsecond#2\n")
	got, _, err := readTokensFromFile(path)
	if d := cmp.Diff([]string{"first", "second#2"}, secretsOf(got)); d != "" || err != nil {
		t.Error(d, err)
	}
	replaceFile(t, path, "\uFEFF# none yet\n")
	if got, _, err := readTokensFromFile(path); err == nil {
		t.Errorf("%q", secretsOf(got))
	}
}

func TestTokens_ShortOnesAreCounted(t *testing.T) {
	for want, tokens := range map[string][]string{
		"": {"0123456789abcdef", "éééééééééééééééé"},
		"1 authentication token shorter than 16 characters":  {"0123456789abcde", "0123456789abcdef"},
		"2 authentication tokens shorter than 16 characters": {"x", "ééééééééé"},
	} {
		var list []access.Token
		for _, secret := range tokens {
			list = append(list, access.PlainToken(secret))
		}
		if got := shortTokensText(append(list, access.Token{Named: true})); got != want {
			t.Errorf("%q: %q", tokens, got)
		}
	}
}

func TestTokens_StrictServerKeepsLongOnes(t *testing.T) {
	clearVariables(t)
	path := filepath.Join(t.TempDir(), "tokens")
	replaceFile(t, path, "0123456789abcdef\n")
	log := new(testwait.Log)
	f, err := serverFiles(t, log, "--auth-token-file", path)
	if err != nil {
		t.Fatal(err)
	}
	f.strict = true
	replaceFile(t, path, "short\n")
	f.readAgain(t.Context())
	if f.accepts(t, "short") || !f.accepts(t, "0123456789abcdef") || !strings.Contains(log.String(), "refuses 1 authentication token shorter") {
		t.Errorf("logged %s", log.String())
	}
	replaceFile(t, path, "fedcba9876543210\n")
	f.readAgain(t.Context())
	if !f.accepts(t, "fedcba9876543210") || f.accepts(t, "0123456789abcdef") {
		t.Error("a file with a long token is not in force")
	}
}
