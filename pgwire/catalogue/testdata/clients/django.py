#!/usr/bin/python3 -P
"""Django: inspectdb, which reads tables, views, columns, keys and relations."""
import io
import os

import django
from django.conf import settings
from django.core.management import call_command

login = {"NAME": os.environ["PGDATABASE"], "USER": os.environ["PGUSER"], "PASSWORD": os.environ["PGPASSWORD"], "HOST": os.environ["PGHOST"], "PORT": os.environ["PGPORT"]}
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", **login}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
call_command("inspectdb", include_views=True, include_partitions=True, stdout=io.StringIO())
