SELECT month AS metric_time__month, revenue,
  (SELECT SUM(s.amount) FROM sales s WHERE s.day BETWEEN 20240000 AND code + 99) AS revenue_year_to_date,
  (SELECT SUM(s.amount) FROM sales s WHERE s.day BETWEEN fiscal AND code + 99) AS revenue_fiscal_year_to_date
FROM (VALUES (DATE '2024-01-01', 20240100, 20230700, 150), (DATE '2024-02-01', 20240200, 20230700, 30), (DATE '2024-03-01', 20240300, 20230700, 50),
  (DATE '2024-07-01', 20240700, 20240700, 70)) AS m(month, code, fiscal, revenue)
ORDER BY 1;
SELECT month AS metric_time__month, now AS revenue, before AS revenue__previous, now - before AS revenue__change, 1.0 * (now - before) / before AS revenue__change_ratio
FROM (SELECT month, (SELECT SUM(amount) FROM sales WHERE day BETWEEN code AND code + 99) AS now,
    (SELECT SUM(amount) FROM sales WHERE day BETWEEN code - 10000 AND code - 9901) AS before
  FROM (VALUES (DATE '2024-01-01', 20240100), (DATE '2024-02-01', 20240200)) AS m(month, code)) x
ORDER BY 1;
SELECT CASE WHEN place <= 2 THEN town ELSE 'other' END AS town, place > 2 AS town__other, SUM(amount) AS revenue,
  1.0 * SUM(amount) / (SELECT SUM(amount) FROM sales) AS revenue__share
FROM (SELECT town, SUM(amount) AS amount, ROW_NUMBER() OVER (ORDER BY SUM(amount) DESC) AS place FROM sales GROUP BY town) x
GROUP BY 1, 2 ORDER BY 3 DESC;
