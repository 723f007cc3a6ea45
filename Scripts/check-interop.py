"""What pybis sees of the made-up server; called by check-interop with address, user and password."""
import json
import sys
import time
import urllib.request
import zlib

import requests
import urllib3
from pybis import Openbis
from pybis.utils import parse_jackson

urllib3.disable_warnings()
address, user, password = sys.argv[1:4]
began = time.monotonic()
COUNT = 2500


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"interop: {what}: found {found!r}, expected {wanted!r}")
    print(f"interop: {what}")


def refused(what, work):
    try:
        work()
    except ValueError as error:
        print(f"interop: {what}: {error}")
    else:
        sys.exit(f"interop: {what}: was not refused")


server = Openbis(address, verify_certificates=False)
refused("a wrong password is refused", lambda: server.login(user, "wrong"))
token = server.login(user, password)
check("login gives a token of the user", token.startswith(f"{user}-"), True)
check("the session is active", server.is_session_active(), True)
check("the server tells its version", server.get_server_information().api_version, "3.7")

check("spaces are listed", list(server.get_spaces().df["code"]), ["LAB_1", "LAB_2", "LAB_3"])
check("projects are listed", len(server.get_projects()), 6)
check("collections are listed", len(server.get_experiments()), 6)
check("object types are listed", list(server.get_sample_types().df["code"]), [f"TYPE_0{n}" for n in range(1, 5)])
assignments = server.get_sample_type("TYPE_01").get_property_assignments().df
check("an object type has its properties", list(assignments["code"]), ["NAME", "AMOUNT", "NOTES"])

seen = []
for start in range(0, COUNT, 1000):
    page = server.get_samples(start_with=start, count=1000)
    check(f"a page of objects from {start}", (len(page.df), page.totalCount), (min(1000, COUNT - start), COUNT))
    seen += list(page.df["permId"])
check(f"the pages have {COUNT} objects, each once", (len(seen), len(set(seen))), (COUNT, COUNT))
check("a search by type", len(server.get_samples(type="TYPE_02", props=["NAME"]).df), COUNT // 4)
check("a search by code", list(server.get_samples(code="S17").df["identifier"]), ["/LAB_1/PROJECT_2/S17"])

sample = server.get_sample("/LAB_1/PROJECT_1/S2")
check("an object has its properties", (sample.props.name, sample.props.amount), ("Sample 2", "1"))
check("an object has its parents", sample.parents, ["/LAB_1/PROJECT_1/S1"])
check("an object has its children", sample.children, ["/LAB_1/PROJECT_1/S5", "/LAB_1/PROJECT_1/S6"])
check("an object has its type", sample.type.code, "TYPE_02")
check("an object has its collection", sample.experiment.identifier, "/LAB_1/PROJECT_1/COLLECTION_1")

raw = server._post_request(server.as_v3, {"method": "searchSamples", "params": [
    token, {"@type": "as.dto.sample.search.SampleSearchCriteria"},
    {"@type": "as.dto.sample.fetchoptions.SampleFetchOptions", "from": 0, "count": 8,
     "type": {"@type": "as.dto.sample.fetchoptions.SampleTypeFetchOptions"}}]})
check("a repeated type stands as a number", type(raw["objects"][4]["type"]), int)
parse_jackson(raw)
check("dereferencing finds every type", [o["type"]["code"] for o in raw["objects"]],
      ["TYPE_01", "TYPE_02", "TYPE_03", "TYPE_04"] * 2)

data_sets = server.get_datasets(count=3)
check("data sets are listed", len(data_sets.df), 3)
data_set = server.get_dataset("20240102080000000-11")
check("a data set has its properties", data_set.props["$name"], "Data of S11")
files = data_set.get_dataset_files().df
plain = files[~files["directory"]]
check("a data set has its files", len(plain), 7)
for row in plain.itertuples():
    path = urllib.request.quote(row.path)
    answer = requests.get(f"{row.downloadUrl}/datastore_server/{data_set.permId}/{path}",
                          params={"sessionID": token}, verify=False)
    if len(answer.content) != row.fileLength or "%x" % zlib.crc32(answer.content) != row.checksumCRC32:
        sys.exit(f"interop: the file {row.path} has another length or checksum than its listing")
print("interop: every file has the length and the checksum of its listing")

# What the client's own registration of data sets calls, with another service.
table = server._post_request(server.reg_v1, {"method": "createReportFromAggregationService", "params": [
    token, "DSS1", "ipad-read-service-v1", {"requestKey": "NAVIGATION"}]})
titles = [column["title"] for column in table["columns"]]
check("the table of V1 has its columns", titles,
      ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "ROOT_LEVEL"])
rows = [dict(zip(titles, (cell["value"] for cell in row))) for row in table["rows"]]
check("the table of V1 has its rows", [row["PERM_ID"] for row in rows], [f"TYPE_0{n}" for n in range(1, 5)])
roots = server._post_request(server.reg_v1, {"method": "createReportFromAggregationService", "params": [
    token, "DSS1", "ipad-read-service-v1", {"requestKey": "ROOT", "lastupdate": "0.000000", "entities": [
        {"PERM_ID": rows[0]["PERM_ID"], "REFCON": rows[0]["REFCON"]}]}]})
check("a category has its rows", len(roots["rows"]), COUNT // 4)
check("their ids are those of the objects", {row[0]["value"] for row in roots["rows"]} <= set(seen), True)
check("cells with lists are JSON", json.loads(roots["rows"][0][5]["value"]), ["20240101120000000-2",
      "20240101120000000-3", "20240101120000000-4"])

access = server.get_or_create_personal_access_token(sessionName="interop")
check("a token for programs is made", access.permId.startswith("$pat-"), True)
other = Openbis(address, verify_certificates=False, token=access.permId)
check("it works in place of a login", len(other.get_spaces()), 3)
server.logout()
check("after the logout the token for programs still works", other.is_session_active(), True)
refused("after the logout the session's token is refused",
        lambda: Openbis(address, verify_certificates=False, token=token))
print(f"interop: pybis found everything in {time.monotonic() - began:.1f} s")
