package properties_test

import "slices"

// viewText is a random view as a model declares it.
type viewText struct {
	Name      string            `json:"name"`
	Metrics   []string          `json:"metrics,omitempty"`
	Fields    []string          `json:"fields,omitempty"`
	Except    []string          `json:"except,omitempty"`
	Joins     []string          `json:"joins,omitzero"`
	Where     string            `json:"where,omitempty"`
	Filters   []string          `json:"filters,omitempty"`
	TimeRange map[string]string `json:"time_range,omitempty"`
}

// view makes a random view, which mostly has most of the model. No model accepts some of them.
func (r *maker) view(name string) viewText {
	out := viewText{Name: name}
	if r.chance(30) {
		for _, x := range r.m.metrics {
			if r.chance(85) {
				out.Metrics = append(out.Metrics, x.name)
			}
		}
	}
	if r.chance(60) {
		for _, d := range r.m.datasets {
			if r.chance(70) {
				out.Fields = append(out.Fields, d.name+".*")
				continue
			}
			for _, f := range d.fields {
				if r.chance(85) {
					out.Fields = append(out.Fields, d.name+"."+f.name)
				}
			}
		}
		for _, rel := range r.m.relations {
			if r.chance(30) {
				out.Fields = append(out.Fields, rel.name+".*")
			}
		}
	}
	if r.chance(50) {
		out.Joins = []string{}
		for _, rel := range r.m.relations {
			if r.chance(75) {
				out.Joins = append(out.Joins, rel.name)
			}
		}
	}
	if d := pick(r, r.m.datasets); r.chance(20) && len(d.fields) > 0 {
		out.Except = append(out.Except, d.name+"."+pick(r, d.fields).name)
	}
	if r.chance(50) {
		out.Where = r.viewCondition()
	}
	for range pick(r, []int{0, 0, 1, 1, 2}) {
		if text := r.viewCondition(); text != "" {
			out.Filters = append(out.Filters, text)
		}
	}
	if start, end := pick(r, bounds), pick(r, bounds); r.chance(40) && start < end {
		out.TimeRange = map[string]string{"start": start, "end": end}
		if p, ok := r.place(r.viewPlaces()); ok && p.field.isTime() {
			out.TimeRange["dimension"] = p.ref
		}
	}
	return out
}

// viewPlaces lists what a condition of a view may name: what the rows of some dataset lead to.
func (r *maker) viewPlaces() []place {
	places := r.places([]*dataset{pick(r, r.m.datasets)})
	return slices.DeleteFunc(places, func(p place) bool { return !p.safe })
}

func (r *maker) viewCondition() string {
	places := r.viewPlaces()
	if len(places) == 0 {
		return ""
	}
	return r.inputCondition(places[:1+r.IntN(len(places))])
}
