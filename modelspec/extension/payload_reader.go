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
	Warnings []*modelspec.CompileWarning
}

// FirstError returns the first error, nil when there is none.
func (d Diagnostics) FirstError() *modelspec.CompileError {
	if len(d.Errors) == 0 {
		return nil
	}
	return d.Errors[0]
}

// payloadReader reads the payload of one object.
type payloadReader struct {
	Diagnostics
	carrier Carrier
	owner   modelspec.Place
	entry   *modelspec.CustomExtension

	newest   payloadVersion // of the keys that payloads under the entry's vendor name may hold
	declared payloadVersion
	lenient  bool     // declared is newer than newest: unknown keys are dropped
	dropped  []string // paths of dropped keys
	key      string   // the top-level key being read, for hints
}

// payloadReaderWithoutEntries is that of every object without entries. It finds nothing.
var payloadReaderWithoutEntries payloadReader

// DocumentationAnchor returns the place in the documentation that describes a key.
func DocumentationAnchor(key string) string {
	if key == "" {
		key = "envelope"
	}
	return "docs/extension.md#" + key
}

// locationOfPayloadMember returns the path of a payload's member: `….custom_extensions[0].data.window`.
func locationOfPayloadMember(entry *modelspec.CustomExtension, path string) string {
	return entry.MemberLocation("data") + path
}

func (r *payloadReader) placeOfNode(n *jsonNode) modelspec.Place {
	if n == nil {
		return r.entry.Place
	}
	return modelspec.Place{Location: locationOfPayloadMember(r.entry, n.pathInPayload()), Position: r.entry.Data.PositionAtOffset(n.offset)}
}

func (r *payloadReader) addError(code string, n *jsonNode, hint, format string, args ...any) {
	at := r.placeOfNode(n)
	see := "see " + DocumentationAnchor(r.key)
	if hint != "" {
		see = hint + "; " + see
	}
	r.Errors = append(r.Errors, &modelspec.CompileError{
		Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...), Hint: see,
	})
}

func (r *payloadReader) addInvalidError(n *jsonNode, format string, args ...any) {
	r.addError(CodeInvalidPayload, n, "", format, args...)
}

func (r *payloadReader) addWarning(code string, n *jsonNode, format string, args ...any) {
	at := r.placeOfNode(n)
	r.Warnings = append(r.Warnings, &modelspec.CompileWarning{Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...)})
}

// findPayloadAndReadEnvelope finds the payload of an object and reads its envelope. It returns nil
// for the object when there is none to read.
func findPayloadAndReadEnvelope(carrier Carrier, owner modelspec.Place, entries []*modelspec.CustomExtension) (*payloadReader, *jsonNode) {
	if len(entries) == 0 {
		return &payloadReaderWithoutEntries, nil
	}
	r := &payloadReader{carrier: carrier, owner: owner}
	var first *modelspec.CustomExtension
	for _, x := range entries {
		switch {
		case isMisspelledVendor(x):
			r.entry = x
			r.addError(CodeInvalidPayload, nil, fmt.Sprintf("did you mean %q?", extensionVendorName()), "the vendor name %q is not known, and its payload would be ignored", x.VendorName)
		case !x.IsVendorPayload():
		case first == nil:
			first, r.entry = x, x
		default:
			r.entry = x
			r.addError(CodeInvalidPayload, nil, "merge the payloads into one", "this object has a second payload; the one at %s counts", first.Location)
		}
	}
	if first == nil {
		return r, nil
	}
	r.entry, r.newest = first, implementedVersion
	if first.UsesVendorAlias() {
		r.newest = newestVendorAliasVersion
	}
	root := r.parsePayload()
	if root == nil || !r.checkPayloadVersion(root) {
		return r, nil
	}
	r.checkRequiresList(root)
	r.checkTopLevelKeys(root)
	return r, root
}

