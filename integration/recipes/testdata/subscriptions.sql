SELECT m.month AS metric_time__month,
  (SELECT COUNT(*) FROM subscriptions s WHERE s.started >= m.month AND s.started < m.ends) AS started_count,
  (SELECT COUNT(*) FROM subscriptions s WHERE s.ended >= m.month AND s.ended < m.ends) AS churned_count,
  (SELECT COUNT(*) FROM subscriptions s WHERE s.started < m.ends AND (s.ended IS NULL OR s.ended >= m.ends)) AS active_count,
  (SELECT SUM(monthly) FROM subscriptions s WHERE s.started < m.ends AND (s.ended IS NULL OR s.ended >= m.ends)) AS mrr,
  (SELECT AVG(monthly) FROM subscriptions s WHERE s.started < m.ends AND (s.ended IS NULL OR s.ended >= m.ends)) AS arpa,
  1.0 * (SELECT COUNT(*) FROM subscriptions s WHERE s.ended >= m.month AND s.ended < m.ends)
    / NULLIF((SELECT COUNT(*) FROM subscriptions s WHERE s.started < m.month AND (s.ended IS NULL OR s.ended >= m.month)), 0) AS churn_rate
FROM (VALUES (DATE '2024-01-01', DATE '2024-02-01'), (DATE '2024-02-01', DATE '2024-03-01'), (DATE '2024-03-01', DATE '2024-04-01'),
  (DATE '2024-04-01', DATE '2024-05-01')) AS m(month, ends)
ORDER BY 1;
