package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/cmd/internal/certfile"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/restapi/identity"
)

// effect is what settings come to, without what cannot be compared.
type effect struct {
	Bind, Model, DB, Connections    string
	Models, Default                 string
	Watch                           bool
	Basic                           bool
	Executions, Pool, Body, Answer  int
	DBMemory, Connected, PerAddress int
	Memory                          int64 // MiB
	Spill                           int   // MiB; 0 for the default, which depends on the disk
	Execute, Request, Stream        string
	DefaultConnection, Policies     string
	QueueMS, QueueLength            int
	Audit                           audit.Config
	Tokens, Origins, Data           []string
	EmbedOrigins                    []string
	CompileOnly, NoExplorer, Strict bool
	Debug, JSON, Untagged           bool
	Port                            string // of PostgreSQL
	TLS, RequireTLS                 bool
	Admin                           string // address; /metrics is there alone, and executions are listed
	HTTPS                           string // "", "server" or "clients"
	Sessions, Pending, Indexed      int
	ExecuteQuery                    bool // the MCP tool
	Idle                            time.Duration
	Cache, CacheEntry               int // MiB
	CacheTTL, RollupState           time.Duration
	RollupDir                       string
}

// quietApp returns an app whose output goes nowhere.
func quietApp() *app { return &app{std: Streams{Out: io.Discard, Err: io.Discard}} }

func effectOf(t *testing.T, args ...string) (effect, error) {
	t.Helper()
	cmd := new(app).serveCommand()
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	s, err := newSettingsReader(cmd)
	if err != nil {
		return effect{}, err
	}
	c, err := quietApp().readServerSettings(s)
	if err != nil {
		return effect{}, err
	}
	_, isJSON := c.log.Handler().(*slog.JSONHandler)
	return effect{
		Bind: strings.Join(c.bind, " "), HTTPS: httpsOf(c.tls), Admin: adminOf(c), Model: c.source.File, Models: c.source.Folder, Default: c.defaultModel, Watch: c.watch, DB: c.engine.DBPath, Data: c.engine.Data, DBMemory: c.engine.DBMemoryMiB, Memory: c.engine.Memory.Total >> 20, Spill: givenSpill(s, c.engine.SpillMiB), Connections: c.engine.ConnectionsPath, DefaultConnection: c.engine.DefaultConnection,
		Basic: c.engine.Basic, Executions: c.engine.MaxExecutions, Pool: c.engine.PoolSize, Body: c.http.MaxBodyBytes, Answer: c.engine.MaxAnswerBytes,
		Execute: c.http.ExecuteTimeout.String(), Request: c.http.RequestTimeout.String(), Stream: c.http.StreamTimeout.String(),
		Connected: c.http.MaxConnections, PerAddress: c.http.MaxConnectionsPerAddress,
		Tokens: secretsOf(c.access.tokens.all()), Policies: c.access.policiesPath, QueueMS: *c.access.directory.QuotaOf(identity.Caller{}, "").QueueMS, QueueLength: c.engine.QueueLength, Audit: c.audit, Origins: c.http.Origins, EmbedOrigins: c.http.EmbedOrigins, CompileOnly: c.http.DisableExecute, NoExplorer: c.http.NoExplorer, Strict: c.strict, Untagged: c.engine.NoStatementTags,
		Port: c.pg.bind, TLS: c.pg.config.TLS != nil, RequireTLS: c.pg.config.RequireTLS, Sessions: c.pg.config.MaxSessions, Pending: c.pg.config.MaxPending, Idle: c.pg.config.IdleTimeout, Indexed: c.indexer.values, ExecuteQuery: c.executeQuery,
		Debug: c.log.Enabled(t.Context(), slog.LevelDebug), JSON: isJSON,
		Cache: c.engine.CacheMiB, CacheEntry: c.engine.CacheEntryMiB, CacheTTL: c.engine.CacheTTL, RollupState: c.engine.RollupStateTime, RollupDir: c.engine.RollupDir,
	}, nil
}

// adminOf returns the admin address, if all that belongs to one is set.
func adminOf(c serverSettings) string {
	if c.http.NoMetrics != (c.adminBind != "") || c.engine.ListExecutions != c.http.NoMetrics {
		return "a part is missing"
	}
	return c.adminBind
}

