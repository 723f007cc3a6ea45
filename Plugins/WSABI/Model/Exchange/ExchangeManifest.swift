import PluginAPI
import PluginText

/// An export's description of a person with their items and captures; the data is in separate files.
///
/// The format is described in Documentation/WSABI/Exchange.md.
struct ExchangeManifest: Sendable, Hashable {
  /// An item with its captures.
  struct Item: Sendable, Hashable {
    /// The item, with the numbers of the exporting store.
    var item: BiometricItem
    /// The captures, newest response first, in the store's order.
    var captures: [Capture]
    /// Pictures of these responses that were not received.
    var losses: [LostPicture] = []
  }

  /// A capture with the file that holds its data.
  struct Capture: Sendable, Hashable {
    var record: CaptureRecord
    /// The path relative to the manifest's folder, separated by `/`.
    var file: String
  }

  static let format = "workbench-wsabi-export"
  static let version = 1
  /// The manifest's file in an export.
  static let fileName = "manifest.json"

  var exported: Instant
  /// The software that wrote the export, with its version.
  var software: String
  var person: Person
  /// The items by index.
  var items: [Item]

  /// The size of all data; `Int.max` if the sum overflows.
  var sizeInBytes: Int {
    items.flatMap(\.captures).reduce(0) { sum, capture in
      let (next, overflows) = sum.addingReportingOverflow(capture.record.sizeInBytes)
      return overflows ? .max : next
    }
  }

  /// Returns the file name for a capture's data, made from the item's index, the number of the capture, and its
  /// subject.
  static func file(item: BiometricItem, number: Int, _ capture: CaptureRecord) -> String {
    let type = capture.sniffedType ?? capture.claimedType
    let word = item.made(capture).wireName.utf8.prefix(40).filter {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
    return "captures/\(item.index.padded(to: 3))-\(String(decoding: word, as: UTF8.self))-\(number).\(ending(of: type))"
  }

  /// - Source: the media types of section 1.8 of the protocol, with their usual file name extensions.
  private static func ending(of type: String) -> String {
    switch type {
    case "image/png": "png"
    case "image/jpeg": "jpg"
    case "image/bmp", "image/x-ms-bmp": "bmp"
    case "image/tiff": "tif"
    case "image/jp2": "jp2"
    case "image/x-wsq": "wsq"
    case "image/gif": "gif"
    case "audio/wav": "wav"
    case "text/xml": "xml"
    default: "bin"
    }
  }
}

// MARK: - Writing

extension ExchangeManifest {
  /// The manifest in its file format.
  var value: Value {
    [
      "format": .text(Self.format), "version": .integer(Self.version), "exported": .text(ExactInstant.text(exported)),
      "software": .text(software), "person": Self.value(person), "items": .list(items.map(Self.value)),
    ]
  }

  private static func value(_ person: Person) -> Value {
    let biography = person.biography
    return [
      "number": .integer(person.id), "created": .text(ExactInstant.text(person.created)),
      "modified": .text(ExactInstant.text(person.modified)),
      "biography": [
        "firstName": .text(biography.firstName), "middleName": .text(biography.middleName),
        "lastName": .text(biography.lastName), "otherName": .text(biography.otherName),
        "aliases": .list(biography.aliases.map(Value.text)),
        "datesOfBirth": .list(biography.datesOfBirth.map(Value.text)),
        "placesOfBirth": .list(biography.placesOfBirth.map(Value.text)), "gender": .text(biography.gender),
        "hairColor": .text(biography.hairColor), "race": .text(biography.race),
        "eyeColor": .text(biography.eyeColor), "height": .text(biography.height), "weight": .text(biography.weight),
        "notes": .text(biography.notes),
      ],
    ]
  }

