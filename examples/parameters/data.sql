CREATE TABLE payments (payment_id INTEGER, method VARCHAR, paid_on DATE, amount INTEGER);
INSERT INTO payments VALUES
  (1, 'card', '2024-01-03', 10), (2, 'card', '2024-01-09', 60), (3, 'transfer', '2024-02-11', 200),
  (4, 'card', '2024-03-15', 30), (5, 'transfer', '2024-03-20', 100);
