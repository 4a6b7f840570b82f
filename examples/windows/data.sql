CREATE TABLE invoices (invoice_id INTEGER, plan VARCHAR, issued_on DATE, amount INTEGER);
INSERT INTO invoices VALUES
  (1, 'basic', '2023-11-05', 100), (2, 'pro', '2023-11-20', 300),
  (3, 'basic', '2023-12-05', 120), (4, 'pro', '2023-12-20', 380),
  (5, 'basic', '2024-01-05', 140), (6, 'pro', '2024-01-20', 410),
  -- no invoices in February 2024
  (7, 'basic', '2024-03-05', 150), (8, 'pro', '2024-03-20', 500);
