package charttest

import (
	"strings"
	"testing"
)

func TestModels_OfAFolderAreServedAndWatched(t *testing.T) {
	for _, c := range []struct {
		name      string
		set       []string
		want, not []string
	}{
		{
			"a folder", []string{"model.existingConfigMap=c", "model.folder=true", "model.default=sales", "model.watch=true"},
			[]string{"- --models=/etc/semlayer/model\n", "- --default-model=sales\n", "- --watch\n", "- check\n"}, []string{"--model="},
		},
		{
			"a folder without a default, which the test of the release cannot ask for", []string{"model.existingClaim=c", "model.folder=true"},
			[]string{"- --models=/etc/semlayer/model\n"}, []string{"--model=", "--default-model", "--watch", "- check\n"},
		},
		{
			"one file", []string{"model.existingConfigMap=c", "model.watch=true"},
			[]string{"- --model=/etc/semlayer/model/model.yaml\n", "- --watch\n", "- check\n"}, []string{"--models="},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var flags []string
			for _, s := range c.set {
				flags = append(flags, "--set", s)
			}
			out := render(t, flags...)
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
			for _, n := range c.not {
				if strings.Contains(out, n) {
					t.Errorf("there is %q", n)
				}
			}
		})
	}
}
