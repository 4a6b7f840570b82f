-- A small retailer, made up: orders with their customers, products and returns.
-- The same rows on every machine: noise() is a hash, not a random number.
--
-- As in life, not every key finds its row. Some orders have no customer
-- (guests), some name a customer or product that was deleted, and some returns
-- belong to orders older than the data.

CREATE MACRO noise(i, salt) AS (md5_number_lower(concat(i, '/', salt)) % 1000003)::BIGINT;

CREATE TABLE calendar AS
SELECT
    day::DATE AS day,
    dayname(day) AS weekday,
    isodow(day) >= 6 AS is_weekend,
    concat('FY', year(day + INTERVAL 3 MONTH) % 100, ' Q', quarter(day + INTERVAL 3 MONTH)) AS fiscal_quarter
FROM range(DATE '2023-01-01', DATE '2025-03-01', INTERVAL 1 DAY) AS t(day);

CREATE TABLE customers AS
SELECT
    i::INTEGER AS customer_id,
    concat('Customer ', lpad(i::VARCHAR, 3, '0')) AS name,
    (['north', 'south', 'east', 'west'])[1 + noise(i, 'region') % 4] AS region,
    CASE WHEN noise(i, 'segment') % 10 < 7 THEN 'consumer' WHEN noise(i, 'segment') % 10 < 9 THEN 'business' END AS segment,
    DATE '2022-01-01' + (noise(i, 'signup') % 1000)::INTEGER AS signup_date
FROM range(1, 401) AS t(i);

CREATE TABLE products AS
SELECT
    i::INTEGER AS product_id,
    concat((['Oak', 'Steel', 'Linen', 'Glass', 'Cork'])[1 + noise(i, 'material') % 5], ' ',
           (['lamp', 'chair', 'shelf', 'vase', 'rug', 'clock'])[1 + i % 6]) AS name,
    (['lighting', 'furniture', 'furniture', 'decor', 'textiles', 'decor'])[1 + i % 6] AS category,
    (5 + noise(i, 'cost') % 8000 / 100.0)::DECIMAL(10, 2) AS unit_cost
FROM range(1, 61) AS t(i);

CREATE TABLE orders AS
WITH drawn AS (
    SELECT
        i,
        -- more orders towards the end of the two years
        DATE '2023-01-01' + floor(731 * pow(noise(i, 'date') / 1000003.0, 0.75))::INTEGER AS order_date,
        1 + noise(i, 'quantity') % 5 AS quantity,
        1 + noise(i, 'product') % 60 AS product
    FROM range(1, 5001) AS t(i)
)
SELECT
    i::INTEGER AS order_id,
    CASE
        WHEN noise(i, 'guest') % 100 < 4 THEN NULL
        WHEN noise(i, 'guest') % 100 < 6 THEN 9000 + noise(i, 'gone') % 5
        ELSE 1 + noise(i, 'customer') % 400
    END::INTEGER AS customer_id,
    CASE WHEN noise(i, 'delisted') % 100 < 1 THEN 900 ELSE product END::INTEGER AS product_id,
    order_date,
    CASE WHEN noise(i, 'status') % 100 < 88 THEN order_date + (1 + noise(i, 'ship') % 9)::INTEGER END AS ship_date,
    (['web', 'store', 'phone'])[CASE WHEN noise(i, 'channel') % 10 < 6 THEN 1 WHEN noise(i, 'channel') % 10 < 9 THEN 2 ELSE 3 END] AS channel,
    CASE WHEN noise(i, 'status') % 100 < 88 THEN 'completed' WHEN noise(i, 'status') % 100 < 95 THEN 'cancelled' ELSE 'open' END AS status,
    quantity::INTEGER AS quantity,
    (quantity * (9 + noise(product, 'price') % 14000 / 100.0))::DECIMAL(12, 2) AS amount
FROM drawn
ORDER BY order_id;

CREATE TABLE returns AS
SELECT
    (row_number() OVER (ORDER BY o.order_id))::INTEGER AS return_id,
    CASE WHEN noise(o.order_id, 'old') % 100 < 3 THEN 90000 + o.order_id ELSE o.order_id END::INTEGER AS order_id,
    o.ship_date + (2 + noise(o.order_id, 'back') % 25)::INTEGER AS return_date,
    (['damaged', 'too late', 'changed mind', 'wrong item'])[1 + noise(o.order_id, 'reason') % 4] AS reason,
    (o.amount * CASE WHEN noise(o.order_id, 'part') % 4 = 0 THEN 0.5 ELSE 1 END)::DECIMAL(12, 2) AS refund
FROM orders AS o
WHERE o.status = 'completed' AND noise(o.order_id, 'returned') % 100 < 9;

DROP MACRO noise;
