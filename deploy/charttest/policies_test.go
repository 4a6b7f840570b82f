package charttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Policies stand in a Secret beside the tokens; issuers count as tokens.
func TestPolicies_AreMountedBesideTheTokens(t *testing.T) {
	for name, values := range map[string]string{
		"inline with tokens":    "policies: {inline: 'version: 1'}\nauth: {existingSecret: tokens}\n",
		"inline with issuers":   "policies:\n  inline: |\n    version: 1\n    issuers: [{issuer: https://id.example.com, audience: [semlayer]}]\npostgres: {enabled: true}\n",
		"a Secret with issuers": "policies: {existingSecret: mine, hasIssuers: true}\nservice: {type: NodePort}\n",
		"a Secret with tokens":  "policies: {existingSecret: mine}\nauth: {existingSecret: tokens}\npostgres: {enabled: true}\n",
		"a Secret alone":        "policies: {existingSecret: mine}\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "values.yaml")
			if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
				t.Fatal(err)
			}
			out := render(t, "--set", "model.existingConfigMap=c", "--values", file)
			secret := `secretName: "mine"`
			if strings.HasPrefix(name, "inline") {
				secret = `-policies"`
			}
			for _, want := range []string{"- --policies=/etc/semlayer/policies/policies.yaml\n", "mountPath: /etc/semlayer/policies\n", secret} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
	if out := render(t, "--set", "model.existingConfigMap=c"); strings.Contains(out, "policies") {
		t.Error("a release without policies mounts some")
	}
}
