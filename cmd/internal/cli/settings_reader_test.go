package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettings_FlagsOverrideVariables(t *testing.T) {
	type got struct {
		Path     string
		Discover bool
		Pool     int
	}
	tests := []struct {
		name      string
		args      []string
		variables map[string]string
		want      got
	}{
		{"nothing given", nil, nil, got{"", true, 8}},
		{"variables", nil, map[string]string{"SVC_CONNECTIONS": "v.yaml", "SVC_POOL_SIZE": "3"}, got{"v.yaml", true, 3}},
		{"flags", []string{"--connections", "f.yaml", "--pool-size", "5"}, map[string]string{"SVC_CONNECTIONS": "v.yaml", "SVC_POOL_SIZE": "3"}, got{"f.yaml", true, 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("SVC_CONNECTIONS", "")
			t.Setenv("SVC_POOL_SIZE", "")
			for name, value := range tt.variables {
				t.Setenv(name, value)
			}
			cmd := new(app).serveCommand()
			if err := cmd.ParseFlags(append([]string{"--model", "m.yaml"}, tt.args...)); err != nil {
				t.Fatal(err)
			}
			s, err := newSettingsReader(cmd)
			if err != nil {
				t.Fatal(err)
			}
			c, err := quietApp().readServerSettings(s)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got{c.engine.ConnectionsPath, c.engine.DiscoverConnections, c.engine.PoolSize}); d != "" {
				t.Error(d)
			}
		})
	}
}
