// Package detail plans queries of the detail plane: one row for each row of a root
// dataset.
//
//	query ──findRoot──► source ──resolveFields──► []field ──┐
//	                      ├──────resolveWhere───► whereClause ┼──► Query
//	                      └──────resolveRange───► Range ┘      │
//	                 plan.PlannedQuery ◄──assemble── []Route ◄─findRoutes┘
//
// Other datasets are joined along edges that never multiply rows. Parameters,
// level-of-detail tables and what a range may be over are those of package metric.
package detail
