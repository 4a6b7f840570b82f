package extension

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
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

	tree   document.TreeBuilder
	root   *document.Node // of the payload
	flawed map[*document.Node]bool
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

func (r *payloadReader) placeOfNode(n *document.Node) modelspec.Place {
	if n == nil {
		return r.entry.Place
	}
	return modelspec.Place{Location: locationOfPayloadMember(r.entry, r.root.PathTo(n)), Position: r.entry.Data.PositionAt(int(n.Line), int(n.Column))}
}

func (r *payloadReader) addError(code string, n *document.Node, hint, format string, args ...any) {
	at := r.placeOfNode(n)
	see := "see " + DocumentationAnchor(r.key)
	if hint != "" {
		see = hint + "; " + see
	}
	r.Errors = append(r.Errors, &modelspec.CompileError{
		Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...), Hint: see,
	})
}

func (r *payloadReader) addInvalidError(n *document.Node, format string, args ...any) {
	r.addError(CodeInvalidPayload, n, "", format, args...)
}

func (r *payloadReader) addWarning(code string, n *document.Node, format string, args ...any) {
	at := r.placeOfNode(n)
	r.Warnings = append(r.Warnings, &modelspec.CompileWarning{Code: code, Location: at.Location, Position: at.Position, Message: fmt.Sprintf(format, args...)})
}

