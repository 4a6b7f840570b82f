// Package compatible finds the metrics and dimensions that a query accepts as one more item.
//
//	query ──► subjects (the query, or the query with each metric) ──► datasets within reach ──► classes of fields ──► one plan for each class
//
// The lists must agree with the planner, and planning each field of a large model is too slow. So the join graph
// decides first which datasets a query reaches. The rest is decided by planning, once for each class: the
// planner treats two fields alike if they have the same type, the same stored grain and the same role on the
// time axes, and if the way to their datasets has the same properties. A field that is not like others is a
// separate class: a level-of-detail field, a field that reads other datasets, one whose name the query uses,
// and each field of a dataset that several paths lead to.
package compatible
