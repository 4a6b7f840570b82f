package charttest

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden manifests")

// What a reader of the chart wants to see without helm: the least that is asked
// for, and all of it.
func TestManifests_MatchGoldens(t *testing.T) {
	for _, name := range []string{"least", "everything"} {
		t.Run(name, func(t *testing.T) {
			got := render(t, "--values", "testdata/values/"+name+".yaml")
			file := "testdata/golden/" + name + ".yaml"
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-golden +rendered)\n%s", diff)
			}
		})
	}
}
