package credential_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
)

func TestFile_ReadSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, test := range [][2]string{
		{"hunter2", "hunter2"}, {"hunter2\n", "hunter2"}, {"hunter2\r\n", "hunter2"}, {"a b ", "a b "}, {strings.Repeat("x", 64<<10), strings.Repeat("x", 64<<10)},
	} {
		text, want := test[0], test[1]
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := credential.File(path).ReadSecret(t.Context()); err != nil || got.Reveal() != want {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"": "is empty", "\n": "is empty", "hunter2\nhunter3": "more than one line", "hunter2\n\n": "more than one line", "hunter2\x00": "more than one line", strings.Repeat("x", 64<<10+1): "longer than 64 KiB",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := credential.File(path).ReadSecret(t.Context())
		var own *executor.Error
		if !errors.As(err, &own) || own.Code != executor.CodeAuth || !strings.Contains(own.Message, want) || strings.Contains(own.Message+own.Hint, "hunter") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for _, wrong := range []string{filepath.Dir(path), path + ".none"} {
		if _, err := credential.File(wrong).ReadSecret(t.Context()); err == nil {
			t.Error(wrong)
		}
	}
}
