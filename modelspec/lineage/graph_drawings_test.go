package lineage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

// awkward has names and relations that a drawing must write with care.
var awkward = &lineage.Graph{
	Nodes: []lineage.Node{
		{ID: `table:"my;db".t`, Kind: lineage.KindTable, Name: `"my;db".t`},
		{ID: "query:q", Kind: lineage.KindTable, Name: "q", Query: "SELECT 1"},
		{ID: "dataset:end", Kind: lineage.KindDataset, Name: "end"},
		{ID: "field:end.a b", Kind: lineage.KindField, Name: "end.a b"},
		{ID: `field:end.back\slash`, Kind: lineage.KindField, Name: `end.back\slash`, Error: "unparseable_expression"},
		{ID: "measure:m", Kind: lineage.KindMeasure, Name: "m", Aggregate: "sum"},
		{ID: "metric:größe", Kind: lineage.KindMetric, Name: "größe"},
	},
	Edges: []lineage.Edge{
		{From: `table:"my;db".t`, To: "dataset:end", Relation: lineage.RelationSource},
		{From: "dataset:end", To: "field:end.a b", Relation: lineage.RelationContains},
		{From: "field:end.a b", To: "metric:größe", Relation: lineage.RelationTimeAxis},
		{From: "dataset:end", To: "dataset:end", Relation: lineage.RelationJoins, Relationship: `to "itself" | again`},
	},
}

func TestLineageText_MermaidEscapesNames(t *testing.T) {
	want := `flowchart LR
  table__my_db___t_1e9efef0125fc3cc[("#34;my#59;db#34;.t")]
  query_q[("query of q")]
  dataset_end["end"]
  field_end__a_b_98039a5262bbc55f("end.a b")
  field_end__back_slash_37b65ac333fe5494("end.back#92;slash #40;unparseable_expression#41;"):::broken
  measure_m{{"m"}}
  metric_gr__e_4463cd89fc88314e(["größe"])
  table__my_db___t_1e9efef0125fc3cc --> dataset_end
  dataset_end --> field_end__a_b_98039a5262bbc55f
  field_end__a_b_98039a5262bbc55f --> |"time axis"| metric_gr__e_4463cd89fc88314e
  dataset_end -.-> |"to #34;itself#34; #124; again"| dataset_end
  classDef broken stroke:#c00,stroke-dasharray:4
`
	if d := cmp.Diff(want, awkward.Mermaid()); d != "" {
		t.Error(d)
	}
}

func TestLineageText_DOTQuotesNames(t *testing.T) {
	want := `digraph lineage {
  rankdir=LR;
  node [fontname="sans-serif"];
  "table:\"my;db\".t" [label="\"my;db\".t", shape=cylinder];
  "query:q" [label="query of q", shape=cylinder];
  "dataset:end" [label="end", shape=box];
  "field:end.a b" [label="end.a b", shape=ellipse];
  "field:end.back\\slash" [label="end.back\\slash (unparseable_expression)", shape=ellipse, color=red, style=dashed];
  "measure:m" [label="m", shape=hexagon];
  "metric:größe" [label="größe", shape=doubleoctagon];
  "table:\"my;db\".t" -> "dataset:end";
  "dataset:end" -> "field:end.a b";
  "field:end.a b" -> "metric:größe" [label="time axis"];
  "dataset:end" -> "dataset:end" [label="to \"itself\" | again", style=dotted, constraint=false];
}
`
	if d := cmp.Diff(want, awkward.DOT()); d != "" {
		t.Error(d)
	}
}

func TestLineageText_DrawsAllNodesAndEdges(t *testing.T) {
	l := part(t, compiled(t, shop), "revenue")
	want := `flowchart LR
  table_sales__orders[("sales.orders")]
  dataset_orders["orders"]
  field_orders__amount("orders.amount")
  measure_orders_amount_sum{{"orders_amount_sum"}}
  metric_revenue(["revenue"])
  table_sales__orders --> dataset_orders
  dataset_orders --> field_orders__amount
  field_orders__amount --> measure_orders_amount_sum
  measure_orders_amount_sum --> metric_revenue
  classDef broken stroke:#c00,stroke-dasharray:4
`
	if d := cmp.Diff(want, l.Mermaid()); d != "" {
		t.Error(d)
	}
}
