/// All bad inputs and faults that a client is checked against, by number and name, with the required result and the
/// tests that show it.
///
/// ``FaultCases`` make those of them over simulated sensors that one question shows.
enum FaultTable {
  struct Row: Sendable {
    let number: Int
    let name: String
    /// The expected result.
    let expected: String
    /// Names of tests of this target, each of which causes the fault and checks the result.
    let tests: [String]

    init(_ number: Int, _ name: String, _ expected: String, _ tests: String...) {
      (self.number, self.name, self.expected, self.tests) = (number, name, expected, tests)
    }
  }

  static let all: [Row] = connections + documents + contents + work + station

  private static let everyFault =
    "for any fault, captures are requested once, and are stored, waiting, reported as lost, or unknown"
  private static let catalogue = "each fault of a service has the listed outcome"

  private static let connections = [
    Row(
      1, "refused, unknown name, unreachable", "not reached within the connect deadline, nothing sent",
      "1: a closed port is reported as unreachable, and nothing is sent",
      "1: an unknown host is reported as unreachable",
      "1: a service that does not accept the connection in time received no request",
      "an unreachable sensor is accepted, but an unsuitable one is not"),
    Row(
      2, "accepts, never responds",
      "canceled on a second connection after the deadline; the first stays open for a while",
      "2: a service that never responds ends with the deadline",
      "a hung capture is canceled on a second connection, and a capture that it held is stored",
      "2: a cancel without a response is retried a limited number of times", catalogue),
    Row(
      3, "a header, then silence", "as 2", "3: a header followed by silence ends with the deadline",
      "a capture without a response is unknown and not repeated", catalogue),
    Row(
      4, "a body that trickles", "ended by the minimum rate and the total deadline",
      "4: a response that trickles is rejected as too slow", catalogue),
    Row(
      5, "reset or close before the response to a repeatable request",
      "retried at most three times, with growing pauses",
      "5: a repeatable request is retried after a lost response",
      "5: a request whose response is always lost is sent four times",
      "5: a retry that does not reach the service does not hide the attempt before it",
      "5: a request to a service that is busy by its HTTP status is retried", catalogue),
    Row(
      6, "the same on register", "at most one extra session, which is reported",
      "6 and 7: a request that must not happen twice is never retried",
      "a registration without a response is retried once, and the other session is reported", catalogue),
    Row(
      7, "the same on capture", "unknown, recorded, the user decides; never retried automatically",
      "6 and 7: a request that must not happen twice is never retried",
      "7: a reused connection does not repeat a capture",
      "a capture whose response is lost is reported as unknown and not repeated",
      "7: a capture whose response is truncated has an unknown outcome",
      "7: an unknown capture is in every list, and is repeated only on request", catalogue),
    Row(
      8, "a body shorter than its length", "nothing stored, the download retried by id",
      "8: a response shorter than its length is not a response, and data is not requested again",
      "8: a response with an overstated length is not a response",
      "a failed download is tried three times and then left for later", catalogue),
    Row(
      9, "a body longer than its length, a second response after it", "refused",
      "9: a second document after the first is rejected",
      "9: a second response after the first is never used for another request", catalogue),
    Row(
      10, "chunks of one byte, no length, gzip", "accepted, the same bytes",
      "10: chunks of one byte, no length and gzip give the same bytes",
      "10: a gzipped response is read, and the limit applies to its uncompressed size", catalogue),
    Row(
      11, "a gzip bomb, a huge message, huge data", "rejected early, bounded memory",
      "11: a response that is too large is rejected early", "11: data that is too large is rejected early",
      "11: a header without an end is rejected", "11: responses of hundreds of megabytes take no memory",
      "11: data of a hundred megabytes is streamed to its file", catalogue),
    Row(
      12, "a redirect to another host, or from https to http", "rejected and reported",
      "12: a redirect to another host or port is rejected and reported",
      "12: a redirect within the service is followed, with the method and the body",
      "a redirect from https to http is rejected", catalogue),
    Row(
      13, "HTTP errors", "reported with their status; 404 on a session begins a new one",
      "13: an HTTP error is reported with its status",
      "13: a 404 for a session begins a new one", catalogue),
    Row(14, "200 with a login page", "reported as not a WS-BD service", "14: a login page is not a service", catalogue),
    Row(
      15, "the right document under another type", "accepted, with a note",
      "15: the right document with another content type is accepted and reported", catalogue),
    Row(16, "an empty body", "not a response", "16: an empty body is not a response", catalogue),
  ]

