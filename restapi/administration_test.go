package restapi_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi"
)

func TestCheckAdministrator(t *testing.T) {
	for name, c := range map[string]struct {
		config restapi.Config
		header string
		code   string
	}{
		"a server without tokens":   {restapi.Config{}, "", "forbidden"},
		"no token":                  {restapi.Config{Tokens: []string{"t"}}, "", "unauthorized"},
		"a wrong token":             {restapi.Config{Tokens: []string{"t"}}, "Bearer u", "unauthorized"},
		"another scheme":            {restapi.Config{Tokens: []string{"t"}}, "Basic t", "unauthorized"},
		"a token":                   {restapi.Config{Tokens: []string{"t"}}, "Bearer t", ""},
		"roles, a reader":           {restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens)}, "Bearer regional-token", "forbidden"},
		"roles, a token of no name": {restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens)}, "Bearer plain-token", "forbidden"},
		"roles, no role":            {restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens)}, "Bearer roleless-token", "forbidden"},
		"roles, all: true":          {restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens)}, "Bearer admin-token", ""},
	} {
		err := serve(t, answering(), c.config).CheckAdministrator(t.Context(), c.header)
		var own *restapi.Error
		if errors.As(err, &own) != (c.code != "") || own != nil && own.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMetrics_OnAnotherAddressAlone(t *testing.T) {
	s := serve(t, answering(), restapi.Config{NoMetrics: true})
	if got := do(t, s, request("GET", "/metrics", "")); got.status != 404 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := do(t, s, request("GET", "/openapi.json", "")); strings.Contains(got.body, `"/metrics"`) {
		t.Error("the document has the route")
	}
	w := httptest.NewRecorder()
	s.MetricsHandler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "semlayer_build_info") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Error(w.Code, w.Header())
	}
}
