SELECT p.currency, SUM(CASE WHEN p.currency = 'EUR' THEN p.amount ELSE CAST(p.amount AS DOUBLE PRECISION) / r.per_eur END) AS paid_eur
FROM payments p LEFT JOIN rates r ON r.currency = p.currency AND r.day = p.day
GROUP BY 1 ORDER BY 1;
SELECT 'gift' AS tag, 200.0 AS paid_eur, 0 AS level UNION ALL SELECT 'rush', 320.0, 0 UNION ALL SELECT NULL, 420.0, 1;
