package profile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/modelspec/document"
)

const (
	execKey = "exec"
	// maxExecArguments and maxExecTimeout bound a program that prints a secret.
	maxExecArguments = 100
	maxExecTimeout   = 10 * time.Minute
)

// readSecretSource reads where a secret is while it changes, in the place of the key of the secret itself; nil for nowhere.
func (r *profileReader) readSecretSource(secret string) credential.Source {
	file, program := r.readFilePath(secret+"_file"), r.readExec(secret)
	given := slices.DeleteFunc([]string{secret, secret + "_file", execKey}, func(key string) bool { return !r.hasNonNullValue(key) })
	switch {
	case len(given) > 1:
		last := len(given) - 1
		r.addProblem(given[last], "and "+strings.Join(given[:last], ", ")+" are both given", "give one of them")
		return nil
	case program != nil:
		return program
	case file != "":
		return credential.File(file)
	}
	return nil
}

// badSecret reports whether one of the keys of a secret has a trouble.
func (r *profileReader) badSecret(secret string) bool {
	return r.bad[secret] || r.bad[secret+"_file"] || r.bad[execKey]
}

// readExec reads the program that prints a secret; nil without the key.
func (r *profileReader) readExec(secret string) *credential.Command {
	n := r.readMappingKey(execKey, KeyTypeExec)
	if n == nil {
		return nil
	}
	var command []string
	timeout := time.Duration(0)
	r.readMembers(execKey, n, "", []string{"command", "timeout_seconds"}, func(key string, value *document.Node) bool {
		switch key {
		case "command":
			command = r.readExecCommand(value)
		case "timeout_seconds":
			timeout = r.readExecTimeout(value)
		default:
			return false
		}
		return true
	})
	switch {
	case r.bad[execKey]:
		return nil
	case len(command) == 0:
		r.addProblem(execKey, "has no command", "write the path of the program and its arguments, as in command: [/usr/local/bin/db-token, --role, reader]")
		return nil
	}
	return credential.NewCommand(command, secret, timeout)
}

// readExecCommand reads the path of the program and its arguments.
func (r *profileReader) readExecCommand(n *document.Node) []string {
	if n.Kind != document.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxExecArguments {
		r.addProblem(execKey, "has a command that is not a list of 1 to "+strconv.Itoa(maxExecArguments)+" texts", "")
		return nil
	}
	var out []string
	for _, one := range n.Content {
		out = append(out, r.readTextOfMember(execKey, one.FollowAlias()))
	}
	out[0] = r.expandHome(out[0])
	if out[0] == "" && !r.bad[execKey] {
		r.addProblem(execKey, "has a command without the path of a program", "")
	}
	return out
}

func (r *profileReader) readExecTimeout(n *document.Node) time.Duration {
	most := int(maxExecTimeout / time.Second)
	seconds, err := strconv.Atoi(strings.TrimSpace(r.readTextOfMember(execKey, n)))
	if err != nil || seconds < 1 || seconds > most {
		r.addProblem(execKey, "has a timeout_seconds that is not an integer from 1 to "+strconv.Itoa(most), "")
		return 0
	}
	return time.Duration(seconds) * time.Second
}

const sessionPropertiesKey = "session_properties"

// sessionPropertyPattern is that of a property of the system, or of a catalog.
var sessionPropertyPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$`)

// readSessionProperties reads the properties of each statement on Trino, in the order of their names.
func (r *profileReader) readSessionProperties() []SessionSetting {
	n := r.readMappingKey(sessionPropertiesKey, KeyTypeTexts)
	if n == nil {
		return nil
	}
	var out []SessionSetting
	r.readMembers(sessionPropertiesKey, n, "", nil, func(name string, value *document.Node) bool {
		if !sessionPropertyPattern.MatchString(name) {
			return false
		}
		out = append(out, SessionSetting{name, SessionValue{Constant: r.readTextOfMember(sessionPropertiesKey, value)}})
		return true
	})
	slices.SortFunc(out, func(a, b SessionSetting) int { return strings.Compare(a.Name, b.Name) })
	return out
}
