SELECT CAST(DATE_TRUNC('month', b.day) AS DATE) AS day__month, SUM(b.balance) AS balance_at_end
FROM balances b
WHERE b.day = (SELECT MAX(x.day) FROM balances x WHERE DATE_TRUNC('month', x.day) = DATE_TRUNC('month', b.day))
GROUP BY 1 ORDER BY 1;