  private static let documents = [
    Row(
      17, "not well-formed, truncated, trailing junk", "rejected; its beginning is kept without data",
      "17: malformed, truncated and trailing content is rejected",
      "17: the start of a malformed response is kept for diagnosis, without the sensor's data", catalogue),
    Row(
      18, "document types and entities", "rejected before parsing",
      "18: a document type is rejected in any form",
      "18: only XML's five entities and character references are accepted in text",
      catalogue),
    Row(
      19, "deep nesting, many items, long keys", "rejected by limits", "19: depth, count and lengths are limited",
      catalogue),
    Row(
      20, "other namespaces and prefixes", "four are known with any prefix, others rejected by name",
      "20: four namespaces are accepted, and other or missing ones are rejected by name",
      "a type is resolved by any prefix in scope", catalogue),
    Row(
      21, "UTF-16, byte order marks, malformed bytes, control characters",
      "read or rejected; no control sequence reaches the terminal",
      "21: UTF-16 and byte order marks are read, and malformed bytes are rejected",
      "21: bidirectional marks and control characters are never shown",
      "service texts in messages contain no terminal control characters", catalogue),
    Row(
      22, "CDATA, comments, references, blanks", "accepted",
      "22: CDATA, comments, references in text and blanks around a status are accepted", catalogue),
    Row(
      23, "no status, two, an unknown one", "malformed, malformed, a failure that keeps its text",
      "23: a missing or duplicate status is malformed, and an unknown one is a failure with its text", catalogue),
    Row(
      24, "a success without its content", "a protocol error",
      "24: a success without its content is an error", "a capture without an id is unknown", catalogue),
    Row(
      25, "a session id that is not a UUID", "rejected, never part of an address",
      "25: a session id that is not a UUID is rejected", "text without the form of a UUID is not a UUID", catalogue),
    Row(
      26, "no ids, ids twice, ten thousand ids", "unknown; counted once; limited and queued",
      "26: duplicate capture ids count once, and malformed ones are left out",
      "26: ten thousand ids are accepted, and further ones are reported",
      "several ids of one capture are all stored, in order", catalogue),
  ]

  private static let contents = [
    Row(
      27, "an id known from another item", "rejected by name and audited, its data not downloaded",
      "case 27: an id of another item is rejected by name, and its data is not downloaded",
      "case 27: an id of another item is rejected and reported; the other ids are written"),
    Row(
      28, "base64 in lines and in CDATA", "accepted",
      "28: base64 in lines, with references for line ends, and in CDATA is accepted", catalogue),
    Row(
      29, "base64 with junk, truncated, padding inside, empty", "rejected, nothing stored",
      "29: junk, truncation, padding in the middle and no data are rejected",
      "29: elements within data and a second data element are rejected", everyFault, catalogue),
    Row(
      30, "a wrong type, a damaged picture", "stored as received, typed by its bytes; nothing crashes",
      "30: data of any type is stored, and its stated type is reported",
      "data that is not a picture is described, with its metadata",
      "changed bytes never crash the header reader, and sizes stay plausible",
      catalogue),
    Row(
      31, "a picture that claims a billion pixels",
      "stored; decoding rejected by its header before memory is allocated",
      "a picture that is too large is rejected by its header, before memory is allocated",
      "a picture that claims a billion pixels is not decoded",
      "31: a picture bomb is stored as received, and not decoded"),
    Row(
      32, "metadata: duplicate keys, wrong types, huge numbers, malformed dates",
      "stored as text, flagged, written back unchanged",
      "32: the last value of a duplicate key is used, and the duplicate is reported",
      "32: a value that does not match its type is preserved and reported", "32: NaN is read as a number",
      "32: a parameter without a name and an item without a key are reported",
      "32: an unknown type is preserved with its namespace",
      "every value survives writing and reading", catalogue),
    Row(
      33, "unknown or missing modality", "reported by the check; the sensor can still be kept",
      "the check depends on the sensor's capabilities",
      "33: the walkthrough rejects a sensor that does not report its modality, and 'item add' accepts it",
      "33: a sensor that cannot capture the submodality is accepted after confirmation"),
    Row(
      34, "success for a configuration that is not applied", "detected by reading back, with a warning",
      "34: every capture warns about a setting that the sensor did not apply",
      "34: a sensor that ignores its configuration is detected before the capture",
      "configuring ahead reads the settings back, and warns about those not applied"),
    Row(
      35, "values that are not allowed, read-only keys", "detected before anything is sent",
      "a setting that the sensor does not accept is rejected before any request",
      "a number out of range is detected", "a read-only setting is detected, and omitted if it has the value already"),
  ]

