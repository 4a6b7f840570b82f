package cli_test

import (
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// SIGHUP ended the server at once, with the requests that it was answering.
func TestServe_StaysAtSIGHUPAndLogsIt(t *testing.T) {
	child := exec.CommandContext(t.Context(), childBinary(t), "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	log := new(lockedBuffer)
	child.Stderr = log
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://[0-9.:]+`)
	testwait.Until(t, "the server starts", func() bool { return address.FindString(log.String()) != "" })
	for range 2 {
		if err := child.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Until(t, "the signal is logged", func() bool {
		return strings.Contains(log.String(), "SIGHUP: the model files and new connection profiles are read")
	})
	got, err := http.Get(address.FindString(log.String()) + "/health")
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	if got.StatusCode != 200 {
		t.Errorf("status %d", got.StatusCode)
	}
}

func TestDemo_LeavesSIGHUPAlone(t *testing.T) {
	// A child inherits a signal that is ignored, as nohup starts programs, but not one
	// that is caught.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	child := exec.CommandContext(t.Context(), childBinary(t), "demo", "--bind", "127.0.0.1:0")
	out := new(lockedBuffer)
	child.Stdout = out
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the demo starts", func() bool { return strings.Contains(out.String(), "http://127.0.0.1:") })
	if err := child.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil || !strings.Contains(err.Error(), "hangup") {
		t.Errorf("%v", err)
	}
}
