#!/usr/bin/python3
"""SQLAlchemy: its inspector, and statements that it builds."""
import datetime
import os
import threading
import time

import sqlalchemy as sa
from sqlalchemy.orm import Session, declarative_base, relationship

engine = sa.create_engine("postgresql+psycopg2://{PGUSER}:{PGPASSWORD}@{PGHOST}:{PGPORT}/{PGDATABASE}".format(**os.environ))
connection = engine.connect()
inspector = sa.inspect(engine)


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


def state(sql):
    try:
        connection.execute(sa.text(sql)).fetchall()
    except sa.exc.DBAPIError as e:
        return e.orig.pgcode


print("connect:", connection.execute(sa.text("SHOW server_version")).scalar())
print("list:", ",".join(sorted(inspector.get_table_names())))
print("describe:", ",".join(c["name"] for c in inspector.get_columns("orders")))
print("types:", ",".join(str(c["type"]).lower() for c in inspector.get_columns("orders")))
assert inspector.get_pk_constraint("orders")["constrained_columns"] == ["order_id"]
assert [k["referred_table"] for k in inspector.get_foreign_keys("orders")] == ["customers"]
assert inspector.get_table_comment("orders") == {"text": "One row per order."}
metadata = sa.MetaData()
metadata.reflect(engine)
orders, shop, numbers = (metadata.tables[name] for name in ("orders", "shop", "numbers"))
base = declarative_base(metadata=metadata)
measure = sa.func.measure(shop.c.revenue)
by_region = sa.select(shop.c.region, measure, sa.text("COUNT(orders.*)")).group_by(shop.c.region).order_by(shop.c.region)
print("query:", join(connection.execute(by_region)))
by_status = sa.select(orders.c.order_id, orders.c.amount).where(orders.c.status == "completed", orders.c.amount > 60).order_by(orders.c.order_id)
print("parameter:", join(connection.execute(by_status)))
print("null:", join(connection.execute(sa.select(orders.c.gift, orders.c.weight).where(orders.c.order_id.in_([4, 5])).order_by(orders.c.order_id))))
streamed = connection.execution_options(stream_results=True).execute(sa.select(numbers.c.n).order_by(numbers.c.n).limit(10000))
found = [n for (n,) in streamed]
print(f"cursor: {len(found)}/{sum(found)}")


class Customer(base):
    __table__ = metadata.tables["customers"]


class Order(base):
    __table__ = orders
    customer = relationship(Customer, lazy="joined")  # loaded by a join in the same statement


with Session(engine) as session:
    in_february = sa.select(Order).where(Order.order_date >= datetime.date(2024, 2, 1), Order.order_date < datetime.date(2024, 3, 1))
    loaded = session.execute(in_february).scalars().all()
    assert {o.order_id: (o.customer.region, o.revenue) for o in loaded} == {3: ("west", 80), 4: ("west", 30), 5: ("east", 120)}
    revenue = {o.status: sum(p.revenue for p in loaded if p.status == o.status) for o in loaded}
    print("date:", join(sorted(revenue.items())))
print("error:", state("SELECT nothing FROM orders"))
threading.Thread(target=lambda: (time.sleep(1), connection.connection.cancel())).start()
print("cancel:", state(os.environ["SLOW"]))
print("again:", connection.execute(sa.select(sa.func.count()).select_from(orders)).scalar())