  private static func value(_ entry: Item) -> Value {
    let item = entry.item
    return [
      "number": .integer(item.id), "modality": .text(item.modality.title),
      "submodality": .text(item.submodality.wireName), "title": .text(item.submodality.title),
      "device": [
        "name": .text(item.device.name), "address": .text(item.device.address),
        "edited": .text(ExactInstant.text(item.device.edited)), "configuration": item.device.configuration.manifest,
        "trust": value(item.device.trust),
      ],
      "parts": .list(item.submodality.parts.map { .text($0.title) }),
      "conditions": .list(item.annotation.conditions.map { .text($0.rawValue) }),
      "notes": .text(item.annotation.notes), "created": .text(ExactInstant.text(item.created)),
      "modified": .text(ExactInstant.text(item.modified)),
      "captures": .list(entry.captures.map { value($0, of: item) }),
      "lost": .list(entry.losses.map(value)),
    ]
  }

  private static func value(_ trust: SensorTrust) -> Value {
    [
      "pins": .list(trust.pins.map(Value.text)), "authorities": .text(trust.authorities),
      "clientCertificate": .text(trust.clientCertificate), "clientKey": .text(trust.clientKey),
    ]
  }

  private static func value(_ loss: LostPicture) -> Value {
    [
      "act": .integer(loss.act), "place": .integer(loss.place), "captureId": .text(loss.captureID.text),
      "reason": .text(loss.reason),
    ]
  }

  private static func value(_ capture: Capture, of item: BiometricItem) -> Value {
    let record = capture.record
    let subject = record.subject ?? item.subject
    return [
      "number": .integer(record.id), "act": .integer(record.act), "place": .integer(record.place),
      "modality": .text(subject.modality.title), "submodality": .text(subject.submodality.wireName),
      "title": .text(subject.submodality.title), "file": .text(capture.file), "captureId": .text(record.captureID.text),
      "address": .text(record.address), "sizeInBytes": .integer(record.sizeInBytes),
      "sha256": .text(Hexadecimal.text(record.sha256)), "claimedType": .text(record.claimedType),
      "sniffedType": .optional(record.sniffedType), "received": .text(ExactInstant.text(record.received)),
      "quality": record.quality.map { ["score": .integer($0.score), "scorer": .text($0.scorer)] } ?? .null,
      "metadata": record.metadata.manifest,
    ]
  }
}

// MARK: - Reading

extension ExchangeManifest {
  /// Reads a manifest.
  ///
  /// - Throws: ``ExchangeError/badManifest(location:)`` with the path of the first faulty value;
  ///   ``ExchangeError/unknownExport(path:)`` for another format or a newer version.
  init(_ value: Value) throws(ErrorReport) {
    let root = ManifestPlace(value)
    guard root["format"].value.text == Self.format, root["version"].value.integer == Self.version else {
      throw ExchangeError.unknownExport(path: Self.fileName)
    }
    exported = try root["exported"].instant()
    software = try root["software"].text()
    person = try Self.person(root["person"])
    items = []
    for node in try root["items"].list() {
      items.append(try Self.item(node, person: person.id, index: items.count))
    }
    try checkNames()
  }

  /// Checks that no file or id occurs twice.
  private func checkNames() throws(ErrorReport) {
    var files: Set<String> = []
    var ids: Set<String> = []
    for (index, item) in items.enumerated() {
      for (number, capture) in item.captures.enumerated() {
        let location = "items[\(index)].captures[\(number)]"
        guard files.insert(capture.file).inserted else { throw ExchangeError.badManifest(location: location + ".file") }
        guard ids.insert(capture.record.captureID.key).inserted else {
          throw ExchangeError.badManifest(location: location + ".captureId")
        }
      }
      for (number, loss) in item.losses.enumerated() where !ids.insert(loss.captureID.key).inserted {
        throw ExchangeError.badManifest(location: "items[\(index)].lost[\(number)].captureId")
      }
    }
  }

