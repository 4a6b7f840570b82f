package extension

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Diagnostics is what reading payloads found, in the order of finding.
type Diagnostics struct {
	Errors   []*modelspec.CompileError
	Warnings []*modelspec.Warning
}

// Failed is the first error, nil when there is none.
func (d Diagnostics) Failed() *modelspec.CompileError {
	if len(d.Errors) == 0 {
		return nil
	}
	return d.Errors[0]
}

// reader reads the payload of one object.
type reader struct {
	Diagnostics
	carrier Carrier
	owner   modelspec.Place
	entry   *modelspec.CustomExtension

	newest   version // of the keys that payloads under the entry's vendor name may hold
	declared version
	lenient  bool     // declared is newer than newest: unknown keys are dropped
	dropped  []string // paths of dropped keys
	key      string   // the top-level key being read, for hints
}

// Anchor is the place in the documentation that describes a key.
func Anchor(key string) string {
	if key == "" {
		key = "envelope"
	}
	return "docs/extension.md#" + key
}

// Location is the path of a payload's member: `….custom_extensions[0].data.window`.
func location(entry *modelspec.CustomExtension, path string) string { return entry.At("data") + path }

func (r *reader) placeOf(n *node) modelspec.Place {
	if n == nil {
		return r.entry.Place
	}
	return modelspec.Place{Location: location(r.entry, n.path()), Position: r.entry.Data.Offset(n.offset)}
}

func (r *reader) fail(code string, n *node, hint, format string, args ...any) {
	at := r.placeOf(n)
	see := "see " + Anchor(r.key)
	if hint != "" {
		see = hint + "; " + see
	}
	r.Errors = append(r.Errors, &modelspec.CompileError{
		Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...), Hint: see,
	})
}

func (r *reader) invalid(n *node, format string, args ...any) {
	r.fail(CodeInvalid, n, "", format, args...)
}

func (r *reader) warn(code string, n *node, format string, args ...any) {
	at := r.placeOf(n)
	r.Warnings = append(r.Warnings, &modelspec.Warning{Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...)})
}

// openPayload finds the payload of an object and reads its envelope. It returns nil
// for the object when there is none to read.
func openPayload(carrier Carrier, owner modelspec.Place, entries []*modelspec.CustomExtension) (*reader, *node) {
	r := &reader{carrier: carrier, owner: owner}
	var first *modelspec.CustomExtension
	for _, x := range entries {
		switch {
		case isMisspelledVendor(x):
			r.entry = x
			r.fail(CodeInvalid, nil, fmt.Sprintf("did you mean %q?", vendorName()), "the vendor name %q is not known, and its payload would be ignored", x.VendorName)
		case !x.Honoured():
		case first == nil:
			first, r.entry = x, x
		default:
			r.entry = x
			r.fail(CodeInvalid, nil, "merge the payloads into one", "this object has a second payload; the one at %s counts", first.Location)
		}
	}
	if first == nil {
		return r, nil
	}
	r.entry, r.newest = first, implemented
	if first.Alias() {
		r.newest = versionOfAlias
	}
	root := r.payload()
	if root == nil || !r.version(root) {
		return r, nil
	}
	r.requires(root)
	r.knownKeys(root)
	return r, root
}

// maxTypos is how many edits a vendor name may be away from ours and still be meant as ours.
const maxTypos = 2

// isMisspelledVendor reports whether an entry has a vendor name that is ours but for a slip. The
// alias is too short for that: names of other vendors are near it.
func isMisspelledVendor(x *modelspec.CustomExtension) bool {
	return !x.Honoured() && suggest.IsWithinEdits(maxTypos, x.VendorName, vendorName())
}

func vendorName() string { return modelspec.ExtensionVendors()[0] }

// maxPayload bounds the text of one payload, in bytes.
const maxPayload = limits.PayloadBytes

func (r *reader) payload() *node {
	if !r.entry.IsText {
		hint := "write the object as JSON in a string"
		if r.entry.IsObject {
			hint += "; run semlayer fmt to expand it"
		}
		r.fail(CodeInvalid, nil, hint, "data must be a string that holds a JSON object")
		return nil
	}
	if n := len(r.entry.Data.Value); n > maxPayload {
		r.invalid(nil, "data has %d bytes; a payload has at most %d", n, maxPayload)
		return nil
	}
	root, err := parse(r.entry.Data.Value)
	if err != nil {
		r.invalid(&node{offset: err.offset}, "data is not JSON: %s", err)
		return nil
	}
	if root.kind != kindObject {
		r.invalid(root, "data must hold a JSON object, holds %s", root.describe())
		return nil
	}
	return root
}