// rootReader returns the reader of the members of a payload.
func (r *payloadReader) rootReader(root *jsonNode) payloadObjectReader {
	return payloadObjectReader{r, root, payloadShapes[r.carrier]}
}

// maxVendorNameEdits is how many edits a vendor name may be away from ours and still be meant as ours.
const maxVendorNameEdits = 2

// isMisspelledVendor reports whether an entry has a vendor name that is ours but for a slip. The
// alias is too short for that: names of other vendors are near it.
func isMisspelledVendor(x *modelspec.CustomExtension) bool {
	return !x.IsVendorPayload() && suggest.IsWithinEdits(maxVendorNameEdits, x.VendorName, extensionVendorName())
}

func extensionVendorName() string { return modelspec.ExtensionVendors()[0] }

// maxPayloadBytes bounds the text of one payload, in bytes.
const maxPayloadBytes = limits.PayloadBytes

func (r *payloadReader) parsePayload() *jsonNode {
	if !r.entry.IsText {
		hint := "write the object as JSON in a string"
		if r.entry.IsObject {
			hint += "; run semlayer fmt to expand it"
		}
		r.addError(CodeInvalidPayload, nil, hint, "data must be a string that holds a JSON object")
		return nil
	}
	if n := len(r.entry.Data.Value); n > maxPayloadBytes {
		r.addInvalidError(nil, "data has %d bytes; a payload has at most %d", n, maxPayloadBytes)
		return nil
	}
	root, err := parseJSON(r.entry.Data.Value)
	if err != nil {
		r.addInvalidError(&jsonNode{offset: err.offset}, "data is not JSON: %s", err)
		return nil
	}
	if root.kind != jsonObject {
		r.addInvalidError(root, "data must hold a JSON object, holds %s", root.describeKind())
		return nil
	}
	return root
}

// checkPayloadVersion applies the version rules; ok is false when the payload must not be
// read at all.
func (r *payloadReader) checkPayloadVersion(root *jsonNode) (ok bool) {
	r.declared = oldestSupportedVersion
	if v := root.findMember("v"); v != nil && v.kind != jsonNull {
		parsed, ok := parseVersion(v.text)
		if v.kind != jsonString || !ok {
			r.addInvalidError(v, `v must be a string "major.minor", is %s`, v.describeKind())
			return false
		}
		r.declared = parsed
	}
	switch {
	case r.declared.major != implementedVersion.major:
		r.addError(CodeUnsupportedVersion, root.findMember("v"), fmt.Sprintf("the supported major version is %d", implementedVersion.major),
			"the payload declares version %s; versions %s to %s are supported", r.declared, MinimumVersion, r.newest)
		return false
	case r.declared.isNewerThan(r.newest):
		r.lenient = true
	}
	return true
}

func (r *payloadReader) checkRequiresList(root *jsonNode) {
	list := root.findMember("requires")
	if list == nil || list.kind == jsonNull {
		return
	}
	if list.kind != jsonList {
		r.addInvalidError(list, "requires must be a list of keys, is %s", list.describeKind())
		return
	}
	for _, item := range list.list {
		switch {
		case item.kind != jsonString:
			r.addInvalidError(item, "requires must hold names of keys, holds %s", item.describeKind())
		case len(carriersOfKey(item.text, r.newest)) == 0:
			r.addError(CodeRequiredKeyUnknown, item, fmt.Sprintf("this engine implements version %s of the extension", r.newest),
				"the payload requires the key %q, which this engine does not implement", item.text)
		}
	}
}

// checkTopLevelKeys holds every top-level key against the registry.
func (r *payloadReader) checkTopLevelKeys(root *jsonNode) {
	for i, name := range root.keys {
		value := root.list[i]
		if slices.Contains(keysOfEveryPayload, name) {
			continue
		}
		key, ok := r.findKeyDefinitionForCarrier(name)
		if !ok || key.isMemberOfParentKey() {
			r.reportMisplacedOrUnknownKey(value, name)
			continue
		}
		if value.kind == jsonNull {
			continue
		}
		r.warnIfKeyNewerThanDeclaredVersion(value, name, key.Since)
		r.warnIfSilentKeyNotRequired(value, key)
	}
}

