import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

/// Transactions of ANSI/NIST-ITL from the store and into it, checked by the reader that shares no code with them.
@Suite struct TransactionExchangeTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  /// Returns a distinct picture for each number.
  private func bitmap(_ number: Int) -> [UInt8] {
    var image = GrayImage(width: 40 + number % 7, height: 30, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(truncatingIfNeeded: place &* (number &+ 3)) }
    for place in 0..<4 { image.pixels[place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    return image.bitmap
  }

  /// Returns a distinct color picture for each number, with the rows from the bottom, and blue before green before red.
  private func coloredBitmap(_ number: Int) -> [UInt8] {
    let (width, height) = (40 + number % 7, 30)
    let padding = [UInt8](repeating: 0, count: (4 - 3 * width % 4) % 4)
    func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    let size = (3 * width + padding.count) * height
    var bytes = Array("BM".utf8) + word(54 + size) + word(0) + word(54)
    bytes += word(40) + word(width) + word(height) + [1, 0, 24, 0] + word(0) + word(size)
    // 500 pixels per inch.
    bytes += word(19_685) + word(19_685) + word(0) + word(0)
    for row in 0..<height {
      for column in 0..<width {
        let place = row * width + column
        let own = place == 0 ? number : place &* (number &+ 3)
        bytes += word(own).prefix(2) + [UInt8(truncatingIfNeeded: place &* 7 &+ 1)]
      }
      bytes += padding
    }
    return bytes
  }

  /// The header of a test bitmap, read from its layout.
  private struct Bitmap {
    let isColored: Bool
    let width: Int
    /// From the top, without padding, red before green before blue.
    var rows: [UInt8] = []

    init(_ bytes: [UInt8]) {
      isColored = bytes[28] == 24
      width = Int(bytes[18])
      let (samples, start) = isColored ? (3, 54) : (1, 1078)
      let padded = (width * samples + 3) / 4 * 4
      for row in (0..<30).reversed() {
        let place = start + row * padded
        let line = Array(bytes[place..<place + width * samples])
        rows += stride(from: 0, to: line.count, by: samples).flatMap { line[$0..<$0 + samples].reversed() }
      }
    }
  }

  @Test func `random people are read field by field by an independent reader, and imported into a store`() async throws
  {
    let (source, target) = (try await here.create(), try await there.create())
    var people = RandomPeople(seed: 5)
    let words = Submodality.standard.filter { [.finger, .face, .iris].contains($0.modality) }
    let count = RandomPeople.count(usually: 20)
    for number in 0..<count {
      let biography = people.biography()
      let person = try await source.addPerson(biography, at: StoreFolder.time)
      var expected: [(Submodality, [UInt8], [PartCondition], String)] = []
      for place in 0..<people.below(5) {
        let submodality = words[people.below(words.count)]
        let item = try await source.addItem(StoreSamples.draft(person.id, submodality.wireName), at: StoreFolder.time)
        let isColored = submodality.modality == .face && place % 2 == 0
        let data = isColored ? coloredBitmap(number * 8 + place) : bitmap(number * 8 + place)
        try await source.sampleCapture(item.id, StoreSamples.uuid(number * 8 + place + 1), data)
        let conditions = submodality.parts.map { _ in PartCondition.allCases[people.below(4)] }
        let notes = people.text(200)
        _ = try await source.annotate(item.id, Annotation(conditions: conditions, notes: notes), at: StoreFolder.time)
        expected.append((submodality, data, conditions, notes))
      }
      let path = folder + "/\(number).an2"
      let export = PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      let outcome = try await export.writeTransaction(
        to: path, .init(controlNumber: "T\(number)", created: StoreFolder.time))
      #expect(outcome.captures == expected.count && outcome.leftOut.isEmpty)
      let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records
      #expect(records.map(\.type).prefix(2) == ["1", "2"] && records.count == 2 + expected.count)
      check(first: records[0], records, number: "T\(number)")
      check(second: records[1], biography)
      for (place, (record, item)) in zip(records.dropFirst(2), expected).enumerated() {
        check(record, item.0, item.1, item.2, item.3, identifier: place + 1)
      }
      let read = try await PersonImport(records: target, takesKnownData: false, now: StoreFolder.time).read(path) { _ in
      }
      let items = try await target.items(of: read.person)
      #expect(items.count == expected.count)
      for (item, before) in zip(items, expected) {
        let capture = try #require(item.capture)
        let bitmap = Bitmap(before.1)
        let data = try await target.data(of: capture)
        // Colors become a PNG of the same pixels.
        if bitmap.isColored {
          #expect(try CapturePicture.picture(data).pixels == CapturePicture.picture(before.1).pixels)
        } else {
          #expect(data == before.1)
        }
        #expect(capture.sniffedType == (bitmap.isColored ? "image/png" : "image/bmp"))
        #expect(capture.received == Instant(seconds: 1_789_948_800))
        if before.0.parts == item.submodality.parts { #expect(item.annotation.conditions == before.2) }
        #expect(item.annotation.notes == Self.plain(before.3))
        #expect(try await target.thumbnail(of: capture.id) != nil)
      }
      if !expected.isEmpty {
        await #expect(throws: ErrorReport.self) {
          try await PersonImport(records: target, takesKnownData: true, now: StoreFolder.time).read(path) { _ in }
        }
      }
    }
    #expect(try await target.people(0..<1).total == count)
    CampaignLine(
      "people in AN2K transactions", seed: 5, runs: count, words: "all read field by field by another reader"
    ).print()
    await source.close()
    await target.close()
  }

  @Test func `faces and irises in color are read field by field by an independent reader, and imported`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    let words = ["Face2d", "Face2d", "LeftIris", "RightThumbFlat"]
    let pictures = [coloredBitmap(1), bitmap(2), coloredBitmap(3), coloredBitmap(4)]
    for (place, (word, data)) in zip(words, pictures).enumerated() {
      let item = try await source.addItem(StoreSamples.draft(person.id, word), at: StoreFolder.time)
      try await source.sampleCapture(item.id, StoreSamples.uuid(place + 1), data)
    }
    let path = folder + "/colors.an2"
    _ = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.dropFirst(2)
    #expect(records.map(\.type) == ["10", "10", "17", "14"])
    for (place, (record, (word, data))) in zip(records, zip(words, pictures)).enumerated() {
      let submodality = Submodality(wire: word)
      let conditions = submodality.parts.map { _ in PartCondition.present }
      check(record, submodality, data, conditions, "", identifier: place + 1)
    }
    #expect(records.first?.texts["10.012"] == "SRGB" && records.first?.image.count == 3 * 41 * 30)
    let read = try await PersonImport(records: target, takesKnownData: false, now: StoreFolder.time).read(path) { _ in }
    for (item, data) in zip(try await target.items(of: read.person), pictures) {
      let found = try await target.data(of: try #require(item.capture))
      #expect(try CapturePicture.picture(found).pixels == CapturePicture.picture(data).pixels)
    }
    await source.close()
    await target.close()
  }

  /// Returns a text without control characters: all below the blank except tabs and line ends, and delete.
  private static func plain(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 >= 32 && $0 != 127 || [9, 10, 13].contains($0) }, as: UTF8.self)
  }

  /// Checks the record that lists all records, field by field.
  private func check(first: PlainITLReader.Record, _ records: [PlainITLReader.Record], number: String) {
    let others = records.dropFirst()
    let contents = others.enumerated().map { "\u{1E}\($1.type)\u{1F}\($0 < 10 ? "0" : "")\($0)" }.joined()
    var expected = ["002": "0500", "003": "1\u{1F}\(others.count)" + contents, "004": "BIO", "005": "20260528"]
    expected.merge(["007": "UNKNOWN", "008": "WORKBENCH", "009": number, "011": "00.00", "012": "00.00"]) { $1 }
    expected.merge(["013": "WORKBENCH\u{1F}1.0", "014": "20260528202640Z"]) { $1 }
    let isASCII = records.allSatisfy { $0.texts.values.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } } }
    if !isASCII { expected["015"] = "003\u{1F}UTF-8" }
    #expect(first.differences(from: expected) == [])
  }

  /// Checks the record of a person's details, field by field.
  private func check(second: PlainITLReader.Record, _ said: Biography) {
    let given = [said.firstName, said.middleName].filter { !$0.isEmpty }.joined(separator: " ")
    let name = [said.lastName, given].filter { !$0.isEmpty }.joined(separator: ",")
    var expected = ["002": "00"]
    func put(_ number: String, _ texts: [String]) {
      let texts = texts.map(Self.plain).filter { !$0.isEmpty }
      if !texts.isEmpty { expected[number] = texts.joined(separator: "\u{1E}") }
    }
    put("018", [name.isEmpty ? said.otherName : name])
    put("019", said.aliases)
    put("020", said.placesOfBirth)
    put("022", said.datesOfBirth)
    let plain = [("024", said.gender), ("025", said.race), ("027", said.height), ("029", said.weight)]
    for (number, text) in plain + [("031", said.eyeColor), ("032", said.hairColor), ("056", said.notes)] {
      put(number, [text])
    }
    let names = [said.firstName, said.middleName, said.lastName, said.otherName].map(Self.plain)
    if names != ["", "", "", ""] { expected["200"] = names.joined(separator: "\u{1F}") }
    #expect(second.differences(from: expected) == [])
  }

  /// The codes of missing fingers, as in the standard.
  private static let codes = ["amputated": "XX", "unprintable": "UP", "bandaged": "UP"]

  /// Returns the friction ridge positions of the fingers that a capture shows.
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, table 8: 1 to 5 are the right thumb to the right little finger, 6 to 10 the left.
  private static func fingers(_ word: String) -> [Int] {
    let slaps = ["LeftSlap": [7, 8, 9, 10], "RightSlap": [2, 3, 4, 5], "ThumbsSlap": [6, 1]]
    let right = ["Thumb": 1, "Index": 2, "Middle": 3, "Ring": 4, "Little": 5]
    if let fingers = slaps[word] { return fingers }
    return right.filter { word.contains($0.key) }.map { $0.value + (word.hasPrefix("Left") ? 5 : 0) }
  }

  /// Checks a picture record against the standard's layout.
  private func check(
    _ record: PlainITLReader.Record, _ submodality: Submodality, _ data: [UInt8], _ conditions: [PartCondition],
    _ notes: String, identifier: Int
  ) {
    let type = [Modality.finger: "14", .face: "10", .iris: "17"][submodality.modality ?? .other] ?? ""
    #expect(record.type == type)
    let bitmap = Bitmap(data)
    let (depth, space) = bitmap.isColored ? ("24", "SRGB") : ("8", "GRAY")
    var expected = ["002": "0\(identifier)", "004": "WORKBENCH", "005": "20260921"]
    expected.merge(["006": "\(bitmap.width)", "007": "30", "008": "1", "009": "500", "010": "500"]) { $1 }
    expected["011"] = "NONE"
    switch type {
    case "14":
      expected["003"] = submodality.wireName.hasSuffix("Rolled") ? "1" : "0"
      expected["012"] = depth
      expected["013"] = "\(Self.position(submodality.wireName))"
    case "10":
      expected.merge(["003": "FACE", "012": space, "013": "0"]) { $1 }
      if submodality.wireName == "frontalFace" { expected["020"] = "F" }
    default:
      expected["003"] = ["RightIris": "1", "LeftIris": "2", "BothIrises": "0"][submodality.wireName]
      expected.merge(["012": depth, "013": space]) { $1 }
    }
    let codes = zip(Self.fingers(submodality.wireName), conditions).compactMap { finger, condition in
      Self.codes[condition.rawValue].map { "\(finger)\u{1F}\($0)" }
    }
    if type == "14", !codes.isEmpty { expected["018"] = codes.joined(separator: "\u{1E}") }
    let bandaged = zip(submodality.parts, conditions).filter { $1 == .bandaged }.map(\.0.title)
    let words = [Self.plain(notes), bandaged.isEmpty ? "" : "bandaged: " + bandaged.joined(separator: ", ")]
    let blanks = words.filter { !$0.isEmpty }.joined(separator: "; ").utf8.map { [9, 10, 13].contains($0) ? 32 : $0 }
    let comment = String(decoding: blanks, as: UTF8.self).unicodeScalars.prefix(126)
    let field = ["14": "020", "10": "038", "17": "021"][type] ?? ""
    if !comment.isEmpty { expected[field] = String(comment) }
    // Text without room in a field is kept in full elsewhere: the notes, then each part in an abnormal condition.
    let parts = zip(submodality.parts, conditions).filter { $1 != .present }.map { "\($0.title)\u{1F}\($1.rawValue)" }
    if !comment.isEmpty || !parts.isEmpty {
      expected["200"] = ([Self.plain(notes)] + parts).joined(separator: "\u{1E}")
    }
    #expect(record.differences(from: expected) == [])
    #expect(record.image == bitmap.rows)
  }

  /// Returns the friction ridge position of a capture's subject.
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, table 8.
  private static func position(_ word: String) -> Int {
    let own = ["RightThumbFlat": 11, "LeftThumbFlat": 12, "RightSlap": 13, "LeftSlap": 14, "ThumbsSlap": 15]
    return own[word] ?? fingers(word).first ?? -1
  }

  @Test func `a picture without a scale has the one that its service states, also for its score`() async throws {
    let source = try await here.create()
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    let stated = WireDictionary([.init("imageDensity", .string("1000"))])
    let bare = GrayImage(width: 40, height: 30, gray: 9, pixelsPerInch: 0)
    var images = [bare, bare, GrayImage(width: 40, height: 30, gray: 9, pixelsPerInch: 250)]
    for place in images.indices { images[place].pixels[0] = UInt8(place) }
    for (place, (image, metadata)) in zip(images, [stated, WireDictionary(), stated]).enumerated() {
      let item = try await source.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
      let record = try await source.sampleCapture(
        item.id, StoreSamples.uuid(place + 1), image.bitmap, metadata: metadata)
      let gray = try CapturePicture.gray(
        try await source.data(of: record), statedPixelsPerInch: record.statedPixelsPerInch)
      #expect(gray.pixelsPerInch == [1000, 500, 250][place])
    }
    let path = folder + "/scales.an2"
    _ = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.dropFirst(2)
    #expect(records.map { $0.texts["14.008"] } == ["1", "0", "1"])
    #expect(records.map { $0.texts["14.009"] } == ["1000", "1", "250"])
    await source.close()
  }

  @Test func `a file with the same bytes in several records is imported, each record once`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    for number in 1...3 {
      let item = try await source.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
      try await source.sampleCapture(item.id, StoreSamples.uuid(number), bitmap(1))
    }
    let path = folder + "/same.an2"
    _ = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    let read = try await PersonImport(records: target, takesKnownData: false, now: StoreFolder.time).read(path) { _ in }
    #expect(read.captures == 3)
    for item in try await target.items(of: read.person) {
      #expect(try await target.data(of: try #require(item.capture)) == bitmap(1))
    }
    for known in [false, true] {
      await #expect(throws: ErrorReport.self) {
        try await PersonImport(records: target, takesKnownData: known, now: StoreFolder.time).read(path) { _ in }
      }
    }
    #expect(try await target.check(readsData: true).isEmpty)
    await source.close()
    await target.close()
  }

  @Test func `items that do not fit a transaction are listed, and the others are written`() async throws {
    let source = try await here.create()
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    let voice = try await source.addItem(StoreSamples.draft(person.id, "Voice"), at: StoreFolder.time)
    try await source.sampleCapture(voice.id, StoreSamples.uuid(1), [1, 2, 3])
    let finger = try await source.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
    try await source.sampleCapture(finger.id, StoreSamples.uuid(2), [1, 2, 3])
    let face = try await source.addItem(StoreSamples.draft(person.id, "Face2d"), at: StoreFolder.time)
    try await source.sampleCapture(face.id, StoreSamples.uuid(3), bitmap(1))
    let path = folder + "/a.an2"
    let outcome = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    #expect(outcome.captures == 1 && outcome.leftOut.map(\.item.id) == [voice.id, finger.id])
    let reasons = outcome.leftOut.map(\.reason).filter { $0.contains("picture") || $0.contains("record type") }
    #expect(reasons.count == 2)
    #expect(try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.count == 3)
    #expect(try ExchangeFiles.form(of: path) == .an2k)
    await source.close()
  }
}