  private static func person(_ node: ManifestPlace) throws(ErrorReport) -> Person {
    let said = node["biography"]
    let biography = Biography(
      firstName: try said["firstName"].text(), middleName: try said["middleName"].text(),
      lastName: try said["lastName"].text(), otherName: try said["otherName"].text(),
      aliases: try said["aliases"].texts(), datesOfBirth: try said["datesOfBirth"].texts(),
      placesOfBirth: try said["placesOfBirth"].texts(), gender: try said["gender"].text(),
      hairColor: try said["hairColor"].text(), race: try said["race"].text(), eyeColor: try said["eyeColor"].text(),
      height: try said["height"].text(), weight: try said["weight"].text(), notes: try said["notes"].text())
    return Person(
      id: try node["number"].integer(), biography: biography, created: try node["created"].instant(),
      modified: try node["modified"].instant())
  }

  private static func item(_ node: ManifestPlace, person: Int, index: Int) throws(ErrorReport) -> Item {
    let subject = try subject(node)
    let said = node["device"]
    let device = DeviceDefinition(
      name: try said["name"].text(), address: try said["address"].text(),
      configuration: try WireDictionary(manifest: said["configuration"]), edited: try said["edited"].instant(),
      trust: try trust(said["trust"]))
    var conditions: [PartCondition] = []
    for entry in try node["conditions"].list() {
      guard let condition = PartCondition(rawValue: try entry.text()) else { throw entry.problem }
      conditions.append(condition)
    }
    guard conditions.count == subject.submodality.parts.count else { throw node["conditions"].problem }
    let item = BiometricItem(
      id: try node["number"].integer(), person: person, index: index, submodality: subject.submodality,
      modality: subject.modality, device: device,
      annotation: Annotation(conditions: conditions, notes: try node["notes"].text()), capture: nil,
      created: try node["created"].instant(), modified: try node["modified"].instant())
    var captures: [Capture] = []
    for entry in try node["captures"].list() { captures.append(try capture(entry, of: item)) }
    var losses: [LostPicture] = []
    // Older exports do not list any.
    if !node["lost"].value.isNull {
      for entry in try node["lost"].list() { losses.append(try loss(entry)) }
    }
    let whole = Item(item: item, captures: captures, losses: losses)
    try whole.checkActs(node)
    return whole
  }

  /// Returns the modality and submodality of an object of the manifest, which must be consistent.
  private static func subject(_ node: ManifestPlace) throws(ErrorReport) -> CaptureSubject {
    let word = try node["submodality"].text()
    let submodality = Submodality(wire: word)
    guard !word.isEmpty, word.utf8.count <= Submodality.mostBytesOfWord else { throw node["submodality"].problem }
    guard let modality = Modality(word: try node["modality"].text()) else { throw node["modality"].problem }
    guard submodality.modality ?? modality == modality else { throw node["submodality"].problem }
    return CaptureSubject(modality: modality, submodality: submodality)
  }

  /// Returns the trust of a sensor, its pins only; older exports do not have it.
  private static func trust(_ node: ManifestPlace) throws(ErrorReport) -> SensorTrust {
    if node.value.isNull { return SensorTrust() }
    var trust = SensorTrust()
    for entry in try node["pins"].list() {
      guard let pin = SensorTrust.pin(try entry.text()) else { throw entry.problem }
      trust.pins.append(pin)
    }
    // Paths of another station do not apply here, and must not make this one present its certificate to a foreign host.
    for name in ["authorities", "clientCertificate", "clientKey"] { _ = try node[name].text() }
    return trust
  }

  private static func loss(_ node: ManifestPlace) throws(ErrorReport) -> LostPicture {
    LostPicture(
      act: try node["act"].integer(in: acts), place: try node["place"].integer(in: places),
      captureID: try node["captureId"].uuid(), reason: try node["reason"].text())
  }

  /// The valid numbers of acts and of places; the store has two bytes for a place.
  private static let (acts, places) = (1...Int(Int32.max), 0...0xFFFF)

