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

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/document"
)

// profileReader gives out the values of one entry by key and type. It notes which keys
// were requested, which is what makes a key known, and everything that is wrong.
type profileReader struct {
	env     EnvLookup
	home    string
	literal bool // ${VAR} is a part of the text and not a variable
	values  map[string]*document.Node
	known   []string
	// described holds the known keys with their types.
	described []*KeyDescription
	troubles  []valueProblem
	bad       map[string]bool // keys with a trouble
	notes     []string        // warnings
}

// addProblem notes what is wrong with a key.
func (r *profileReader) addProblem(key, message, hint string) {
	r.troubles = append(r.troubles, valueProblem{key + " " + message, hint})
	if r.bad == nil {
		r.bad = map[string]bool{}
	}
	r.bad[key] = true
}

// hasNonNullValue reports whether a key is there and not null.
func (r *profileReader) hasNonNullValue(key string) bool {
	n, ok := r.values[key]
	return ok && !n.IsNull()
}

// readUncheckedText reads a text with its variables replaced; anything but a NUL byte goes.
func (r *profileReader) readUncheckedText(key string) string {
	if !slices.Contains(r.known, key) {
		r.known = append(r.known, key)
		r.keyDescription(key)
	}
	if !r.hasNonNullValue(key) {
		return ""
	}
	n := r.values[key]
	switch {
	case n.Kind != document.ScalarNode:
		r.addProblem(key, "must be a single value", "")
		return ""
	case !slices.Contains([]string{"!!str", "!!int", "!!float", "!!bool", "!!timestamp"}, n.Tag):
		r.addProblem(key, "has a YAML tag that is not known here", "a value that begins with ! needs quotes")
		return ""
	}
	text, wrong := n.Value, (*valueProblem)(nil)
	if !r.literal {
		text, wrong = substituteVariables(text, r.env)
	}
	if wrong != nil {
		r.addProblem(key, wrong.message, wrong.hint)
		return ""
	}
	if strings.ContainsRune(text, 0) {
		r.addProblem(key, "holds a NUL byte", "")
		return ""
	}
	return text
}

// readText reads a value without control characters.
func (r *profileReader) readText(key string) string {
	s := r.readUncheckedText(key)
	if strings.ContainsFunc(s, unicode.IsControl) {
		r.addProblem(key, "holds a control character, such as a line break", "")
		return ""
	}
	return s
}

// readRequiredText reads a text that must be there.
func (r *profileReader) readRequiredText(key string) string {
	s := r.readText(key)
	r.keyDescription(key).Required = true
	if s == "" && !r.bad[key] {
		r.addProblem(key, "is missing", "")
	}
	return s
}

// readHostRequiredWithoutURI reads the host, which a URI may hold as well.
func (r *profileReader) readHostRequiredWithoutURI(uri string) string {
	if uri != "" || r.bad["uri"] {
		return r.readText("host")
	}
	host := r.readRequiredText("host")
	r.keyDescription("host").Required = false // with a URI, it is not
	return host
}

func (r *profileReader) readSecret(key string) executor.Secret {
	return executor.NewSecret(r.readUncheckedText(key))
}

// readFilePath reads a path; ~/ is the home directory.
func (r *profileReader) readFilePath(key string) string { return r.expandHome(r.readText(key)) }

// readFilePaths reads a path, or a list of them.
func (r *profileReader) readFilePaths(key string) []string {
	r.keyDescription(key).Type = KeyTypePaths
	n := r.values[key]
	if n == nil || n.Kind != document.SequenceNode {
		if path := r.readFilePath(key); path != "" {
			return []string{path}
		}
		if r.hasNonNullValue(key) && !r.bad[key] {
			r.addProblem(key, "is empty", "")
		}
		return nil
	}
	var paths []string
	for _, one := range n.Content {
		r.values[key] = one
		path := r.readFilePath(key)
		if path == "" && !r.bad[key] {
			r.addProblem(key, "holds an empty path", "")
		}
		paths = append(paths, path)
	}
	r.values[key] = n
	if len(paths) == 0 {
		r.addProblem(key, "is empty", "")
	}
	return paths
}

