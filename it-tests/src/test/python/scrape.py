"""Reads a metrics page as Prometheus's own client library for Python does, and tells what it found.

Arguments: the address of a page. Output, one line a family: its name without the _total of counters,
its type, and the names of the labels of its samples, but for those of buckets and quantiles.
"""

import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

OWN = {"histogram": {"le"}, "summary": {"quantile"}}

with urllib.request.urlopen(sys.argv[1], timeout=10) as answer:
    if not answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"):
        sys.exit("content type " + answer.headers["Content-Type"])
    page = answer.read().decode("utf-8")

seen = set()
for family in text_string_to_metric_families(page):
    if family.type == "unknown" or not family.samples:
        sys.exit("no type or no samples: " + family.name)
    labels = set()
    for sample in family.samples:
        key = (sample.name, tuple(sorted(sample.labels.items())))
        if key in seen:
            sys.exit("twice: " + repr(key))
        seen.add(key)
        labels |= set(sample.labels)
    print(family.name, family.type, ",".join(sorted(labels - OWN.get(family.type, set()))))
