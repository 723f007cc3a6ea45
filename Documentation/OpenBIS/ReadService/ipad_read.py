# -*- coding: utf-8 -*-
"""ipad-read-service-v1 for a lab that browses spaces and samples.

One file for both hosts: a data store server calls aggregate(), the application server calls process().
Each returns a table. Documentation/OpenBIS/ReadService.md describes the columns.
"""
import json

from ch.ethz.sis.openbis.generic.asapi.v3.dto.sample.fetchoptions import SampleFetchOptions
from ch.ethz.sis.openbis.generic.asapi.v3.dto.sample.id import SamplePermId
from ch.ethz.sis.openbis.generic.asapi.v3.dto.sample.search import SampleSearchCriteria
from ch.ethz.sis.openbis.generic.asapi.v3.dto.space.fetchoptions import SpaceFetchOptions
from ch.ethz.sis.openbis.generic.asapi.v3.dto.space.search import SpaceSearchCriteria

# ---------------------------------------------------------------------------------------------------------------
# Settings of the lab

# Properties for the second line in lists: the first one that is not empty is used.
SUMMARY_PROPERTIES = ["$NAME", "NAME", "DESCRIPTION"]
# Property with the address of an image; None for no images.
IMAGE_PROPERTY = None
# Seconds between two syncs of the client.
REFRESH_INTERVAL = 1800
# Largest number of samples that a search returns.
SEARCH_LIMIT = 100

# ---------------------------------------------------------------------------------------------------------------
# The columns of each response, after PERM_ID and REFCON. A missing column changes nothing at the client.

SHORT = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY"]
COLUMNS = {
    "NAVIGATION": SHORT + ["ROOT_LEVEL"],
    "ROOT": SHORT + ["CHILDREN", "ROOT_LEVEL"],
    "DRILL": SHORT + ["CHILDREN"],
    "DETAIL": SHORT + ["IDENTIFIER", "IMAGES", "PROPERTIES"],
    "SEARCH": SHORT + ["CHILDREN"],
}


class Lab(object):
    """Creates rows from openBIS objects, with the rights of the user."""

    def __init__(self, v3, token):
        self.v3 = v3
        self.token = token

    # Spaces: the first screen

    def spaces(self):
        found = self.v3.searchSpaces(self.token, SpaceSearchCriteria(), SpaceFetchOptions()).getObjects()
        return sorted([space.getCode() for space in found])

    def space_row(self, code, samples=None):
        row = {
            "PERM_ID": "SPACE." + code,
            "REFCON": json.dumps({"kind": "SPACE", "code": code}),
            "CATEGORY": "Spaces",
            "SUMMARY_HEADER": code,
            "ROOT_LEVEL": "true",
        }
        if samples is not None:
            row["CHILDREN"] = json.dumps([perm_id(sample) for sample in samples])
        return row

    # Samples

    def fetching(self, with_labels=False):
        options = SampleFetchOptions()
        options.withProperties()
        options.withChildren()
        kind = options.withType()
        if with_labels:
            kind.withPropertyAssignments().withPropertyType()
        return options

    def samples_of(self, space):
        criteria = SampleSearchCriteria()
        criteria.withSpace().withCode().thatEquals(space)
        return list(self.v3.searchSamples(self.token, criteria, self.fetching()).getObjects())

    def samples(self, perm_ids, with_labels=False):
        ids = [SamplePermId(text) for text in perm_ids]
        found = self.v3.getSamples(self.token, ids, self.fetching(with_labels))
        return [found[key] for key in ids if key in found]

    def sample_row(self, sample):
        summary = ""
        for code in SUMMARY_PROPERTIES:
            summary = summary or sample.getProperties().get(code) or ""
        return {
            "PERM_ID": perm_id(sample),
            "REFCON": json.dumps({"kind": "SAMPLE", "permId": sample.getPermId().getPermId()}),
            "CATEGORY": sample.getType().getCode(),
            "SUMMARY_HEADER": sample.getCode(),
            "SUMMARY": text_of(summary),
            "CHILDREN": json.dumps([perm_id(child) for child in sample.getChildren()]),
            "IDENTIFIER": sample.getIdentifier().getIdentifier(),
        }

    def details_row(self, sample):
        row = self.sample_row(sample)
        values = sample.getProperties()
        properties = []
        for assignment in sample.getType().getPropertyAssignments():
            kind = assignment.getPropertyType()
            value = values.get(kind.getCode())
            if value is not None:
                properties.append({"key": kind.getCode(), "label": kind.getLabel(), "value": text_of(value)})
        row["PROPERTIES"] = json.dumps(properties)
        image = values.get(IMAGE_PROPERTY) if IMAGE_PROPERTY else None
        row["IMAGES"] = json.dumps({"MARQUEE": {"URL": text_of(image)}} if image else {})
        return row

    # Requests

    def navigation(self, parameters):
        return [self.space_row(code) for code in self.spaces()]

    def root(self, parameters):
        wanted = [word.get("code") for word in refcons(parameters) if word.get("kind") == "SPACE"]
        rows = []
        for code in wanted or self.spaces():
            samples = self.samples_of(code)
            # The space again, now with its samples, followed by the samples.
            rows.append(self.space_row(code, samples))
            rows += [self.sample_row(sample) for sample in samples]
        return rows

    def drill(self, parameters):
        rows = []
        for word in refcons(parameters):
            if word.get("kind") == "SPACE":
                samples = self.samples_of(word.get("code"))
                rows.append(self.space_row(word.get("code"), samples))
                rows += [self.sample_row(sample) for sample in samples]
            else:
                for sample in self.samples([word.get("permId")]):
                    rows.append(self.sample_row(sample))
                    below = [child.getPermId().getPermId() for child in sample.getChildren()]
                    rows += [self.sample_row(child) for child in self.samples(below)]
        return rows

    def detail(self, parameters):
        words = refcons(parameters)
        rows = [self.space_row(word.get("code")) for word in words if word.get("kind") == "SPACE"]
        wanted = [word.get("permId") for word in words if word.get("kind") == "SAMPLE"]
        return rows + [self.details_row(sample) for sample in self.samples(wanted, True)]

    def search(self, parameters):
        text = (parameters.get("searchtext") or "").strip()
        if not text:
            return []
        domain = parameters.get("searchdomain")
        criteria = SampleSearchCriteria()
        if domain is not None and domain.get("key") == "CODE":
            criteria.withCode().thatContains(text)
        else:
            criteria.withAnyField().thatContains(text)
        options = self.fetching()
        options.count(SEARCH_LIMIT)
        found = self.v3.searchSamples(self.token, criteria, options).getObjects()
        return [self.sample_row(sample) for sample in found]


