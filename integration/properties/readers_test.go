package properties_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner"
)

// readerPolicy is a random policy with one reader, with its file and its effect on the tables of a copy.
type readerPolicy struct {
	roles      []map[string]any // by number
	attributes map[string]any
	// admits are the rules of the roles, by dataset: a row is admitted where one of them is true of it.
	admits map[string][]func(reference.Row) bool
	// always are the datasets of which some role admits all rows.
	always map[string]bool
	// hidden are the datasets that no role grants, and hides the fields of others that no role shows.
	hidden map[string]bool
	hides  map[string][]string
	// masks are the expressions of fields, by dataset and field.
	masks map[string]map[string]string
	// revealed is a field that no name finds and that all metrics read plainly; "" for none.
	revealed string
}

// policy makes a policy of one or two roles for one reader.
func (r *maker) policy() *readerPolicy {
	p := &readerPolicy{
		hidden: map[string]bool{}, hides: map[string][]string{}, attributes: map[string]any{}, admits: map[string][]func(reference.Row) bool{}, always: map[string]bool{}, masks: map[string]map[string]string{},
	}
	for range 1 + r.IntN(2) {
		datasets := map[string]any{"*": map[string]any{"rows": "all", "fields": "all"}}
		for _, d := range r.m.datasets {
			if !r.chance(60) && !(r.hostile && r.chance(70)) {
				p.always[d.name] = true
				continue
			}
			rule, admits := r.rowRule(d, p)
			datasets[d.name] = map[string]any{"rows": rule, "fields": "all"}
			p.admits[d.name] = append(p.admits[d.name], admits)
		}
		p.roles = append(p.roles, map[string]any{"datasets": datasets, "metrics": "all", "sql": true})
	}
	if d := pick(r, r.m.datasets); len(p.roles) == 1 && r.chance(40) {
		f := d.field(d.name + "_kind")
		if f.typed && !r.isRead(f) {
			mask := pick(r, []string{"'***'", "NULL", "UPPER(" + f.name + ")"})
			grants := p.roles[0]["datasets"].(map[string]any)
			grant, ok := grants[d.name].(map[string]any)
			if !ok {
				grant = map[string]any{"rows": "all", "fields": "all"}
				grants[d.name] = grant
			}
			grant["mask"] = map[string]any{f.name: mask}
			p.masks[d.name] = map[string]string{f.name: mask}
		}
	}
	if len(p.roles) == 1 && len(p.masks) == 0 && r.chance(40) {
		r.reveal(p)
	}
	return p
}

// reveal hides or masks a field that metrics aggregate, and reveals all metrics.
func (r *maker) reveal(p *readerPolicy) {
	d := pick(r, r.m.datasets)
	all := r.m.yaml()
	var read []*field
	for _, f := range d.fields {
		inMetrics := 0
		for _, m := range r.m.metrics {
			inMetrics += strings.Count(m.expr, f.name)
		}
		isNumber := f.kind == whole || f.kind == quarters
		if isNumber && f.payload == "" && inMetrics > 0 && strings.Count(all, f.name) == 1+strings.Count(f.expr, f.name)+inMetrics {
			read = append(read, f)
		}
	}
	if len(read) == 0 {
		return
	}
	f := pick(r, read)
	grants := p.roles[0]["datasets"].(map[string]any)
	grant, ok := grants[d.name].(map[string]any)
	if !ok {
		grant = map[string]any{"rows": "all", "fields": "all"}
		grants[d.name] = grant
	}
	if r.chance(50) || !f.typed {
		grant["hide"] = []string{f.name}
	} else {
		grant["mask"] = map[string]any{f.name: "NULL"}
	}
	var metrics []string
	for _, m := range r.m.metrics {
		metrics = append(metrics, m.name)
	}
	p.roles[0]["reveal"], p.revealed = metrics, f.name
}

// isRead reports whether an expression of the model or a key names a field, so that a mask of it would change more than the field.
func (r *maker) isRead(f *field) bool {
	text := r.m.yaml()
	return strings.Count(text, f.name) > 2 // its name and its expression
}

// rowRule makes a rule of a dataset, as text and as a function that computes it by itself.
func (r *maker) rowRule(d *dataset, p *readerPolicy) (string, func(reference.Row) bool) {
	own := func(d *dataset, prefix string) (string, func(reference.Row) bool) {
		level, kind := d.name+"_level", d.name+"_kind"
		if r.hostile && r.chance(70) { // which keeps many rows from the reader
			id, left := d.name+"_id", float64(r.IntN(3))
			return fmt.Sprintf("%s%s %% 3 = %v", prefix, id, left), func(row reference.Row) bool {
				v, ok := row[id].(float64)
				return ok && math.Mod(v, 3) == left
			}
		}
		switch r.IntN(5) {
		case 0:
			least := float64(r.IntN(4))
			return fmt.Sprintf("%s%s > %v", prefix, level, least), func(row reference.Row) bool {
				v, ok := row[level].(float64)
				return ok && v > least
			}
		case 1:
			values := []any{}
			for _, row := range d.rows {
				if v, ok := row[kind].(string); ok && r.chance(40) {
					values = append(values, v)
				}
			}
			name := "a" + strconv.Itoa(len(p.attributes))
			p.attributes[name] = values
			return fmt.Sprintf("%s%s IN (:user.%s)", prefix, kind, name), func(row reference.Row) bool {
				v, ok := row[kind].(string)
				return ok && slices.Contains(values, any(v))
			}
		case 2:
			return fmt.Sprintf("%s%s IS NULL OR NOT (%s%s <= 2)", prefix, kind, prefix, level), func(row reference.Row) bool {
				v, ok := row[level].(float64)
				return row[kind] == nil || ok && v > 2
			}
		case 3:
			return "1 = 1", func(reference.Row) bool { return true }
		}
		return fmt.Sprintf("%s%s_size BETWEEN -3 AND 20", prefix, d.name), func(row reference.Row) bool {
			v, ok := row[d.name+"_size"].(float64)
			return ok && v >= -3 && v <= 20
		}
	}
	var edges []*relation
	for _, rel := range r.m.relations {
		if rel.from == d && rel.to != d && rel.proves == "many_to_one" && rel.valid == nil {
			edges = append(edges, rel)
		}
	}
	if len(edges) == 0 || r.chance(50) {
		return own(d, "")
	}
	rel := pick(r, edges)
	text, admits := own(rel.to, rel.name+".")
	return text, func(row reference.Row) bool {
		for _, target := range rel.to.rows { // all of them: a rule reads the whole database
			matches := true
			for k, f := range rel.fromF {
				matches = matches && row[f] != nil && row[f] == target[rel.toF[k]]
			}
			if matches {
				return admits(target)
			}
		}
		return admits(reference.Row{})
	}
}

