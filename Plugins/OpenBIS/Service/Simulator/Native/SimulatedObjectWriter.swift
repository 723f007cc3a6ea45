/// Writes objects as V3 does: each in full when it is met first, and by its number from then on.
struct SimulatedObjectWriter {
  /// What makes an object the same: what it is, and how it was fetched.
  enum Kind: Int {
    case fetch, person, space, project, experiment, sample, dataSet, sampleType, experimentType, dataSetType
    case propertyType, dataStore, physicalData
  }

  let view: SimulatedView
  /// Whether samples met again are the same however they were fetched, so that graphs have rings.
  let sharesObjects: Bool
  let fault: SimulatorFault?
  var buffer = WireBuffer(reserving: 1 << 16)
  private(set) var nextID = 1
  private var written: [Int: Int] = [:]
  private var objectCount = 0
  /// How the samples of the outermost list were fetched.
  var outer: SimulatedFetch?

  init(_ view: SimulatedView, sharesObjects: Bool = false, fault: SimulatorFault? = nil) {
    (self.view, self.sharesObjects, self.fault) = (view, sharesObjects, fault)
  }

  var outcome: SimulatedOutcome { .json(buffer) }

  /// Begins an object; false if it was written before, then its number stands there instead.
  mutating func begin(_ type: StaticString, _ kind: Kind, _ index: Int, _ fetch: SimulatedFetch?) -> Bool {
    let place = kind.rawValue << 56 | (fetch?.number ?? 0) << 40 | index
    if let number = written[place] {
      buffer.add(number)
      return false
    }
    objectCount += 1
    if fault == .forwardReference, objectCount == 4 {
      buffer.add(nextID + 100_000)
      return false
    }
    written[place] = nextID
    begin(type)
    return true
  }

  /// Begins an object that is met once.
  mutating func begin(_ type: StaticString) {
    buffer.add(#"{"@type":""#)
    buffer.add(type)
    buffer.add(#"","@id":"#)
    buffer.add(fault == .reusedID && nextID > 2 ? 2 : nextID)
    nextID += 1
  }

  mutating func end() { buffer.add("}") }

  mutating func field(_ name: StaticString, _ text: String) {
    buffer.add(name)
    buffer.add(quoted: text)
  }

  mutating func field(_ name: StaticString, _ number: Int) {
    buffer.add(name)
    buffer.add(number)
  }

  /// Writes an id that is an object of its own.
  mutating func id(_ name: StaticString, _ type: StaticString, _ key: StaticString, _ text: String) {
    buffer.add(name)
    begin(type)
    buffer.add(key)
    buffer.add(quoted: text)
    end()
  }

  mutating func fetchOptions(_ fetch: SimulatedFetch) {
    buffer.add(#","fetchOptions":"#)
    options(fetch)
  }

  /// The options an object was fetched by: once in full, then by number.
  private mutating func options(_ fetch: SimulatedFetch) {
    let place = Kind.fetch.rawValue << 56 | fetch.number
    if let number = written[place] { return buffer.add(number) }
    written[place] = nextID
    ownOptions(fetch)
  }

  /// Writes options in full; data sets have each their own, as pybis looks into them.
  mutating func ownOptions(_ fetch: SimulatedFetch) {
    buffer.add(#"{"@type":"#)
    buffer.add(quoted: fetch.typeName)
    buffer.add(#","@id":"#)
    buffer.add(nextID)
    nextID += 1
    buffer.add(#","from":null,"count":null,"cacheMode":"NO_CACHE","sort":null"#)
    for name in fetch.names {
      guard let part = fetch[name] else { continue }
      buffer.add(",")
      buffer.add(quoted: name)
      buffer.add(":")
      options(part)
    }
    if fetch.isOfRelatives {
      if fetch.parents == nil { buffer.add(#","parents":null"#) }
      if fetch.children == nil { buffer.add(#","children":null"#) }
    }
    buffer.add("}")
  }
}
