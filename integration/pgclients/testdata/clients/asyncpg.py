#!/usr/bin/python3
"""asyncpg: binary values, prepared statements, a cursor, COPY, and cancel by a time limit."""
import asyncio
import datetime
import io
import os

import asyncpg


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


async def main():
    c = await asyncpg.connect(ssl=False)
    print("connect:", c.get_settings().server_version)
    print("list:", ",".join(r[0] for r in await c.fetch("SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", "public")))
    statement = await c.prepare("SELECT * FROM orders")
    print("fields:", ",".join(a.name for a in statement.get_attributes()))
    print("field types:", ",".join(a.type.name for a in statement.get_attributes()))
    print("query:", join(await c.fetch("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")))
    print("parameter:", join(await c.fetch("SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id", "completed", 60)))
    print("null:", join(await c.fetch("SELECT gift, weight FROM orders WHERE order_id IN ($1, $2) ORDER BY order_id", 4, 5)))
    async with c.transaction():
        found = [r[0] async for r in c.cursor("SELECT n FROM numbers ORDER BY n LIMIT 10000", prefetch=1000)]
    print(f"cursor: {len(found)}/{sum(found)}")
    out = io.BytesIO()
    await c.copy_from_query("SELECT n FROM numbers ORDER BY n LIMIT 10000", output=out)
    found = [int(n) for n in out.getvalue().split()]
    print(f"copy: {len(found)}/{sum(found)}")
    try:
        await c.fetch("SELECT nothing FROM orders")
    except asyncpg.PostgresError as e:
        print("error:", e.sqlstate)
    slow = asyncio.ensure_future(c.fetch(os.environ["SLOW"]))
    await asyncio.sleep(1)
    slow.cancel()  # which sends a cancel request, and waits until the server has ended the statement
    try:
        await slow
    except asyncio.CancelledError:
        print("cancel: 57014")
    print("again:", await c.fetchval("SELECT COUNT(*) FROM orders"))
    await c.close()
    february = "SELECT status, MEASURE(revenue) FROM orders WHERE order_date >= $1 AND order_date < $2 GROUP BY status ORDER BY status"
    async with asyncpg.create_pool(min_size=2, max_size=4, ssl=False) as pool:  # each use of a connection resets it
        asked = (pool.fetch(february, datetime.date(2024, 2, 1), datetime.date(2024, 3, 1)) for _ in range(12))
        (found,) = {join(rows) for rows in await asyncio.gather(*asked)}
        print("date:", found)


asyncio.run(main())
