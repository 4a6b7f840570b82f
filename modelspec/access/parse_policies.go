package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// rankingComparisons bounds the search for the keys and names that were meant.
const rankingComparisons = 1 << 22

// Parse reads a policies file, YAML or JSON. It returns either the file or what is wrong with it, in the order of the text. The name
// is kept in the file.
func Parse(name string, data []byte) (*File, []modelspec.Issue) {
	start := &document.Node{Line: 1, Column: 1}
	r := &fileReader{names: suggest.NewRankingBudget(rankingComparisons)}
	if len(data) > MaxFileBytes {
		r.addInvalid(start, "", "the file has %d bytes, more than the limit of %d", len(data), MaxFileBytes)
		return nil, r.findings
	}
	root, err := modelspec.ReadTree(data)
	if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
		at := &document.Node{Line: int32(max(1, load.Position.Line)), Column: int32(max(1, load.Position.Column))}
		r.addFinding(at, CodeInvalidPolicy, "", load.Hint, "%s", load.Message)
		return nil, r.findings
	}
	sum := sha256.Sum256(data)
	f := &File{Name: name, Hash: hex.EncodeToString(sum[:])[:12]}
	r.readFile(root, f)
	if len(r.findings) > 0 {
		slices.SortStableFunc(r.findings, func(a, b modelspec.Issue) int {
			if a.Position.Line != b.Position.Line {
				return a.Position.Line - b.Position.Line
			}
			return a.Position.Column - b.Position.Column
		})
		return nil, r.findings
	}
	return f, nil
}

func (r *fileReader) readFile(root *document.Node, f *File) {
	o, ok := r.openMapping(root, "", "the file", "version", "attributes", "issuers", "resource", "roles", "required", "models")
	if !ok {
		return
	}
	r.readVersion(o)
	f.Attributes = r.readAttributes(o)
	models := o.find("models")
	r.readPolicies(o, &f.Policies, models == nil, f)
	if models != nil {
		r.readModels(o, models, f)
	}
	f.Issuers = r.readIssuers(o, f)
	f.Resource = r.readResource(o, f)
}

func (r *fileReader) readVersion(o mappingReader) {
	n := o.findRequired("version", "1")
	if n != nil && (n.Kind != document.ScalarNode || n.Tag != "!!int" || n.Value != "1") {
		r.addInvalid(n, "version", "version must be the number 1, is %s", describeScalarOrNode(n))
	}
}

func describeScalarOrNode(n *document.Node) string {
	if n.Kind == document.ScalarNode {
		return describeScalar(n)
	}
	return n.Describe()
}

// readModels reads the policies of several models.
func (r *fileReader) readModels(o mappingReader, n *document.Node, f *File) {
	f.Models = []ModelPolicies{}
	if f.Policies.HasRoles {
		r.addFinding(o.find("roles"), CodeInvalidPolicy, "roles", "move them to models.NAME.roles",
			"roles and models are both given; with models, the roles of each model are below its name")
	}
	models, ok := r.openMapping(n, "models", "models")
	if !ok {
		return
	}
	models.visitMembers(func(name Text, value *document.Node, location string) {
		m := ModelPolicies{Model: name}
		if entry, ok := r.openMapping(value, location, "a model", "roles", "required"); ok {
			r.readPolicies(entry, &m.Policies, true, nil)
		}
		f.Models = append(f.Models, m)
	})
}

// readPolicies reads the keys roles and required of the file, or of one model of several: then limits are at the top alone, and f
// is nil.
func (r *fileReader) readPolicies(o mappingReader, p *Policies, takesDatasets bool, f *File) {
	if n := o.find("roles"); n != nil {
		p.HasRoles = true
		location := o.MemberLocation("roles")
		if roles, ok := r.openMapping(n, location, "roles"); ok {
			roles.visitMembers(func(name Text, value *document.Node, location string) {
				p.Roles = append(p.Roles, r.readRole(name, value, location))
			})
		}
	}
	n := o.find("required")
	if n == nil {
		return
	}
	location := o.MemberLocation("required")
	required, ok := r.openMapping(n, location, "required", "datasets", "limits")
	if !ok {
		return
	}
	if limits := required.find("limits"); limits != nil {
		if f == nil {
			r.addInvalid(limits, location+".limits", "the limits of required are at the top of the file, not below a model")
		} else {
			f.RequiredLimits = r.readLimits(limits, location+".limits")
		}
	}
	datasets := required.find("datasets")
	switch {
	case datasets == nil:
		return
	case !takesDatasets:
		r.addFinding(datasets, CodeInvalidPolicy, location+".datasets", "move them to models.NAME.required.datasets",
			"required.datasets and models are both given; with models, the required datasets of each model are below its name")
	case !p.HasRoles:
		r.addInvalid(datasets, location+".datasets", "required.datasets needs roles: without roles nothing is filtered")
	}
	p.Required = &Required{}
	if o, ok := r.openMapping(datasets, location+".datasets", "datasets"); ok {
		o.visitMembers(func(name Text, value *document.Node, location string) {
			p.Required.Datasets = append(p.Required.Datasets, r.readRequiredGrant(name, value, location))
		})
	}
}
