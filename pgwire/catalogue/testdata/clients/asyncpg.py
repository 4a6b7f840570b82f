#!/usr/bin/python3 -P
"""What asyncpg asks: types that it does not know, when a statement has them."""
import asyncio

import asyncpg


async def main():
    c = await asyncpg.connect(ssl=False)
    await c.fetch("SELECT conkey, conname FROM pg_constraint WHERE conname = $1", "orders_pkey")
    await c.fetch("SELECT * FROM pg_range ORDER BY rngtypid")
    try:
        await c.set_type_codec("json", encoder=str, decoder=str, schema="pg_catalog")
        await c.reload_schema_state()
    finally:
        await c.close()


asyncio.run(main())
