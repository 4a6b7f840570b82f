package cli_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

// TestMain makes the test binary stand in for semlayer, so that scripts run the
// real command line with real exit codes.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"semlayer": func() {
			ctx, _ := cli.ContextUntilSignal(context.Background())
			os.Exit(cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, "v0.0.0-test"))
		},
	})
}

func TestScripts(t *testing.T) {
	model, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			return os.WriteFile(env.WorkDir+"/shop.yaml", model, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"arrow": arrowStream,
		},
	})
}

// exits CODE COMMAND…: the command ends with that very exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("%v", err)
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
