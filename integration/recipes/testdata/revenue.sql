SELECT a.month, SUM(a.mrr) AS mrr, SUM(b.mrr) AS kept_mrr, 1.0 * SUM(b.mrr) / SUM(a.mrr) AS net_revenue_retention
FROM months a LEFT JOIN months b ON b.customer = a.customer AND b.month = a.month + INTERVAL '1 month'
WHERE a.month < DATE '2024-03-01'
GROUP BY a.month ORDER BY 1;