// findKeyDefinitionForCarrier finds a key of the carrier that a payload under the entry's vendor name
// may hold.
func (r *payloadReader) findKeyDefinitionForCarrier(name string) (KeyDefinition, bool) {
	k, ok := findKeyDefinition(r.carrier, name)
	return k, ok && !mustParseVersion(k.Since).isNewerThan(r.newest)
}

// warnIfKeyNewerThanDeclaredVersion warns when a key is newer than the version its payload declares.
func (r *payloadReader) warnIfKeyNewerThanDeclaredVersion(n *jsonNode, name, introduced string) {
	if mustParseVersion(introduced).isNewerThan(r.declared) {
		r.addWarning(CodeKeyNewerThanVersion, n, "the key %q was introduced in version %s, and the payload declares %s; it is applied", name, introduced, r.declared)
	}
}

// warnIfSilentKeyNotRequired warns when a key that changes results silently is missing in requires.
func (r *payloadReader) warnIfSilentKeyNotRequired(n *jsonNode, key KeyDefinition) {
	root := n
	for root.parent != nil {
		root = root.parent
	}
	list := root.findMember("requires")
	if key.Impact != ImpactSilent || list != nil && slices.ContainsFunc(list.list, func(n *jsonNode) bool { return n.text == key.Name }) {
		return
	}
	r.addWarning(CodeKeyNotInRequires, n,
		"the key %q changes results where an engine ignores it; list it in requires: [%q], so that such an engine refuses the model", key.Name, key.Name)
}

func (r *payloadReader) reportMisplacedOrUnknownKey(value *jsonNode, name string) {
	if carriers := carriersOfKey(name, r.newest); len(carriers) > 0 && !slices.Contains(carriers, string(r.carrier)) {
		// A storage layout outside of `time` has a separate warning.
		if r.carrier == CarrierField && name == "format" {
			return
		}
		r.key = name
		r.addError(CodeInvalidPayload, value, fmt.Sprintf("it belongs on a %s", strings.Join(carriers, " or a ")), "the key %q does not belong on a %s", name, r.carrier)
		r.key = ""
		return
	}
	r.dropOrReportUnknownMember(value, name, keyNamesOfCarrier(r.carrier))
}

// dropOrReportUnknownMember deals with a key outside the format: dropped from a payload that is
// newer than we are, an error in one that we know.
func (r *payloadReader) dropOrReportUnknownMember(value *jsonNode, name string, known []string) {
	if r.lenient {
		r.dropped = append(r.dropped, strings.TrimPrefix(value.pathInPayload(), "."))
		return
	}
	hint := "the keys are " + strings.Join(known, ", ")
	if near, ok := suggest.ClosestIfNear(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	if key, ok := findKeyDefinition(r.carrier, pathForMessage(value)); ok && mustParseVersion(key.Since).isNewerThan(r.newest) {
		hint = fmt.Sprintf("write vendor_name %s: the key came with version %s, and payloads of %s have the keys up to %s",
			extensionVendorName(), key.Since, r.entry.VendorName, r.newest)
	}
	r.addError(CodeInvalidPayload, value, hint, "unknown key %q", name)
}

// diagnosticsWithVersionWarning reports what can only be known at the end.
func (r *payloadReader) diagnosticsWithVersionWarning() Diagnostics {
	if r.lenient {
		dropped := "nothing had to be dropped"
		if len(r.dropped) > 0 {
			dropped = "dropped: " + strings.Join(r.dropped, ", ")
		}
		r.addWarning(CodeVersionAhead, nil, "the payload declares version %s, newer than %s; %s", r.declared, r.newest, dropped)
	}
	return r.Diagnostics
}