// version applies the version rules; ok is false when the payload must not be
// read at all.
func (r *reader) version(root *node) (ok bool) {
	r.declared = oldestVersion
	if v := root.member("v"); v != nil && v.kind != kindNull {
		parsed, ok := parseVersion(v.text)
		if v.kind != kindString || !ok {
			r.invalid(v, `v must be a string "major.minor", is %s`, v.describe())
			return false
		}
		r.declared = parsed
	}
	switch {
	case r.declared.major != implemented.major:
		r.fail(CodeVersion, root.member("v"), fmt.Sprintf("the supported major version is %d", implemented.major),
			"the payload declares version %s; versions %s to %s are supported", r.declared, Minimum, r.newest)
		return false
	case r.declared.newerThan(r.newest):
		r.lenient = true
	}
	return true
}

func (r *reader) requires(root *node) {
	list := root.member("requires")
	if list == nil || list.kind == kindNull {
		return
	}
	if list.kind != kindList {
		r.invalid(list, "requires must be a list of keys, is %s", list.describe())
		return
	}
	for _, item := range list.list {
		switch {
		case item.kind != kindString:
			r.invalid(item, "requires must hold names of keys, holds %s", item.describe())
		case len(carriersOfKey(item.text, r.newest)) == 0:
			r.fail(CodeKeyRequired, item, fmt.Sprintf("this engine implements version %s of the extension", r.newest),
				"the payload requires the key %q, which this engine does not implement", item.text)
		}
	}
}

// knownKeys holds every top-level key against the registry.
func (r *reader) knownKeys(root *node) {
	for i, name := range root.keys {
		value := root.list[i]
		if slices.Contains(envelopeKeys, name) {
			continue
		}
		key, ok := r.lookup(name)
		if !ok || key.nested() {
			r.unknownKey(value, name)
			continue
		}
		if value.kind == kindNull {
			continue
		}
		r.warnNewerKey(value, name, key.Since)
		if key.Impact == Silent && !r.required(root, name) {
			r.warn(CodeRequiresMissing, value,
				"the key %q changes results where an engine ignores it; list it in requires: [%q], so that such an engine refuses the model", name, name)
		}
	}
}

// lookup finds a key of the carrier that a payload under the entry's vendor name
// may hold.
func (r *reader) lookup(name string) (Key, bool) {
	k, ok := lookup(r.carrier, name)
	return k, ok && !mustParseVersion(k.Since).newerThan(r.newest)
}

// warnNewerKey warns when a key is newer than the version its payload declares.
func (r *reader) warnNewerKey(n *node, name, introduced string) {
	if mustParseVersion(introduced).newerThan(r.declared) {
		r.warn(CodeKeyNewer, n, "the key %q came with version %s and the payload declares %s; it is honoured", name, introduced, r.declared)
	}
}

func (r *reader) required(root *node, name string) bool {
	list := root.member("requires")
	return list != nil && slices.ContainsFunc(list.list, func(n *node) bool { return n.text == name })
}

func (r *reader) unknownKey(value *node, name string) {
	if carriers := carriersOfKey(name, r.newest); len(carriers) > 0 && !slices.Contains(carriers, string(r.carrier)) {
		// A storage layout outside of `time` has a separate warning.
		if r.carrier == OnField && name == "format" {
			return
		}
		r.key = name
		r.fail(CodeInvalid, value, fmt.Sprintf("it belongs on a %s", strings.Join(carriers, " or a ")), "the key %q does not belong on a %s", name, r.carrier)
		r.key = ""
		return
	}
	r.unknown(value, name, keyNamesOn(r.carrier))
}

// unknown deals with a key outside the format: dropped from a payload that is
// newer than we are, an error in one that we know.
func (r *reader) unknown(value *node, name string, known []string) {
	if r.lenient {
		r.dropped = append(r.dropped, strings.TrimPrefix(value.path(), "."))
		return
	}
	hint := "the keys are " + strings.Join(known, ", ")
	if near, ok := suggest.Closest(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	if key, ok := lookup(r.carrier, valueLabel(value)); ok && mustParseVersion(key.Since).newerThan(r.newest) {
		hint = fmt.Sprintf("write vendor_name %s: the key came with version %s, and payloads of %s have the keys up to %s",
			vendorName(), key.Since, r.entry.VendorName, r.newest)
	}
	r.fail(CodeInvalid, value, hint, "unknown key %q", name)
}

// finish reports what can only be known at the end.
func (r *reader) finish() Diagnostics {
	if r.lenient {
		dropped := "nothing had to be dropped"
		if len(r.dropped) > 0 {
			dropped = "dropped: " + strings.Join(r.dropped, ", ")
		}
		r.warn(CodeVersionAhead, nil, "the payload declares version %s, newer than %s; %s", r.declared, r.newest, dropped)
	}
	return r.Diagnostics
}