  private static let work = [
    Row(
      36, "a session dropped in the middle", "registered again once, configured again, resumed",
      "a dropped session is registered again once, and all later steps are repeated",
      "36: a sensor that restarts in the middle still captures", catalogue),
    Row(
      37, "the lock stolen before the capture",
      "waited for, reported, stolen only by the user; configured again afterwards",
      "37: a capture waits for a lock stolen before it, and captures nothing without it",
      "37: after another client held the lock, the sensor is configured again before the capture",
      "a capture waits for the lock of another client, and steals it only on request"),
    Row(
      38, "the lock stolen during the capture, which the thief cancels", "canceled, the item empty, the reason shown",
      "38: a capture canceled by a thief leaves the item empty, with the reason"),
    Row(
      39, "a steal refused, or granted falsely", "the allowed time is reported; verified by locking",
      "39: a refused steal reports the time at which it is allowed", "a steal is verified by the lock, and reported",
      "39: a falsely granted steal is detected"),
    Row(
      40, "busy forever", "bounded waits, then advice to cancel",
      "40: the wait for a busy sensor is limited, and the error advises canceling"),
    Row(
      41, "data never ready", "pauses that grow to 30 s, in the journal, downloaded after a restart",
      "41: data that is never ready stays in the journal, and the next start downloads it",
      "data left by an earlier process is downloaded before the next capture"),
    Row(
      42, "data deleted by the sensor", "reported as lost, a new capture offered",
      "42: data deleted by the sensor is reported as lost, and a recapture is offered",
      "a lost capture and data that could not be written are reported"),
    Row(
      43, "canceled with a sensor failure", "the next use begins with an initialization",
      "43: after a cancel with a sensor failure, the next use begins with an initialization",
      "other refusals end a capture, and the lock is released"),
    Row(
      44, "a cancel that races with the end of the capture", "consistent either way; received ids are downloaded",
      "44: a capture that finished before its cancel is downloaded",
      "a hung capture is canceled on a second connection, and a capture that it held is stored",
      "44: ids received with a refusal are downloaded, and nothing is captured again"),
    Row(
      45, "two items at one address under two names", "one session, in turn, each result with its item",
      "45: two items at one sensor under two names share its session, each with its own result",
      "45: two items at one sensor wait for each other, however its address is spelled",
      "items at one address take turns, and each gets its own result"),
    Row(
      46, "a second client with the same session", "every status is handled, nothing crashes",
      "46: a second client with the same session causes no lost or misfiled captures"),
    Row(
      47, "broken live previews", "resynchronized or ended; the screen keeps working",
      "broken previews end and are reported", "an endless header is skipped",
      "a boundary within a picture of stated length is part of the picture",
      "a picture that is too large is skipped without memory for it, even if its size is not stated",
      "a stream without a picture ends after its silence limit"),
    Row(
      48, "dates of 1970 and 2100, fractions, no zone", "stored as received, with the time of receipt",
      "48: a time keeps the spelling of the service", catalogue),
  ]

  private static let station = [
    Row(
      49, "disk full, database busy or read-only", "kept in memory and retried, reported, never reported as saved",
      "data that did not fit on a full disk is stored once there is space",
      "space for one response of a sensor is reserved on a full disk",
      "a database in use is reported, and the change is made when it is free",
      "49: ids that cannot be written are reported at once and retried, and nothing counts as done until then",
      "49: a read-only store reports that nothing is stored, and stores all once writable",
      "49: data for a read-only store is stored when possible, and otherwise reported as waiting",
      "49: ids that can never be written are not reported as saved", "data that cannot be stored is downloaded again"),
    Row(
      50, "killed between response and download, or while writing", "the next start downloads; no incomplete record",
      "case 50: no acknowledged response or data is lost, and no record is incomplete",
      "case 50: with sensors, nothing acknowledged is lost or misfiled, and remaining data is downloaded"),
    Row(
      51, "addresses with passwords, IPv6, other spellings, files",
      "normalized or rejected; no password shown",
      "an address is normalized to one spelling",
      "text that is not the address of a sensor is rejected with the reason",
      "no part of a rejected address is in its message"),
    Row(
      52, "fifty keystrokes a second, leaving during a check",
      "one request after three idle seconds, stale responses ignored",
      "fifty keystrokes make one request, three seconds after the last", "fifty keystrokes a second send no request",
      "stale responses and responses after leaving are ignored",
      "leaving the page ends the check, and nothing is stored"),
  ]
}
