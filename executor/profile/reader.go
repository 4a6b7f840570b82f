package profile

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/executor"
)

// reader gives out the values of one entry by key and type. It notes which keys
// were asked for, which is what makes a key known, and everything that is wrong.
type reader struct {
	env     Env
	home    string
	literal bool // ${VAR} is a part of the text and not a variable
	values  map[string]*yaml.Node
	known   []string
	// described holds the known keys with their types.
	described []*KeyDescription
	troubles  []valueProblem
	bad       map[string]bool // keys with a trouble
	notes     []string        // warnings
}

// fail notes what is wrong with a key.
func (r *reader) fail(key, message, hint string) {
	r.troubles = append(r.troubles, valueProblem{key + " " + message, hint})
	if r.bad == nil {
		r.bad = map[string]bool{}
	}
	r.bad[key] = true
}

// isGiven reports whether a key is there and not null.
func (r *reader) isGiven(key string) bool {
	n, ok := r.values[key]
	return ok && !isNull(n)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// raw reads a text with its variables replaced; anything but a NUL byte goes.
func (r *reader) raw(key string) string {
	if !slices.Contains(r.known, key) {
		r.known = append(r.known, key)
		r.key(key)
	}
	if !r.isGiven(key) {
		return ""
	}
	n := r.values[key]
	switch {
	case n.Kind != yaml.ScalarNode:
		r.fail(key, "must be a single value", "")
		return ""
	case !slices.Contains([]string{"!!str", "!!int", "!!float", "!!bool", "!!timestamp"}, n.Tag):
		r.fail(key, "has a YAML tag that is not known here", "a value that begins with ! needs quotes")
		return ""
	}
	text, wrong := n.Value, (*valueProblem)(nil)
	if !r.literal {
		text, wrong = substitute(text, r.env)
	}
	if wrong != nil {
		r.fail(key, wrong.message, wrong.hint)
		return ""
	}
	if strings.ContainsRune(text, 0) {
		r.fail(key, "holds a NUL byte", "")
		return ""
	}
	return text
}

// text reads a value without control characters.
func (r *reader) text(key string) string {
	s := r.raw(key)
	if strings.ContainsFunc(s, unicode.IsControl) {
		r.fail(key, "holds a control character, such as a line break", "")
		return ""
	}
	return s
}

// required reads a text that must be there.
func (r *reader) required(key string) string {
	s := r.text(key)
	r.key(key).Required = true
	if s == "" && !r.bad[key] {
		r.fail(key, "is missing", "")
	}
	return s
}

// hostOrURI reads the host, which a URI may hold as well.
func (r *reader) hostOrURI(uri string) string {
	if uri != "" || r.bad["uri"] {
		return r.text("host")
	}
	host := r.required("host")
	r.key("host").Required = false // with a URI, it is not
	return host
}

func (r *reader) secret(key string) executor.Secret { return executor.NewSecret(r.raw(key)) }

// filePath reads a path; ~/ is the home directory.
func (r *reader) filePath(key string) string { return r.expandHome(r.text(key)) }

// filePaths reads a path, or a list of them.
func (r *reader) filePaths(key string) []string {
	r.key(key).Type = KeyPaths
	n := r.values[key]
	if n == nil || n.Kind != yaml.SequenceNode {
		if path := r.filePath(key); path != "" {
			return []string{path}
		}
		if r.isGiven(key) && !r.bad[key] {
			r.fail(key, "is empty", "")
		}
		return nil
	}
	var paths []string
	for _, one := range n.Content {
		r.values[key] = one
		path := r.filePath(key)
		if path == "" && !r.bad[key] {
			r.fail(key, "holds an empty path", "")
		}
		paths = append(paths, path)
	}
	r.values[key] = n
	if len(paths) == 0 {
		r.fail(key, "is empty", "")
	}
	return paths
}

func (r *reader) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && r.home != "" {
		return filepath.Join(r.home, rest)
	}
	return path
}

// number reads an integer of at least 1.
func (r *reader) number(key string, fallback, most int) int {
	s := strings.TrimSpace(r.text(key))
	k := r.key(key)
	k.Type, k.Most = KeyInteger, most
	if s == "" {
		return fallback
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most {
		r.fail(key, "must be an integer from 1 to "+strconv.Itoa(most), "")
		return fallback
	}
	return n
}

func (r *reader) port(fallback int) int { return r.number("port", fallback, math.MaxUint16) }

func (r *reader) seconds(key string) time.Duration {
	const day = 24 * 60 * 60
	return time.Duration(r.number(key, 0, day)) * time.Second
}

func (r *reader) flag(key string, fallback bool) bool {
	s := strings.ToLower(strings.TrimSpace(r.text(key)))
	r.key(key).Type = KeyBoolean
	switch s {
	case "":
		return fallback
	case "true", "yes", "on", "1":
		return true
	case "false", "no", "off", "0":
		return false
	default:
		r.fail(key, "must be true or false", "")
		return fallback
	}
}

// choice reads one of a few words.
func (r *reader) choice(key, fallback string, words ...string) string {
	s := strings.ToLower(strings.TrimSpace(r.text(key)))
	r.key(key).Words = words
	if s == "" {
		return fallback
	}
	if !slices.Contains(words, s) {
		r.fail(key, "must be one of "+strings.Join(words, ", "), nearestHint(s, words))
		return fallback
	}
	return s
}

// nearestHint names the word that was probably meant, and not the one given.
func nearestHint(given string, words []string) string {
	if meant := nearest(given, words); meant != "" {
		return "did you mean " + meant + "?"
	}
	return ""
}

func (r *reader) warn(message string) { r.notes = append(r.notes, message) }

func homeDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}