  private static func capture(_ node: ManifestPlace, of item: BiometricItem) throws(ErrorReport) -> Capture {
    let file = try node["file"].text()
    guard isSafe(file) else { throw node["file"].problem }
    var quality: CaptureRecord.Quality?
    if !node["quality"].value.isNull {
      let said = node["quality"]
      quality = .init(score: try said["score"].integer(in: 0...100), scorer: try said["scorer"].text())
    }
    var record = CaptureRecord(
      id: try node["number"].integer(), item: item.id, captureID: try node["captureId"].uuid(),
      address: try node["address"].text(), sizeInBytes: try node["sizeInBytes"].integer(atLeast: 0),
      sha256: try node["sha256"].digest(), claimedType: try node["claimedType"].text(),
      sniffedType: try node["sniffedType"].optionalText(),
      metadata: try WireDictionary(manifest: node["metadata"]), received: try node["received"].instant(),
      quality: quality, subject: item.subject)
    // Older exports have no acts: each capture is an act of its own, with the subject of its item.
    if !node["act"].value.isNull {
      record.act = try node["act"].integer(in: acts)
      record.place = try node["place"].integer(in: places)
      record.subject = try subject(node)
    }
    return Capture(record: record, file: file)
  }

  /// Returns true if a name is that of a file in the folder of captures.
  ///
  /// A manifest cannot refer to any other file.
  static func isSafe(_ file: String) -> Bool {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "captures", (1...120).contains(parts[1].utf8.count) else { return false }
    return parts[1].first != "."
      && parts[1].utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
          || $0 == 0x2E
      }
  }
}

extension ExchangeManifest.Item {
  /// Creates the exported form of an item: acts are counted from 1, newest first, and places from 0 without gaps, so
  /// that an import restores the same.
  ///
  /// - Parameter captures: The captures in the store's order, grouped by act.
  init(_ item: BiometricItem, _ captures: [CaptureRecord], _ losses: [LostPicture]) {
    var bare = item
    bare.forgetCaptures()
    var acts: [Int: Int] = [:]
    for capture in captures where acts[capture.act] == nil { acts[capture.act] = acts.count + 1 }
    let taken = captures.map { ($0.act, $0.place) } + losses.map { ($0.act, $0.place) }
    let places = Dictionary(grouping: taken, by: \.0).mapValues { $0.map(\.1).sorted() }
    func renumbered(_ index: Int, in act: Int) -> Int { places[act]?.firstIndex(of: index) ?? 0 }
    let numbered = captures.enumerated().map { number, record in
      var numbered = record
      (numbered.act, numbered.place) = (acts[record.act] ?? 1, renumbered(record.place, in: record.act))
      return ExchangeManifest.Capture(
        record: numbered, file: ExchangeManifest.file(item: item, number: number + 1, record))
    }
    let missed = losses.compactMap { loss in
      acts[loss.act].map {
        LostPicture(
          act: $0, place: renumbered(loss.place, in: loss.act), captureID: loss.captureID, reason: loss.reason)
      }
    }
    self.init(item: bare, captures: numbered, losses: missed)
  }

  /// Checks that the numbers of acts and places are consistent.
  ///
  /// Captures of an act follow one another in the order of their places, and have the same subject. Either all captures
  /// have an act or, in older exports, none has.
  fileprivate func checkActs(_ item: ManifestPlace) throws(ErrorReport) {
    var places: [Int: Set<Int>] = [:]
    var last: CaptureRecord?
    for (number, capture) in captures.enumerated() {
      let record = capture.record
      let said = ManifestPlace(.null, path: "\(item.path).captures[\(number)]")
      if let last, (last.act == 0) != (record.act == 0) { throw said["act"].problem }
      defer { last = record }
      if record.act == 0 { continue }
      if let last, last.act == record.act {
        guard last.place < record.place else { throw said["place"].problem }
        guard last.subject == record.subject else { throw said["submodality"].problem }
      } else if places[record.act] != nil {
        throw said["act"].problem
      }
      places[record.act, default: []].insert(record.place)
    }
    for (number, loss) in losses.enumerated() {
      let said = ManifestPlace(.null, path: "\(item.path).lost[\(number)]")
      guard places[loss.act] != nil else { throw said["act"].problem }
      guard places[loss.act]?.insert(loss.place).inserted ?? false else { throw said["place"].problem }
    }
  }
}
