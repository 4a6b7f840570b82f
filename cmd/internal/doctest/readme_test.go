//go:build unix

package doctest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// README.md works from its top to its end on a machine that has what the page names: the repository is cloned, the demo is
// built and served, and each command has the output that the page shows.
func TestReadme_RunsInOrderInAFreshClone(t *testing.T) {
	for _, program := range []string{"git", "make", "bash", "curl", "go", "cc"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the page needs %s: %v", program, err)
		}
	}
	s := &shellSession{t: t, folder: filepath.Join(t.TempDir(), "semlayer")}
	s.clone()
	for _, b := range blocksOf(t, root+"/README.md") {
		switch b.mark {
		case "sh":
			for i, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
				s.runSetup(command{line: b.line + 1 + i, text: line})
			}
		case "console":
			s.address = s.demo
			for _, c := range commandsOf(b) {
				s.runShown(c)
			}
		}
	}
	if want := []string{"git clone", "make demo", "make test", "export PATH"}; !slices.Equal(s.setup, want) {
		t.Errorf("the page sets up by %q, want %q", s.setup, want)
	}
	if s.shown < 6 {
		t.Errorf("only %d commands have an output", s.shown)
	}
}

// shellSession is a person at a shell in a clone.
type shellSession struct {
	t       *testing.T
	folder  string
	exports []string // the variables that were set
	demo    string   // the address of the demo
	address string   // the address of the server that is asked
	setup   []string // the beginning of each command of setup
	shown   int      // commands that have an output
}

// clone clones the repository as it is in the working tree, with what is not committed.
func (s *shellSession) clone() {
	s.t.Helper()
	repository, err := filepath.Abs(root)
	if err != nil {
		s.t.Fatal(err)
	}
	git := func(args ...string) []byte {
		out, err := exec.CommandContext(s.t.Context(), "git", append([]string{"-C", repository}, args...)...).Output()
		if err != nil {
			s.t.Skipf("the folder cannot be cloned: git %s: %v", args[0], err)
		}
		return out
	}
	git("clone", "-q", repository, s.folder)
	for _, name := range strings.FieldsFunc(string(git("ls-files", "-m", "-o", "--exclude-standard", "-z")), func(r rune) bool { return r == 0 }) {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if os.IsNotExist(err) {
			_ = os.Remove(filepath.Join(s.folder, name))
			continue
		}
		if err != nil {
			s.t.Fatal(err)
		}
		path := filepath.Join(s.folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o700); err != nil {
			s.t.Fatal(err)
		}
	}
}

// runSetup runs a command that the page shows without an output.
func (s *shellSession) runSetup(c command) {
	s.t.Helper()
	first := strings.Join(strings.Fields(strings.ReplaceAll(c.text, "=", " "))[:2], " ")
	s.setup = append(s.setup, first)
	switch first {
	case "git clone": // which the test has done
	case "make test": // which runs this test
	case "make demo":
		s.demo = s.serve(c, "SVC_BIND=127.0.0.1:0 exec make --no-print-directory demo DEMO_FLAGS=--stored")
	case "export PATH":
		s.exports = append(s.exports, c.text)
	default:
		s.t.Errorf("README.md:%d: nothing is known of $ %s", c.line, c.text)
	}
}

// runShown runs a command, or serves with it for the rest of its block, and compares the output.
func (s *shellSession) runShown(c command) {
	s.t.Helper()
	if line, serves := strings.CutSuffix(strings.TrimSpace(c.text), " &"); serves {
		s.address = s.serve(c, "exec "+line+" --bind 127.0.0.1:0")
		return
	}
	cmd := s.command(shownAddress.ReplaceAllString(c.text, s.address))
	got, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Errorf("README.md:%d: $ %s: %v", c.line, c.text, err)
	}
	if d := differs(c.output, string(got)); d != "" {
		s.t.Errorf("README.md:%d: $ %s%s", c.line, c.text, d)
	}
	s.shown++
}

// command returns a command line of the shell, in the clone and with a new home folder.
func (s *shellSession) command(line string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "bash", "-c", strings.Join(append(slices.Clone(s.exports), line), "\n"))
	cmd.Dir = s.folder
	folders, err := exec.CommandContext(s.t.Context(), "go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		s.t.Fatal(err)
	}
	cache := strings.Fields(string(folders))
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SVC_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+s.t.TempDir(), "GOCACHE="+cache[0], "GOMODCACHE="+cache[1])
	// The programs that a command starts end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return cmd
}

var listening = regexp.MustCompile(`\b127\.0\.0\.1:[1-9]\d*\b`)

// serve runs a command for the length of the test and returns the address that it prints. It waits as long as the command
// runs: a build takes its time.
func (s *shellSession) serve(c command, line string) string {
	s.t.Helper()
	cmd := s.command(line)
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		_ = write.Close()
		ended <- err
	}()
	s.t.Cleanup(func() {
		_ = cmd.Cancel()
		<-ended
	})
	address := make(chan string, 1)
	var printed bytes.Buffer
	go func() {
		defer close(address)
		found := ""
		for lines := bufio.NewScanner(read); lines.Scan(); {
			if found == "" {
				printed.WriteString(lines.Text() + "\n")
				if found = listening.FindString(lines.Text()); found != "" {
					address <- found
				}
			}
		}
		_, _ = io.Copy(io.Discard, read)
	}()
	found, ok := <-address
	if !ok {
		s.t.Fatalf("README.md:%d: $ %s ends without an address:\n%s", c.line, c.text, printed.String())
	}
	return found
}
