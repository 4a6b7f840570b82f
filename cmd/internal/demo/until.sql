
-- Nothing has happened after :last.
DELETE FROM returns WHERE return_date > :last;
UPDATE orders SET ship_date = NULL, status = 'open' WHERE ship_date > :last;
DELETE FROM returns WHERE order_id IN (SELECT order_id FROM orders WHERE status <> 'completed');

-- In the last whole month the web shop was not reachable from the north: its orders there were placed earlier instead.
CREATE TEMP TABLE lost AS
SELECT o.order_id, (40 + o.order_id % 300)::INTEGER AS days
FROM orders AS o
JOIN customers AS c ON c.customer_id = o.customer_id
WHERE o.channel = 'web' AND c.region = 'north'
  AND o.order_date >= date_trunc('month', :last + 1) - INTERVAL 1 MONTH
  AND o.order_date < date_trunc('month', :last + 1);
UPDATE orders SET order_date = order_date - lost.days, ship_date = ship_date - lost.days FROM lost WHERE lost.order_id = orders.order_id;
UPDATE returns SET return_date = return_date - lost.days FROM lost WHERE lost.order_id = returns.order_id;
DROP TABLE lost;
