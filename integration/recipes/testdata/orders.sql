SELECT CAST(DATE_TRUNC('month', signed_up) AS DATE) AS metric_time__month, COUNT(*) AS signups,
  SUM(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.day <= c.signed_up + 7) THEN 1 ELSE 0 END) AS converted,
  1.0 * SUM(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.day <= c.signed_up + 7) THEN 1 ELSE 0 END) / COUNT(*) AS conversion_rate
FROM customers c GROUP BY 1 ORDER BY 1;
SELECT (SELECT COUNT(*) FROM customers) AS signups, COUNT(*) AS ordered, COUNT(second) AS ordered_again,
  1.0 * SUM(CASE WHEN second <= first + 30 THEN 1 ELSE 0 END) / COUNT(*) AS repeat_rate
FROM (SELECT f.customer, f.first, (SELECT MIN(o.day) FROM orders o WHERE o.customer = f.customer AND o.day > f.first) AS second
  FROM (SELECT customer, MIN(day) AS first FROM orders GROUP BY customer) f) x;
SELECT CAST(DATE_TRUNC('month', signed_up) AS DATE) AS metric_time__month, COUNT(*) AS starts, COUNT(bought) AS bought, COUNT(again) AS again, 1.0 * COUNT(bought) / COUNT(*) AS rate
FROM (SELECT b.signed_up, b.bought, (SELECT MIN(o.day) FROM orders o WHERE o.customer = b.id AND o.day > b.bought AND o.day < b.signed_up + 30) AS again
  FROM (SELECT c.id, c.signed_up, (SELECT MIN(o.day) FROM orders o WHERE o.customer = c.id AND o.day >= c.signed_up AND o.day < c.signed_up + 30) AS bought
    FROM customers c) b) x
GROUP BY 1 ORDER BY 1;
SELECT cohort, months_since_first, COUNT(DISTINCT customer) AS buyers, 1.0 * COUNT(DISTINCT customer) / MIN(size) AS retention
FROM (SELECT o.customer, CAST(DATE_TRUNC('month', f.first) AS DATE) AS cohort,
    (EXTRACT(YEAR FROM o.day) - EXTRACT(YEAR FROM f.first)) * 12 + EXTRACT(MONTH FROM o.day) - EXTRACT(MONTH FROM f.first) AS months_since_first,
    (SELECT COUNT(*) FROM (SELECT customer, MIN(day) AS first FROM orders GROUP BY customer) g
      WHERE DATE_TRUNC('month', g.first) = DATE_TRUNC('month', f.first)) AS size
  FROM orders o JOIN (SELECT customer, MIN(day) AS first FROM orders GROUP BY customer) f ON f.customer = o.customer) x
GROUP BY cohort, months_since_first ORDER BY 1, 2;
SELECT CAST(DATE_TRUNC('month', f.first) AS DATE) AS first_at__month, p.period, COUNT(*) AS customers, COUNT(b.customer) AS came_back, 1.0 * COUNT(b.customer) / COUNT(*) AS rate
FROM (SELECT customer, MIN(day) AS first FROM orders GROUP BY customer) f
CROSS JOIN (SELECT 0 AS period UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) p
LEFT JOIN (SELECT DISTINCT o.customer, DATE_TRUNC('month', o.day) AS month FROM orders o
    WHERE o.day > (SELECT MIN(e.day) FROM orders e WHERE e.customer = o.customer)) b
  ON b.customer = f.customer AND b.month = DATE_TRUNC('month', f.first) + p.period * INTERVAL '1 month'
WHERE DATE_TRUNC('month', f.first) + (p.period + 1) * INTERVAL '1 month' <= (SELECT MAX(day) + 1 FROM orders)
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT d.day AS metric_time__day, COUNT(DISTINCT CASE WHEN o.day = d.day THEN o.customer END) AS buyers,
  COUNT(DISTINCT CASE WHEN o.day > d.day - 7 THEN o.customer END) AS buyers_of_week,
  COUNT(DISTINCT o.customer) AS buyers_of_28_days,
  1.0 * COUNT(DISTINCT CASE WHEN o.day = d.day THEN o.customer END) / COUNT(DISTINCT o.customer) AS stickiness
FROM (SELECT DISTINCT day FROM orders WHERE day >= DATE '2024-02-20' AND day < DATE '2024-03-03') d
JOIN orders o ON o.day > d.day - 28 AND o.day <= d.day
GROUP BY d.day ORDER BY 1;
