"""Django: the models that inspectdb writes, and the queries of its ORM. It cannot cancel: the time limit of the session does."""
import io
import os
import re

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import Count, DecimalField, Func
from django.db.utils import OperationalError, ProgrammingError

login = {"NAME": os.environ["PGDATABASE"], "USER": os.environ["PGUSER"], "PASSWORD": os.environ["PGPASSWORD"], "HOST": os.environ["PGHOST"], "PORT": os.environ["PGPORT"]}
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", **login}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
written = io.StringIO()
call_command("inspectdb", "orders", "customers", "numbers", stdout=written)
names = {"__name__": "shop.models"}
exec(re.sub(r"^( +managed = False)$", r"\1\n        app_label = 'shop'", written.getvalue(), flags=re.MULTILINE), names)
Orders, Customers, Numbers = (names[name] for name in ("Orders", "Customers", "Numbers"))


class Revenue(Func):  # inspectdb sees the fields of a dataset, and a metric is written
    template, contains_aggregate, output_field = "MEASURE(orders.revenue)", True, DecimalField()


def join(rows):
    return ";".join("|".join("NULL" if value is None else str(value) for value in row) for row in rows)


def code(run):
    try:
        run()
    except (OperationalError, ProgrammingError) as e:
        return e.__cause__.pgcode


with connection.cursor() as cursor:
    cursor.execute("SHOW server_version")
    print("connect:", cursor.fetchone()[0])
    print("list:", ",".join(sorted(table.name for table in connection.introspection.get_table_list(cursor))))
print("fields:", ",".join(field.column for field in Orders._meta.fields))
print("key:", Orders._meta.pk.column)
print("foreign key:", ",".join(f"{field.column}>{field.related_model._meta.db_table}" for field in Orders._meta.fields if field.related_model))
regions = Orders.objects.values("customer__region").annotate(sum=Revenue(), n=Count("*")).order_by("customer__region")
print("query:", join(regions.values_list("customer__region", "sum", "n")))
print("parameter:", join(Orders.objects.filter(status="completed", amount__gt=60).order_by("order_id").values_list("order_id", "amount")))
february = Orders.objects.filter(order_date__gte="2024-02-01", order_date__lt="2024-03-01").values("status").annotate(sum=Revenue()).order_by("status")
print("date:", join(february.values_list("status", "sum")))
found = list(Numbers.objects.order_by("n").values_list("n", flat=True)[:10000].iterator(chunk_size=500))
print(f"cursor: {len(found)}/{sum(found)}")
print("error:", code(lambda: list(Orders.objects.extra(where=["nothing = 1"]).values_list("order_id"))))
with connection.cursor() as cursor:
    cursor.execute("SET statement_timeout = 1000")
    print("cancel:", code(lambda: cursor.execute(os.environ["SLOW"])))
    cursor.execute("SET statement_timeout = 0")
print("again:", Orders.objects.count())
