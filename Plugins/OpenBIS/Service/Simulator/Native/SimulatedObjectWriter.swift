/// A writer of objects in the format of V3: each in full at its first occurrence, and by its number from then on.
struct SimulatedObjectWriter {
  /// The kind of an object; objects are identified by kind, index and fetch options.
  enum Kind: Int {
    case fetch, person, space, project, experiment, sample, dataSet, sampleType, experimentType, dataSetType
    case propertyType, dataStore, physicalData
  }

  let view: SimulatedView
  /// A Boolean value indicating whether repeated samples are the same object for all fetch options, so that graphs have
  /// cycles.
  let sharesObjects: Bool
  let fault: SimulatorFault?
  var buffer = WireBuffer(reserving: 1 << 16)
  private(set) var nextID = 1
  private var written: [Int: Int] = [:]
  private var objectCount = 0
  /// The fetch options of the samples in the outermost list.
  var outer: SimulatedFetch?

  init(_ view: SimulatedView, sharesObjects: Bool = false, fault: SimulatorFault? = nil) {
    (self.view, self.sharesObjects, self.fault) = (view, sharesObjects, fault)
  }

  var outcome: SimulatedOutcome { .json(buffer) }

  /// Begins an object; if it was written before, writes its number instead and returns false.
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

  /// Begins an object that occurs once.
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

  /// Writes an id as an object of its own.
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

  /// Writes the fetch options of an object: once in full, then by number.
  private mutating func options(_ fetch: SimulatedFetch) {
    let place = Kind.fetch.rawValue << 56 | fetch.number
    if let number = written[place] { return buffer.add(number) }
    written[place] = nextID
    ownOptions(fetch)
  }

  /// Writes options in full; each data set has its own, as pybis examines them.
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
