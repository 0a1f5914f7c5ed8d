import sys

from domains.api.domains import check, check_names
from domains.client import Client
from domains.models import CheckNamesBody, RefusedInput, UnknownRow

client = Client(base_url=sys.argv[1])
for row in check.sync(client=client, name="mixed").results:
    print(row.domain, row.error if isinstance(row, UnknownRow) else str(row.available).lower())
names = CheckNamesBody(names=["taken.com", "no_name"])
taken, refused = check_names.sync(client=client, body=names).results
assert taken.state == "taken" and isinstance(refused, RefusedInput)