// httpsOf names who needs a certificate.
func httpsOf(files *certfile.Files) string {
	if files == nil {
		return ""
	}
	if inner, err := files.ServerConfig().GetConfigForClient(nil); err != nil || inner.ClientAuth == tls.RequireAndVerifyClientCert {
		return "clients"
	}
	return "server"
}

// givenSpill returns the temporary space of a setting, 0 where it is the default.
func givenSpill(s settingsReader, read int) int {
	if s.readText(spillFlag) == "" {
		return 0
	}
	return read
}

// clearVariables makes every variable of the settings unset for a test.
func clearVariables(t *testing.T) {
	t.Helper()
	for _, variable := range envVariableByFlag {
		t.Setenv(variable, "") // which restores it after the test
		if err := os.Unsetenv(variable); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVariables_EveryServeFlagHasOne(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := effect{
		Bind: "127.0.0.1:8081", Model: "m.yaml", Executions: 16, Pool: 8, Body: 1 << 20, Answer: 256 << 20, Execute: "1m0s", Request: "30s", Stream: "1h0m0s",
		CacheTTL: time.Minute, RollupState: 10 * time.Second, Sessions: 200, Pending: 200, Idle: time.Hour, Memory: memory.ProcessLimit() >> 20, QueueLength: 64,
		Audit: audit.Config{Only: audit.AllLines, Slow: time.Second},
	}
	policies := filepath.Join(t.TempDir(), "policies.yaml")
	if err := os.WriteFile(policies, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	certificate, key := writeCertificate(t)
	settingsFile := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(settingsFile, []byte("pool-size: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		value, other string // what is set, and something else that must lose against it
		want         func(*effect)
	}{
		configFlag:                   {settingsFile, os.DevNull, func(e *effect) { e.Pool = 3 }},
		"model":                      {"n.yaml", "o.yaml", func(e *effect) { e.Model = "n.yaml" }},
		modelsFlag:                   {"dir", "other", func(e *effect) { e.Model, e.Models = "", "dir" }},
		defaultModelFlagName:         {"a", "b", func(e *effect) { e.Model, e.Models, e.Default = "", "dir", "a" }},
		"watch":                      {"true", "false", func(e *effect) { e.Watch = true }},
		"sem-vendor":                 {"false", "true", func(e *effect) { e.Basic = true }},
		"sem-basic":                  {"true", "false", func(e *effect) { e.Basic = true }},
		"connections":                {"c.yaml", "d.yaml", func(e *effect) { e.Connections = "c.yaml" }},
		defaultConnectionFlag:        {"a", "b", func(e *effect) { e.DefaultConnection = "a" }},
		"db":                         {"a.duckdb", "b.duckdb", func(e *effect) { e.DB = "a.duckdb" }},
		"data":                       {"a b,c", "d\ne", func(e *effect) { e.Data = []string{"a b,c"} }},
		"db-memory-mib":              {"100", "200", func(e *effect) { e.DBMemory = 100 }},
		memoryFlag:                   {"600", "700", func(e *effect) { e.Memory = 600 }},
		cacheFlag:                    {"100", "90", func(e *effect) { e.Cache = 100 }},
		cacheTTLFlag:                 {"5", "6", func(e *effect) { e.CacheTTL = 5 * time.Second }},
		rollupDirFlag:                {"a", "b", func(e *effect) { e.RollupDir = "a" }},
		rollupStateFlag:              {"7", "0", func(e *effect) { e.RollupState = 7 * time.Second }},
		cacheEntryFlag:               {"3", "4", func(e *effect) { e.CacheEntry = 3 }},
		spillFlag:                    {"64", "80", func(e *effect) { e.Spill = 56 }}, // an eighth is that of the catalogue
		"bind":                       {"0.0.0.0:80", "1.1.1.1:1", func(e *effect) { e.Bind = "0.0.0.0:80" }},
		"max-concurrent-executions":  {"3", "4", func(e *effect) { e.Executions = 3 }},
		"pool-size":                  {"3", "4", func(e *effect) { e.Pool = 3 }},
		"execute-timeout-secs":       {"3", "4", func(e *effect) { e.Execute = "3s" }},
		"request-timeout-secs":       {"3", "4", func(e *effect) { e.Request = "3s" }},
		"stream-timeout-secs":        {"3", "4", func(e *effect) { e.Stream = "3s" }},
		"max-body-bytes":             {"3", "4", func(e *effect) { e.Body = 3 }},
		"max-answer-bytes":           {"3", "4", func(e *effect) { e.Answer = 3 }},
		"max-connections":            {"3", "4", func(e *effect) { e.Connected = 3 }},
		maxConnectionsPerAddressFlag: {"3", "4", func(e *effect) { e.PerAddress = 3 }},
		"auth-token":                 {"a,b c", "d", func(e *effect) { e.Tokens = []string{"a,b c"} }},
		"auth-token-file":            {tokens, os.DevNull, func(e *effect) { e.Tokens = []string{"one", "two"} }},
		queueMSFlag:                  {"250", "300", func(e *effect) { e.QueueMS = 250 }},
		queueLengthFlag:              {"3", "4", func(e *effect) { e.QueueLength = 3 }},
		auditLogFlag:                 {"a.jsonl", "b.jsonl", func(e *effect) { e.Audit.Path = "a.jsonl" }},
		auditLiteralsFlag:            {"true", "false", func(e *effect) { e.Audit.Literals = true }},
		auditOnlyFlag:                {"slow", "errors", func(e *effect) { e.Audit.Only = audit.SlowLines }},
		slowQueryFlag:                {"20", "30", func(e *effect) { e.Audit.Slow = 20 * time.Millisecond }},
		policiesFlag:                 {policies, os.DevNull, func(e *effect) { e.Policies = policies }},
		"disable-execute":            {"true", "false", func(e *effect) { e.CompileOnly = true }},
		"tag-statements":             {"false", "true", func(e *effect) { e.Untagged = true }},
		"strict":                     {"true", "false", func(e *effect) { e.Strict = true }},
		"no-explorer":                {"true", "false", func(e *effect) { e.NoExplorer = true }},
		"embed-origins":              {"https://a.example, http://b:8080", "http://c", func(e *effect) { e.EmbedOrigins = []string{"https://a.example", "http://b:8080"} }},
		"cors-origins":               {"https://a.example, http://b:8080", "http://c", func(e *effect) { e.Origins = []string{"https://a.example", "http://b:8080"} }},
		pgBindFlag:                   {"127.0.0.1:5433", "127.0.0.1:1", func(e *effect) { e.Port = "127.0.0.1:5433" }},
		adminBindFlag:                {"127.0.0.1:9", "127.0.0.1:8", func(e *effect) { e.Admin = "127.0.0.1:9" }},
		tlsCertificateFlag:           {certificate, os.DevNull, func(e *effect) { e.HTTPS = "server" }},
		tlsKeyFlag:                   {key, os.DevNull, func(e *effect) { e.HTTPS = "server" }},
		tlsClientCAFlag:              {certificate, os.DevNull, func(e *effect) { e.HTTPS = "clients" }},
		pgTLSCertificateFlag:         {certificate, os.DevNull, func(e *effect) { e.TLS = true }},
		pgTLSKeyFlag:                 {key, os.DevNull, func(e *effect) { e.TLS = true }},
		pgRequireTLSFlag:             {"true", "false", func(e *effect) { e.TLS, e.RequireTLS = true, true }},
		pgMaxSessionsFlag:            {"3", "4", func(e *effect) { e.Sessions = 3 }},
		pgMaxPendingFlag:             {"3", "4", func(e *effect) { e.Pending = 3 }},
		pgIdleTimeoutFlag:            {"0", "4", func(e *effect) { e.Idle = -1 }},
		indexValuesFlag:              {"3", "4", func(e *effect) { e.Indexed = 3 }},
		mcpExecuteQueryFlag:          {"true", "false", func(e *effect) { e.ExecuteQuery = true }},
		"log-format":                 {"json", "text", func(e *effect) { e.JSON = true }},
		"log-level":                  {"debug", "error", func(e *effect) { e.Debug = true }},
	}
	new(app).serveCommand().Flags().VisitAll(func(f *pflag.Flag) {
		t.Run(f.Name, func(t *testing.T) {
			c, known := cases[f.Name]
			variable := envVariableByFlag[f.Name]
			if !known || variable == "" {
				t.Fatalf("case %v, variable %q", known, variable)
			}
			if !strings.Contains(f.Usage, "variable "+variable) {
				t.Errorf("the help does not name %s: %s", variable, f.Usage)
			}
			want := plain
			c.want(&want)
			base := argumentsBeside(f.Name, certificate, key)
			clearVariables(t)
			byFlag, err := effectOf(t, append(base, "--"+f.Name+"="+c.value)...)
			if d := cmp.Diff(want, byFlag); d != "" || err != nil {
				t.Errorf("flag: %v\n%s", err, d)
			}
			t.Setenv(variable, c.value)
			byVariable, err := effectOf(t, base...)
			if d := cmp.Diff(want, byVariable); d != "" || err != nil {
				t.Errorf("variable: %v\n%s", err, d)
			}
			t.Setenv(variable, c.other)
			both, err := effectOf(t, append(base, "--"+f.Name+"="+c.value)...)
			if d := cmp.Diff(want, both); d != "" || err != nil {
				t.Errorf("a flag does not beat its variable: %v\n%s", err, d)
			}
		})
	})
}

func TestVariables_ErrorsNameFlagAndVariable(t *testing.T) {
	for flag, value := range map[string]string{
		"sem-vendor": "perhaps", "sem-basic": "yes please", "disable-execute": "on", "no-explorer": "off", "strict": "very", "watch": "often", mcpExecuteQueryFlag: "maybe", "models": "dir", "default-model": "a", "tag-statements": "some",
		"max-concurrent-executions": "0", "pool-size": "-1", "max-body-bytes": "1e6", "max-answer-bytes": "0", "db-memory-mib": "1GB", memoryFlag: "255", spillFlag: "0", configFlag: "/nowhere.yaml",
		"max-connections": "many", maxConnectionsPerAddressFlag: "0",
		"execute-timeout-secs": "99999999999", "request-timeout-secs": "3s",
		"bind": " ", "auth-token": " ", "auth-token-file": "/nowhere/at/all",
		pgMaxSessionsFlag: "0", pgMaxPendingFlag: "0", pgIdleTimeoutFlag: "-1", pgRequireTLSFlag: "true", pgBindFlag: "0.0.0.0:5433", pgTLSCertificateFlag: "/nowhere.pem", pgTLSKeyFlag: "/nowhere.pem",
		adminBindFlag: "no-port", tlsCertificateFlag: "/nowhere.pem", tlsKeyFlag: "/nowhere.pem", tlsClientCAFlag: "/nowhere.pem",
		"cors-origins": "*", "embed-origins": "*", "log-format": "xml", "log-level": "loud",
	} {
		t.Run(flag, func(t *testing.T) {
			clearVariables(t)
			t.Setenv(envVariableByFlag[flag], value)
			_, err := effectOf(t, "--model", "m.yaml")
			if !errors.As(err, new(*usageError)) || !strings.HasPrefix(err.Error(), "--"+flag+" ("+envVariableByFlag[flag]+")") {
				t.Errorf("%v", err)
			}
		})
	}
	clearVariables(t)
	if _, err := effectOf(t); err == nil || err.Error() != "--model (SVC_MODEL) is required" {
		t.Errorf("%v", err)
	}
	for _, args := range [][]string{{"--sem-vendor", "--sem-basic"}, {"--sem-vendor=false", "--sem-basic=false"}} {
		if _, err := effectOf(t, append(args, "--model", "m.yaml")...); err == nil || !strings.Contains(err.Error(), "mutually exclusive") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestVariables_EmptyAddressRejected(t *testing.T) {
	clearVariables(t)
	t.Setenv("SVC_MODEL", "m.yaml")
	if _, err := effectOf(t, "--bind", ""); text(err) != "--bind (SVC_BIND) must not be empty" {
		t.Errorf("%v", err)
	}
	// An empty variable is one that is not set, as everywhere but for tokens.
	t.Setenv("SVC_BIND", "")
	if e, err := effectOf(t); err != nil || e.Bind != defaultBind {
		t.Errorf("%s %v", e.Bind, err)
	}
}

func TestVariables_ModeFlagWins(t *testing.T) {
	clearVariables(t)
	t.Setenv("SVC_SEM_BASIC", "true")
	if e, err := effectOf(t, "--model", "m.yaml", "--sem-vendor"); err != nil || e.Basic {
		t.Errorf("%+v %v", e, err)
	}
}

func TestTokens_FromVariableAndFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("\r\nthree \r\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	clearVariables(t)
	t.Setenv("SVC_SERVER_TOKEN", "one, and the same\ntwo\n")
	e, err := effectOf(t, "--model", "m.yaml", "--auth-token-file", path)
	if d := cmp.Diff([]string{"one, and the same", "two", "three"}, e.Tokens); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for name, value := range map[string]string{"set and empty": "", "blank lines": "\n \n"} {
		t.Setenv("SVC_SERVER_TOKEN", value)
		if _, err := effectOf(t, "--model", "m.yaml"); err == nil || err.Error() != "--auth-token (SVC_SERVER_TOKEN) must not be empty" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokens_EmptyFileNameRejected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const refusal = "--auth-token-file (SVC_SERVER_TOKEN_FILE) must not be empty"
	empty := ""
	for _, c := range []struct {
		name     string
		variable *string
		args     []string
		want     string
	}{
		{"the variable", &empty, nil, refusal},
		{"the variable, beside a token", &empty, []string{"--auth-token", "a"}, refusal},
		{"the flag", nil, []string{"--auth-token-file", ""}, refusal},
		{"the flag over a variable that names one", &path, []string{"--auth-token-file="}, refusal},
		{"a flag that names one beats the variable", &empty, []string{"--auth-token-file", path}, ""},
		{"neither", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			clearVariables(t)
			if c.variable != nil {
				t.Setenv("SVC_SERVER_TOKEN_FILE", *c.variable)
			}
			_, err := effectOf(t, append([]string{"--model", "m.yaml"}, c.args...)...)
			if got := text(err); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// text returns the message of an error; "" for nil.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// argumentsBeside returns the other arguments that serve needs beside a flag.
func argumentsBeside(flag, certificate, key string) []string {
	switch flag {
	case "model", modelsFlag:
		return nil
	case defaultModelFlagName:
		return []string{"--models", "dir"}
	case tlsCertificateFlag:
		return []string{"--model", "m.yaml", "--" + tlsKeyFlag, key}
	case tlsKeyFlag:
		return []string{"--model", "m.yaml", "--" + tlsCertificateFlag, certificate}
	case tlsClientCAFlag:
		return []string{"--model", "m.yaml", "--" + tlsKeyFlag, key, "--" + tlsCertificateFlag, certificate}
	case pgTLSCertificateFlag:
		return []string{"--model", "m.yaml", "--" + pgTLSKeyFlag, key}
	case pgTLSKeyFlag:
		return []string{"--model", "m.yaml", "--" + pgTLSCertificateFlag, certificate}
	case pgRequireTLSFlag:
		return []string{"--model", "m.yaml", "--" + pgTLSKeyFlag, key, "--" + pgTLSCertificateFlag, certificate}
	}
	return []string{"--model", "m.yaml"}
}

func TestVariables_CacheWithinItsMemory(t *testing.T) {
	clearVariables(t)
	for _, test := range []struct{ args, want string }{
		{"--memory-mib 1000 --cache-mib 500", ""},
		{"--memory-mib 1000 --cache-mib 501", `--cache-mib (SVC_CACHE_MIB) must be at most half of --memory-mib, which is 500, not "501"`},
		{"--memory-mib 1000 --cache-mib 8 --cache-entry-mib 9", `--cache-entry-mib (SVC_CACHE_ENTRY_MIB) must be at most --cache-mib, which is 8, not "9"`},
		{"--cache-mib -1", `--cache-mib (SVC_CACHE_MIB) must be an integer, at least 0, not "-1"`},
	} {
		e, err := effectOf(t, append([]string{"--model", "m.yaml"}, strings.Fields(test.args)...)...)
		if text := fmt.Sprint(err); err != nil && text != test.want || err == nil && test.want != "" {
			t.Errorf("%s: %v", test.args, err)
		}
		if err == nil && e.Cache != 500 {
			t.Errorf("%s: %d MiB", test.args, e.Cache)
		}
	}
}
