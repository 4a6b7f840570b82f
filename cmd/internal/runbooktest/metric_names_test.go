package runbooktest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// exposedMetrics returns the names of all samples of a server on which everything is on.
func exposedMetrics(t *testing.T) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		t.Fatal(err)
	}
	number := base64.RawURLEncoding.EncodeToString
	set, err := json.Marshal(map[string]any{"keys": []any{map[string]string{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "1", "x": number(public[1:33]), "y": number(public[33:])}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "keys.json"), string(set))
	policies := write(t, filepath.Join(dir, "policies.yaml"), `version: 1
issuers:
  - {issuer: "https://id.example.com", audience: [semlayer], jwks_file: keys.json}
`)
	warehouse := listenSilently(t)
	host, port, err := net.SplitHostPort(warehouse.address)
	if err != nil {
		t.Fatal(err)
	}
	printed := `exec: {command: [/bin/echo, '{"password":"secret","expires_at":"2999-01-01T00:00:00Z"}']}`
	rolled := write(t, filepath.Join(dir, "shop.yaml"), strings.Replace(model("SUM(orders.amount)"), "name: shop\n",
		`name: shop
custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "rollups": [{"name": "sums", "of": "orders", "measures": [{"expression": "SUM(orders.amount)"}]}]}'}]
`, 1))
	s := serveTLS(t, "--model", rolled, "--cache-mib", "1", "--connections", writeProfile(t, host, port, printed), "--policies", policies, "--audit-log", filepath.Join(dir, "audit"),
		"--auth-token", token, "--pg-bind", "127.0.0.1:0", "--max-concurrent-executions", "1", "--queue-ms", "1", "--execute-timeout-secs", "1")
	authorization := []string{"Authorization", "Bearer " + token}
	s.ask("/v1/query/execute", `{"metrics":["revenue"]}`, authorization...)
	s.ask("/v1/query/execute", revenue, authorization...)
	serve(t, "--model", modelFile(t), "--connections", profile(t, s.postgresAddress(), token)).ask("/v1/query/execute", revenue)
	out := map[string]bool{}
	for _, sample := range regexp.MustCompile(`(?m)^[a-z][a-z0-9_]*`).FindAllString(s.metrics(), -1) {
		out[sample] = true
	}
	return out
}

// metricOfServer is the name of a metric of a server; labels have no such prefix.
var metricOfServer = regexp.MustCompile(`\b(?:semlayer|go_memstats|process)_[a-z0-9_]+`)

// expressions returns the queries of the dashboard and of the alerts.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range alerts(t) {
		out["alert "+r.Alert] = r.Expr
	}
	text, err := os.ReadFile(root + "/deploy/grafana/semlayer.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Definition string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for i, target := range p.Targets {
			out["panel "+p.Title+" "+string(rune('A'+i))] = target.Expr
		}
	}
	for _, v := range dashboard.Templating.List {
		if v.Definition != "" {
			out["variable "+v.Name] = v.Definition
		}
	}
	return out
}

type alert struct {
	Alert, Expr string
	Annotations map[string]string
}

func alerts(t *testing.T) (out []alert) {
	t.Helper()
	text, err := os.ReadFile(root + "/deploy/prometheus/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		out = append(out, g.Rules...)
	}
	if len(out) < 10 {
		t.Fatalf("only %d alerts were read", len(out))
	}
	return out
}

func TestDashboard_MetricsExist(t *testing.T) {
	exposed := exposedMetrics(t)
	read := 0
	for where, expression := range expressions(t) {
		names := metricOfServer.FindAllString(expression, -1)
		if len(names) == 0 {
			t.Errorf("%s reads no metric: %s", where, expression)
		}
		for _, name := range names {
			read++
			if !exposed[name] {
				t.Errorf("%s reads %s, which the server does not have", where, name)
			}
		}
	}
	if read < 50 {
		t.Errorf("only %d metrics were found in the expressions", read)
	}
}

func TestAlerts_LeadToTheRunbook(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, s := range sections(t) {
		anchors[anchor(s.title)] = true
	}
	for _, a := range alerts(t) {
		fragment, ok := strings.CutPrefix(a.Annotations["runbook_url"], "https://github.com/semlayer/semlayer/blob/main/docs/runbook.md#")
		if !ok || !anchors[fragment] {
			t.Errorf("%s leads to %q, which is not a section of the runbook", a.Alert, a.Annotations["runbook_url"])
		}
		if a.Annotations["summary"] == "" || a.Annotations["description"] == "" {
			t.Errorf("%s has no summary or no description", a.Alert)
		}
		if !strings.Contains(string(page), "`"+a.Alert+"`") {
			t.Errorf("the runbook does not name %s", a.Alert)
		}
	}
}