// applyTo leaves the admitted rows and the masks in a copy of the model.
func (p *readerPolicy) applyTo(m *model) {
	kept := map[*dataset][]reference.Row{}
	for _, d := range m.datasets {
		for _, row := range d.rows {
			if p.admitsRow(d, row) {
				kept[d] = append(kept[d], row)
			}
		}
		for field, mask := range p.masks[d.name] {
			f := d.field(field)
			f.expr = "CAST(" + strings.ReplaceAll(mask, f.name, f.expr) + " AS VARCHAR)"
		}
	}
	for d, rows := range kept {
		d.rows = rows
	}
	for _, d := range m.datasets {
		if _, ok := kept[d]; !ok {
			d.rows = nil
		}
	}
}

// admitsRow reports whether some role admits a row.
func (p *readerPolicy) admitsRow(d *dataset, row reference.Row) bool {
	return p.always[d.name] || slices.ContainsFunc(p.admits[d.name], func(rule func(reference.Row) bool) bool { return rule(row) })
}

// file returns the policies file and the identity of the reader.
func (p *readerPolicy) file() (policies []byte, identity access.Claims) {
	declared, roles := map[string]any{}, map[string]any{}
	for name := range p.attributes {
		declared[name] = map[string]any{"type": "string", "list": true}
	}
	for i, role := range p.roles {
		name := "role" + strconv.Itoa(i)
		roles[name] = role
		identity.Roles = append(identity.Roles, name)
	}
	identity.Attributes = p.attributes
	text, err := json.Marshal(map[string]any{"version": 1, "attributes": declared, "roles": roles})
	if err != nil {
		panic(err)
	}
	return text, identity
}

// openReader makes a subject whose engine answers a reader over all data, and whose reference has only what the reader may see.
func openReader(ctx context.Context, seed uint64, on ...*servers.Server) (*subject, *maker, *readerPolicy, error) {
	r, copied := newMaker(seed), newMaker(seed)
	m, seen := r.model(), copied.model()
	p := r.policy()
	policies, identity := p.file()
	e, err := engine.Open(ctx, engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelText: []byte(m.yaml()), Setup: []string{m.sql("duckdb")}, MaxExecutions: 4, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		PoliciesPath: "policies.json", PoliciesText: policies, As: &identity,
	})
	if err != nil {
		return nil, r, p, fmt.Errorf("%w\n%s", err, policies)
	}
	p.applyTo(seen)
	known, err := reference.CompileModel(ctx, []byte(seen.yaml()))
	if err != nil {
		return nil, r, p, err
	}
	s := &subject{engine: e, planner: planner.New(known.Catalog), model: known, data: seen.data()}
	for _, server := range on {
		if err := s.replicate(ctx, m, server); err != nil {
			s.close()
			return nil, r, p, err
		}
	}
	return s, r, p, nil
}

// A reader gets what the reference computes from the rows that the reader may see, with masked values.
func TestReaders_SeeAFilteredCopy(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	others := availableServers(t)
	failures, judged, counts := 0, 0, map[string]int{}
	for ; judged < queries; seed++ {
		var on []*servers.Server
		if queries > defaultQueries || seed%modelsPerReplica == 0 {
			on = others
		}
		s, r, p, err := openReader(t.Context(), seed, on...)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
		}
		for range queriesPerModel {
			q := r.asked()
			if p.revealed != "" && strings.Contains(q.json(), p.revealed) {
				continue // no name finds it
			}
			if p.revealed != "" {
				counts["with revealed metrics"]++
			}
			v := s.compareWithReference(t.Context(), q)
			counts[v.outcome]++
			judged += asInt(v.outcome == "answered" || v.outcome == "refused")
			if v.problem != "" {
				failures++
				policies, identity := p.file()
				t.Errorf("SEMLAYER_PROPERTY_SEED=%d %s\n%s\n%s %v\n%s", seed, q.json(), v.problem, policies, identity.Attributes, v.sql)
				break
			}
		}
		s.close()
		if failures >= reportedFailures {
			t.Fatal("there may be more")
		}
	}
	t.Logf("%s", summary(counts))
	t.Attr("questions", strconv.Itoa(judged))
	t.Attr("mismatches", strconv.Itoa(failures))
	t.Attr("engines", engineNames(others))
	if counts["answered"] < judged*2/5 {
		t.Errorf("of %d questions %d were answered", judged, counts["answered"])
	}
}
