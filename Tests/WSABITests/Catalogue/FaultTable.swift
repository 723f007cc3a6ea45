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
    "whatever a sensor does wrong, captures are stored, waited for, lost by name or unknown, and asked once"
  private static let catalogue = "a fault of a service ends as the list says"

  private static let connections = [
    Row(
      1, "refused, unknown name, unreachable", "not reached within the connect deadline, nothing sent",
      "1: a port where nobody listens is not reached, and nothing was sent",
      "1: a host whose name is not known is not reached",
      "1: a service that takes no connection in time was not asked",
      "a sensor that is not there can be kept, one that cannot do it cannot"),
    Row(
      2, "accepts, never answers",
      "canceled on a second connection after the deadline; the first stays open for a while",
      "2: a service that never answers ends with the deadline",
      "a hung capture is cancelled beside its connection, and a capture it held is stored",
      "2: a cancel that brings no answer is tried again, and not for ever", catalogue),
    Row(
      3, "a header, then silence", "as 2", "3: a head and then silence ends with the deadline",
      "a capture that never answers is unknown and not repeated", catalogue),
    Row(
      4, "a body that trickles", "ended by the minimum rate and the total deadline",
      "4: an answer in drops is given up as too slow", catalogue),
    Row(
      5, "reset or close before the response to a repeatable request",
      "retried at most three times, with growing pauses",
      "5: a lost answer to what may be repeated is asked for again",
      "5: what is lost every time is asked for four times, not more",
      "5: a repetition that reaches nobody does not hide the attempt before",
      "5: a service that HTTP calls busy is asked again", catalogue),
    Row(
      6, "the same on register", "at most one extra session, which is reported",
      "6 and 7: what must not happen twice is never asked again",
      "a registration without an answer is tried once more, and the other session told of", catalogue),
    Row(
      7, "the same on capture", "unknown, recorded, the user decides; never retried automatically",
      "6 and 7: what must not happen twice is never asked again",
      "7: a connection that was kept does not make the network repeat a capture",
      "a capture whose answer is lost is told as unknown and not repeated",
      "7: a capture whose answer is cut in its middle has an unknown outcome",
      "7: an unknown capture stands in every list, and is made again only when the user says so", catalogue),
    Row(
      8, "a body shorter than its length", "nothing stored, the download retried by id",
      "8: an answer shorter than its length is no answer, and data is not asked for again",
      "8: an answer whose length is overstated is no answer",
      "a download that fails is tried three times and then left to later, not lost", catalogue),
    Row(
      9, "a body longer than its length, a second response after it", "refused",
      "9: a second document behind the first is refused",
      "9: a second answer glued to the first never becomes the answer to another request", catalogue),
    Row(
      10, "chunks of one byte, no length, gzip", "accepted, the same bytes",
      "10: chunks of a byte, no length and gzip bring the same bytes",
      "10: what is sent as gzip is read, and what it becomes counts for the limit", catalogue),
    Row(
      11, "a gzip bomb, a huge message, huge data", "rejected early, bounded memory",
      "11: an answer larger than allowed is dropped early", "11: data larger than allowed is dropped early",
      "11: a head without an end is given up", "11: answers of hundreds of megabytes take no memory",
      "11: data of a hundred megabytes goes into its file without being in memory", catalogue),
    Row(
      12, "a redirect to another host, or from https to http", "rejected and reported",
      "12: a redirect to another host or port is refused and shown",
      "12: a redirect that stays at the service is followed, with the method and the body",
      "from https nothing leads to http", catalogue),
    Row(
      13, "HTTP errors", "reported with their status; 404 on a session begins a new one",
      "13: what HTTP says in place of the service is told with its number",
      "13: a session that HTTP does not find is made anew", catalogue),
    Row(14, "200 with a login page", "reported as not a WS-BD service", "14: a login page is no service", catalogue),
    Row(
      15, "the right document under another type", "accepted, with a note",
      "15: the right document under another name is taken, and told", catalogue),
    Row(16, "an empty body", "not a response", "16: an empty answer is no answer", catalogue),
  ]

  private static let documents = [
    Row(
      17, "not well-formed, truncated, trailing junk", "rejected; its beginning is kept without data",
      "17: what is not well-formed, cut or followed by something is refused",
      "17: the head of a broken answer is kept for diagnosis, without data of the sensor", catalogue),
    Row(
      18, "document types and entities", "rejected before parsing",
      "18: a document type is refused in any form", "18: an entity that is not one of XML's five changes no text",
      catalogue),
    Row(
      19, "deep nesting, many items, long keys", "rejected by limits", "19: depth, count and lengths have bounds",
      catalogue),
    Row(
      20, "other namespaces and prefixes", "four are known with any prefix, others rejected by name",
      "20: the four namespaces are known, others and none are refused by name",
      "a type resolves through whatever prefix is in scope", catalogue),
    Row(
      21, "UTF-16, byte order marks, malformed bytes, control characters",
      "read or rejected; no control sequence reaches the terminal",
      "21: UTF-16 and marks of byte order are read, bad bytes refused",
      "21: marks that reorder and control characters never reach what is shown",
      "texts of a service in a message command nothing", catalogue),
    Row(
      22, "CDATA, comments, references, blanks", "taken",
      "22: CDATA, comments, references in text and blanks around a status are taken", catalogue),
    Row(
      23, "no status, two, an unknown one", "malformed, malformed, a failure that keeps its text",
      "23: no status and two are malformed, an unknown one is a failure that keeps its text", catalogue),
    Row(
      24, "a success without its content", "a protocol error",
      "24: a success without what was asked for is none", "a capture that names no id is unknown too", catalogue),
    Row(
      25, "a session id that is not a UUID", "rejected, never part of an address",
      "25: a session id that is not a UUID is refused", "what has not the form of a UUID is none", catalogue),
    Row(
      26, "no ids, ids twice, ten thousand ids", "unknown; counted once; limited and queued",
      "26: ids of captured data count once, and those that are none are left out",
      "26: ten thousand ids are taken, and those beyond are told",
      "several ids of one capture are all stored, in order", catalogue),
  ]

  private static let contents = [
    Row(
      27, "an id known from another item", "rejected by name and audited, its data not downloaded",
      "case 27: an id of another item is refused by name, and its data is not fetched",
      "case 27: an id of another item is refused and told; the other ids are written"),
    Row(
      28, "base64 in lines and in CDATA", "taken",
      "28: base64 in lines, with references of line ends, and in CDATA is taken", catalogue),
    Row(
      29, "base64 with junk, truncated, padding inside, empty", "rejected, nothing stored",
      "29: junk, a cut, padding in the middle and nothing are refused",
      "29: elements in data and two pieces of data are refused", everyFault, catalogue),
    Row(
      30, "a wrong type, a damaged picture", "stored as received, typed by its bytes; nothing crashes",
      "30: data of whatever type is kept, and what the service says of it is told",
      "data that is no picture is told of, with all that the service says",
      "changed bytes never crash, and no size is absurd",
      catalogue),
    Row(
      31, "a picture that claims a billion pixels",
      "stored; decoding rejected by its header before memory is allocated",
      "what is too large is refused by its header, before room is made",
      "a picture that claims a billion pixels is not decoded",
      "31: a bomb that a sensor sends is stored as it came, and not decoded"),
    Row(
      32, "metadata: duplicate keys, wrong types, huge numbers, malformed dates",
      "stored as text, flagged, written back unchanged",
      "32: of a key that stands twice the last value counts, and it is told",
      "32: a value that its type does not hold is kept with it, and told", "32: NaN is a number of its own",
      "32: a parameter without a name and an item without a key are told",
      "32: a type that is not known is kept with its namespace",
      "every value that is read is written so that it reads the same", catalogue),
    Row(
      33, "unknown or missing modality", "reported by the check; the sensor can still be kept",
      "what a sensor can do decides",
      "33: a sensor that does not say what it captures is refused by the walkthrough, and can be kept by 'item add'",
      "33: a sensor that says that it cannot do it is taken once that is confirmed"),
    Row(
      34, "success for a configuration that is not applied", "detected by reading back, with a warning",
      "34: a setting that the sensor did not take is warned of at every capture",
      "34: a sensor that ignores what it is told is found out before it captures",
      "configuring ahead reads back what the sensor took, and warns of what it did not"),
    Row(
      35, "values that are not allowed, read-only keys", "detected before anything is sent",
      "a setting the sensor does not take is refused before anything is asked of it",
      "a number out of its range is caught", "what cannot be set is caught, and left out where it is so already"),
  ]

  private static let work = [
    Row(
      36, "a session dropped in the middle", "registered again once, configured again, resumed",
      "a dropped session is registered anew once, with all that follows",
      "36: a sensor that was started anew in the middle captures all the same", catalogue),
    Row(
      37, "the lock stolen before the capture",
      "waited for, reported, stolen only by the user; configured again afterwards",
      "37: a lock that another took before the capture is waited for, and nothing is captured without it",
      "37: after another had the lock the sensor is set anew before it captures",
      "somebody else's lock is waited for, and can be taken on request only"),
    Row(
      38, "the lock stolen during the capture, which the thief cancels", "canceled, the item empty, the reason shown",
      "38: a capture that a thief cancels leaves the item empty and says why"),
    Row(
      39, "a steal refused, or granted falsely", "the allowed time is reported; verified by locking",
      "39: a steal that is refused says when it will not be", "a steal is proved by the lock, and told",
      "39: a sensor that grants its lock falsely is not believed"),
    Row(
      40, "busy forever", "bounded waits, then advice to cancel",
      "40: a sensor that is busy for ever is waited for so long and no longer, and the way out is told"),
    Row(
      41, "data never ready", "pauses that grow to 30 s, in the journal, downloaded after a restart",
      "41: data that is never ready is left in the journal, and the next start fetches it",
      "what an earlier process left is fetched before the next capture"),
    Row(
      42, "data deleted by the sensor", "reported as lost, a new capture offered",
      "42: data that the sensor dropped is lost by name, and a recapture is proposed",
      "a lost capture and what could not be written are told"),
    Row(
      43, "canceled with a sensor failure", "the next use begins with an initialization",
      "43: after a cancel that broke the sensor the next use begins by initializing it",
      "other refusals of a capture end it, and the lock is given back"),
    Row(
      44, "a cancel that races with the end of the capture", "consistent either way; received ids are downloaded",
      "44: a capture that was finished when it was cancelled is fetched all the same",
      "a hung capture is cancelled beside its connection, and a capture it held is stored",
      "44: ids that come beside a refusal are fetched, and nothing is captured again"),
    Row(
      45, "two items at one address under two names", "one link, in turn, each result with its item",
      "45: two items at one sensor under two names share its session, and each gets its own",
      "45: two items at one sensor wait for each other, however its address is spelled",
      "items of one address take turns, and each gets its own"),
    Row(
      46, "a second client with the same session", "every status is handled, nothing crashes",
      "46: a second client with our session disturbs captures, and none is lost or misfiled"),
    Row(
      47, "broken live previews", "resynchronized or ended; the screen keeps working",
      "previews that are broken end, and are told", "an endless head is passed over",
      "a boundary within a picture of known length is part of it",
      "a picture that is too large is passed over, stated or not, and takes no memory",
      "a stream that stops without a picture ends when it was silent too long"),
    Row(
      48, "dates of 1970 and 2100, fractions, no zone", "stored as received, with the time of receipt",
      "48: a time is kept as the service wrote it", catalogue),
  ]

  private static let station = [
    Row(
      49, "disk full, database busy or read-only", "kept in memory and retried, reported, never reported as saved",
      "data that could not be kept as the disk was full is there still, and kept when there is room",
      "for what a sensor answered there is room held back on a full disk, once",
      "a database in use is told as such, and the change is made when it is free",
      "49: ids that cannot be written are told at once and tried again, and until then nothing counts as done",
      "49: a store that became read-only keeps nothing and says so, and keeps all when it can",
      "49: data for a store that became read-only is kept when it can be, and else told as waiting",
      "49: ids that can never be written are not told as saved", "data that cannot be kept is fetched again"),
    Row(
      50, "killed between response and download, or while writing", "the next start downloads; no incomplete record",
      "case 50: no answer and no data that was acknowledged is lost, and nothing is half there",
      "case 50: with sensors, nothing acknowledged is lost or misfiled, and what is left there is fetched"),
    Row(
      51, "addresses with passwords, IPv6, other spellings, files",
      "normalized or rejected; no password shown",
      "an address has one spelling", "what is no address of a sensor is refused, for its reason",
      "no part of a refused address is in its message"),
    Row(
      52, "fifty keystrokes a second, leaving during a check",
      "one request after three idle seconds, stale responses ignored",
      "fifty keystrokes make one request, three seconds after the last", "fifty keystrokes a second ask nothing",
      "late answers are dropped, and those after leaving too", "leaving the page ends the check, and nothing is stored"),
  ]
}
