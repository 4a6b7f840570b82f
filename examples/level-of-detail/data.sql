CREATE TABLE members (member_id INTEGER, city VARCHAR);
INSERT INTO members VALUES (1, 'Graz'), (2, 'Graz'), (3, 'Linz'), (4, 'Linz');
CREATE TABLE purchases (purchase_id INTEGER, member_id INTEGER, bought_on DATE, amount INTEGER);
INSERT INTO purchases VALUES
  (1, 1, '2024-01-10', 80), (2, 1, '2024-02-11', 70), (3, 2, '2024-02-12', 40), (4, 3, '2024-03-01', 100),
  (5, NULL, '2024-03-02', 9); -- a purchase of no member