func (r *profileReader) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && r.home != "" {
		return filepath.Join(r.home, rest)
	}
	return path
}

// readPositiveInteger reads an integer of at least 1.
func (r *profileReader) readPositiveInteger(key string, fallback, most int) int {
	return r.readInteger(key, fallback, 1, most)
}

func (r *profileReader) readInteger(key string, fallback, least, most int) int {
	s := strings.TrimSpace(r.readText(key))
	k := r.keyDescription(key)
	k.Type, k.Least, k.Most = KeyTypeInteger, least, most
	if s == "" {
		return fallback
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		r.addProblem(key, "must be an integer from "+strconv.Itoa(least)+" to "+strconv.Itoa(most), "")
		return fallback
	}
	return n
}

func (r *profileReader) readPort(fallback int) int {
	return r.readPositiveInteger("port", fallback, math.MaxUint16)
}

func (r *profileReader) readSeconds(key string) time.Duration {
	const day = 24 * 60 * 60
	return time.Duration(r.readPositiveInteger(key, 0, day)) * time.Second
}

func (r *profileReader) readBoolean(key string, fallback bool) bool {
	s := strings.ToLower(strings.TrimSpace(r.readText(key)))
	r.keyDescription(key).Type = KeyTypeBoolean
	switch s {
	case "":
		return fallback
	case "true", "yes", "on", "1":
		return true
	case "false", "no", "off", "0":
		return false
	default:
		r.addProblem(key, "must be true or false", "")
		return fallback
	}
}

// readChoice reads one of a few words.
func (r *profileReader) readChoice(key, fallback string, words ...string) string {
	s := strings.ToLower(strings.TrimSpace(r.readText(key)))
	r.keyDescription(key).Words = words
	if s == "" {
		return fallback
	}
	if !slices.Contains(words, s) {
		r.addProblem(key, "must be one of "+strings.Join(words, ", "), nearestWordHint(s, words))
		return fallback
	}
	return s
}

// nearestWordHint names the word that was probably meant, and not the one given.
func nearestWordHint(given string, words []string) string {
	if meant := nearestKnownName(given, words); meant != "" {
		return "did you mean " + meant + "?"
	}
	return ""
}

func (r *profileReader) addWarning(message string) { r.notes = append(r.notes, message) }

func homeDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

// readTLSFiles reads the files of encrypted connections. It is called when the other keys are read: encrypted and verified report what
// they ask for.
func (r *profileReader) readTLSFiles(encrypted, verified bool, how string) TLSFiles {
	f := TLSFiles{TLSCA: r.readFilePath("tls_ca"), TLSCert: r.readFilePath("tls_cert"), TLSKey: r.readFilePath("tls_key")}
	r.checkCertificatePair("tls_cert", f.TLSCert, "tls_key", f.TLSKey)
	switch {
	case f == TLSFiles{}:
	case !encrypted:
		r.addProblem(r.firstGiven("tls_ca", "tls_cert", "tls_key"), "is for encrypted connections, and this one is not encrypted", how)
	case f.TLSCA != "" && !verified:
		r.addProblem("tls_ca", "has no effect where the certificate of the warehouse is not verified", how)
	}
	return f
}

// checkCertificatePair checks that a certificate has its key.
func (r *profileReader) checkCertificatePair(certKey, cert, keyKey, key string) {
	switch {
	case cert != "" && key == "" && !r.bad[keyKey]:
		r.addProblem(certKey, "is given without "+keyKey, "")
	case cert == "" && key != "" && !r.bad[certKey]:
		r.addProblem(keyKey, "is given without "+certKey, "")
	}
}

func (r *profileReader) firstGiven(keys ...string) string {
	for _, key := range keys {
		if r.hasNonNullValue(key) {
			return key
		}
	}
	return keys[0]
}