def perm_id(sample):
    return "SAMPLE." + sample.getPermId().getPermId()


def text_of(value):
    """Returns a property as text; newer servers return lists of values."""
    if hasattr(value, "startswith"):
        return value
    if hasattr(value, "__iter__"):
        return "\n".join([text_of(part) for part in value])
    return str(value)


def refcons(parameters):
    """Returns the REFCON of each requested entity: text in ROOT, the value of that JSON text in DRILL and DETAIL."""
    words = []
    for entity in parameters.get("entities") or []:
        word = entity.get("REFCON")
        if not hasattr(word, "get"):
            word = json.loads(word or "{}")
        words.append(word)
    return words


def preferences():
    domains = [{"key": "GLOBAL", "label": "Everything"}, {"key": "CODE", "label": "Code"}]
    pairs = [["ROOT_SET_REFRESH_INTERVAL", str(REFRESH_INTERVAL)], ["SEARCH_DOMAINS", json.dumps(domains)]]
    return ["KEY", "VALUE"], pairs


def answer(v3, token, parameters):
    """Returns the columns and rows of a request; without rows for an unknown one, such as PING."""
    key = parameters.get("requestKey")
    if key == "CLIENT_PREFS":
        return preferences()
    columns = ["PERM_ID", "REFCON"] + COLUMNS.get(key, [])
    lab = Lab(v3, token)
    known = {
        "NAVIGATION": lab.navigation, "ROOT": lab.root, "DRILL": lab.drill, "DETAIL": lab.detail, "SEARCH": lab.search,
    }
    rows = known[key](parameters) if key in known else []
    # Each cell needs a value: openBIS cannot send a table with None.
    return columns, [[row.get(column) or "" for column in columns] for row in rows]


# ---------------------------------------------------------------------------------------------------------------
# The hosts

def aggregate(parameters, tableBuilder):
    """Called by a data store server, as an aggregation service."""
    from ch.systemsx.cisd.openbis.dss.generic.shared import ServiceProvider
    columns, rows = answer(ServiceProvider.getV3ApplicationService(), userSessionToken, parameters)
    for column in columns:
        tableBuilder.addHeader(column)
    for cells in rows:
        row = tableBuilder.addRow()
        for column, cell in zip(columns, cells):
            row.setCell(column, cell)


def process(context, parameters):
    """Called by the application server, as a custom service."""
    columns, rows = answer(context.applicationService, context.sessionToken, parameters)
    return {"columns": [{"title": column} for column in columns], "rows": rows}