// findPayloadAndReadEnvelope finds the payload of an object and reads its envelope. It returns nil
// for the object when there is none to read.
func findPayloadAndReadEnvelope(carrier Carrier, owner modelspec.Place, entries []*modelspec.CustomExtension) (*payloadReader, *document.Node) {
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
func (r *payloadReader) rootReader(root *document.Node) payloadObjectReader {
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

func (r *payloadReader) parsePayload() *document.Node {
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
	root, err := r.tree.ReadJSON([]byte(r.entry.Data.Value), document.TreeLimits{Nodes: math.MaxInt, Depth: math.MaxInt})
	r.root = root
	if root != nil && !r.checkTree(root, 0) {
		return nil
	}
	if mistake := (*document.Error)(nil); errors.As(err, &mistake) {
		r.addSyntaxError(&document.Node{Line: int32(mistake.Line), Column: int32(mistake.Column)}, mistake.Message)
		return nil
	}
	if root.Kind != document.MappingNode {
		r.addInvalidError(root, "data must hold a JSON object, holds %s", describeValue(root))
		return nil
	}
	return root
}

const maxPayloadDepth = limits.PayloadDepth

// checkTree holds a value against the limit of levels, and refuses keys that are given twice, in the order of the text.
func (r *payloadReader) checkTree(n *document.Node, depth int) bool {
	if depth > maxPayloadDepth {
		r.addSyntaxError(n, fmt.Sprintf("the payload is nested deeper than %d levels", maxPayloadDepth))
		return false
	}
	if n.Kind != document.MappingNode {
		return !slices.ContainsFunc(n.Content, func(item *document.Node) bool { return !r.checkTree(item, depth+1) })
	}
	twice, _ := n.FirstBadKey()
	for i, child := range n.Content {
		if child == twice {
			r.addSyntaxError(twice, fmt.Sprintf("the key %q is given twice", twice.Value))
			return false
		}
		if i%2 == 1 && !r.checkTree(child, depth+1) {
			return false
		}
	}
	return true
}

// addSyntaxError adds an error of the text at the place of a value.
func (r *payloadReader) addSyntaxError(at *document.Node, message string) {
	if strings.HasSuffix(message, "after top-level value") {
		message = "there is text after the end of the JSON value"
	}
	r.addInvalidError(nil, "data is not JSON: %s", message)
	e := r.Errors[len(r.Errors)-1]
	e.Location, e.Position = r.entry.MemberLocation("data"), r.entry.Data.PositionAt(int(at.Line), int(at.Column))
}

// checkPayloadVersion applies the version rules; ok is false when the payload must not be
// read at all.
func (r *payloadReader) checkPayloadVersion(root *document.Node) (ok bool) {
	r.declared = oldestSupportedVersion
	if v := root.Member("v"); v != nil && !v.IsNull() {
		parsed, ok := parseVersion(v.Value)
		if !v.IsText() || !ok {
			r.addInvalidError(v, `v must be a string "major.minor", is %s`, describeValue(v))
			return false
		}
		r.declared = parsed
	}
	switch {
	case r.declared.major != implementedVersion.major:
		r.addError(CodeUnsupportedVersion, root.Member("v"), fmt.Sprintf("the supported major version is %d", implementedVersion.major),
			"the payload declares version %s; versions %s to %s are supported", r.declared, MinimumVersion, r.newest)
		return false
	case r.declared.isNewerThan(r.newest):
		r.lenient = true
	}
	return true
}

func (r *payloadReader) checkRequiresList(root *document.Node) {
	list := root.Member("requires")
	if list == nil || list.IsNull() {
		return
	}
	if list.Kind != document.SequenceNode {
		r.addInvalidError(list, "requires must be a list of keys, is %s", describeValue(list))
		return
	}
	for _, item := range list.Content {
		switch {
		case !item.IsText():
			r.addInvalidError(item, "requires must hold names of keys, holds %s", describeValue(item))
		case len(carriersOfKey(item.Value, r.newest)) == 0:
			r.addError(CodeRequiredKeyUnknown, item, fmt.Sprintf("this engine implements version %s of the extension", r.newest),
				"the payload requires the key %q, which this engine does not implement", item.Value)
		}
	}
}

// checkTopLevelKeys holds every top-level key against the registry.
func (r *payloadReader) checkTopLevelKeys(root *document.Node) {
	for i := 0; i < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, root.Content[i+1]
		if slices.Contains(keysOfEveryPayload, name) {
			continue
		}
		key, ok := r.findKeyDefinitionForCarrier(name)
		if !ok || key.isMemberOfParentKey() {
			r.reportMisplacedOrUnknownKey(value, name)
			continue
		}
		if value.IsNull() {
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
func (r *payloadReader) warnIfKeyNewerThanDeclaredVersion(n *document.Node, name, introduced string) {
	if mustParseVersion(introduced).isNewerThan(r.declared) {
		r.addWarning(CodeKeyNewerThanVersion, n, "the key %q was introduced in version %s, and the payload declares %s; it is applied", name, introduced, r.declared)
	}
}

// warnIfSilentKeyNotRequired warns when a key that changes results silently is missing in requires.
func (r *payloadReader) warnIfSilentKeyNotRequired(n *document.Node, key KeyDefinition) {
	list := r.root.Member("requires")
	if key.Impact != ImpactSilent || list != nil && slices.ContainsFunc(list.Content, func(n *document.Node) bool { return n.Value == key.Name }) {
		return
	}
	r.addWarning(CodeKeyNotInRequires, n,
		"the key %q changes results where an engine ignores it; list it in requires: [%q], so that such an engine refuses the model", key.Name, key.Name)
}

func (r *payloadReader) reportMisplacedOrUnknownKey(value *document.Node, name string) {
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
func (r *payloadReader) dropOrReportUnknownMember(value *document.Node, name string, known []string) {
	if r.lenient {
		r.dropped = append(r.dropped, r.pathForMessage(value))
		return
	}
	hint := "the keys are " + strings.Join(known, ", ")
	if near, ok := suggest.ClosestIfNear(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	if key, ok := findKeyDefinition(r.carrier, r.pathForMessage(value)); ok && mustParseVersion(key.Since).isNewerThan(r.newest) {
		hint = fmt.Sprintf("write vendor_name %s: the key came with version %s, and payloads of %s have the keys up to %s",
			extensionVendorName(), key.Since, r.entry.VendorName, r.newest)
	}
	r.addError(CodeInvalidPayload, value, hint, "unknown key %q", name)
}

// diagnosticsWithVersionWarning reports what can only be known at the end, and gives up the tree.
func (r *payloadReader) diagnosticsWithVersionWarning() Diagnostics {
	if r.lenient {
		dropped := "nothing had to be dropped"
		if len(r.dropped) > 0 {
			dropped = "dropped: " + strings.Join(r.dropped, ", ")
		}
		r.addWarning(CodeVersionAhead, nil, "the payload declares version %s, newer than %s; %s", r.declared, r.newest, dropped)
	}
	if r.root != nil {
		r.tree.Release()
	}
	return r.Diagnostics
}
