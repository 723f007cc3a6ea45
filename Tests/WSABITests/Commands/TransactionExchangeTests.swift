import Foundation
import PluginAPI
import Testing

@testable import WSABI

/// Transactions of ANSI/NIST-ITL out of the store and into it, judged by the reader that shares nothing with them.
@Suite struct TransactionExchangeTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  /// A picture of its own for each number.
  private func bitmap(_ number: Int) -> [UInt8] {
    var image = GreyImage(width: 40 + number % 7, height: 30, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(truncatingIfNeeded: place &* (number &+ 3)) }
    for place in 0..<4 { image.pixels[place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    return BitmapFile.bytes(of: image)
  }

  @Test func `random people are read field by field by another reader, and come back into a store`() async throws {
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
        let data = bitmap(number * 8 + place)
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
      #expect(records.count == 2 + expected.count && records[0].texts["1.009"] == "T\(number)")
      check(first: records[0], records)
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
        #expect(try await target.data(of: capture) == before.1)
        #expect(capture.sniffedType == "image/bmp" && capture.received == Instant(seconds: 1_789_948_800))
        if before.0.parts == item.submodality.parts { #expect(item.annotation.conditions == before.2) }
        #expect(item.annotation.notes == Self.plain(before.3))
        #expect(try await target.thumbnail(of: capture.id) != nil)
      }
      if !expected.isEmpty {
        await #expect(throws: ExchangeError.self) {
          try await PersonImport(records: target, takesKnownData: true, now: StoreFolder.time).read(path) { _ in }
        }
      }
    }
    #expect(try await target.people(0..<1).total == count)
    await source.close()
    await target.close()
  }

  /// A text without what separates fields.
  private static func plain(_ text: String) -> String {
    String(decoding: text.utf8.filter { !(0x1C...0x1F).contains($0) }, as: UTF8.self)
  }

  /// The record of all records, field by field.
  private func check(first: PlainITLReader.Record, _ records: [PlainITLReader.Record]) {
    let others = records.dropFirst()
    let contents = others.enumerated().map { "\u{1E}\($1.type)\u{1F}\($0 < 10 ? "0" : "")\($0)" }.joined()
    var expected = ["1.002": "0500", "1.003": "1\u{1F}\(others.count)" + contents, "1.004": "BIO", "1.005": "20260528"]
    expected.merge(["1.007": "UNKNOWN", "1.008": "WORKBENCH", "1.011": "00.00", "1.012": "00.00"]) { $1 }
    expected.merge(["1.013": "WORKBENCH\u{1F}1.0", "1.014": "20260528202640Z", "1.015": "003\u{1F}UTF-8"]) { $1 }
    var found = first.texts
    for key in ["1.001", "1.009"] { found[key] = nil }
    #expect(found == expected)
  }

  /// The record of what is said of a person, field by field.
  private func check(second: PlainITLReader.Record, _ said: Biography) {
    let given = [said.firstName, said.middleName].filter { !$0.isEmpty }.joined(separator: " ")
    let name = [said.lastName, given].filter { !$0.isEmpty }.joined(separator: ",")
    var expected = ["2.002": "00"]
    func put(_ number: String, _ texts: [String]) {
      let texts = texts.map(Self.plain).filter { !$0.isEmpty }
      if !texts.isEmpty { expected["2.\(number)"] = texts.joined(separator: "\u{1E}") }
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
    if names != ["", "", "", ""] { expected["2.200"] = names.joined(separator: "\u{1F}") }
    var found = second.texts
    found["2.001"] = nil
    #expect(found == expected)
  }

  /// The codes of missing fingers, as the standard has them.
  private static let codes = ["amputated": "XX", "unprintable": "UP", "bandaged": "UP"]

  /// The friction ridge positions of the fingers that a capture shows.
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, table 8: 1 to 5 are the right thumb to the right little finger, 6 to 10 the left.
  private static func fingers(_ word: String) -> [Int] {
    let slaps = ["LeftSlap": [7, 8, 9, 10], "RightSlap": [2, 3, 4, 5], "ThumbsSlap": [6, 1]]
    let right = ["Thumb": 1, "Index": 2, "Middle": 3, "Ring": 4, "Little": 5]
    if let fingers = slaps[word] { return fingers }
    return right.filter { word.contains($0.key) }.map { $0.value + (word.hasPrefix("Left") ? 5 : 0) }
  }

  /// A picture record as the standard's layout has it.
  private func check(
    _ record: PlainITLReader.Record, _ submodality: Submodality, _ data: [UInt8], _ conditions: [PartCondition],
    _ notes: String, identifier: Int
  ) {
    let type = [Modality.finger: "14", .face: "10", .iris: "17"][submodality.modality ?? .other] ?? ""
    #expect(record.type == type)
    let header = PictureHeader(data)
    #expect(record.texts["\(type).006"] == header.map { "\($0.width)" } && record.texts["\(type).007"] == "30")
    #expect(record.texts["\(type).009"] == "500" && record.texts["\(type).011"] == "NONE")
    #expect(record.texts["\(type).005"] == "20260921")
    #expect(record.texts["\(type).002"] == "0\(identifier)" && record.texts["\(type).004"] == "WORKBENCH")
    #expect(record.texts["\(type).008"] == "1" && record.texts["\(type).010"] == "500")
    if type == "10" { #expect(record.texts["10.003"] == "FACE" && record.texts["10.012"] == "GRAY") }
    if type == "10" { #expect(record.texts["10.013"] == "0" && record.texts["10.020"] == "F") }
    if type == "17" { #expect(record.texts["17.012"] == "8" && record.texts["17.013"] == "GRAY") }
    let eyes = ["RightIris": "1", "LeftIris": "2", "BothIrises": "0"]
    if type == "17" { #expect(record.texts["17.003"] == eyes[submodality.wireName]) }
    let bandaged = zip(submodality.parts, conditions).filter { $1 == .bandaged }.map(\.0.title)
    let words = [Self.plain(notes), bandaged.isEmpty ? "" : "bandaged: " + bandaged.joined(separator: ", ")]
    let comment = words.filter { !$0.isEmpty }.joined(separator: "; ").unicodeScalars.prefix(126)
    let field = ["14": "14.020", "10": "10.038", "17": "17.021"][type] ?? ""
    #expect(record.texts[field] == (comment.isEmpty ? nil : String(comment)))
    // Rows of a bitmap stand from the bottom, padded; those of a transaction from the top.
    let width = header?.width ?? 0
    let padded = (width + 3) / 4 * 4
    var rows: [UInt8] = []
    for row in (0..<30).reversed() {
      let start = 1078 + row * padded
      rows += data[start..<start + width]
    }
    #expect(record.image == rows)
    let codes = zip(Self.fingers(submodality.wireName), conditions).compactMap { finger, condition in
      Self.codes[condition.rawValue].map { "\(finger)\u{1F}\($0)" }
    }
    if type == "14" {
      #expect(record.texts["14.018"] == (codes.isEmpty ? nil : codes.joined(separator: "\u{1E}")))
      let positions = [
        "RightThumbFlat": 11, "LeftThumbFlat": 12, "RightSlap": 13, "LeftSlap": 14, "ThumbsSlap": 15,
      ]
      let digits = ["Thumb", "Index", "Middle", "Ring", "Little"]
      let single = digits.firstIndex { submodality.wireName.contains($0) }.map {
        $0 + (submodality.wireName.hasPrefix("Left") ? 6 : 1)
      }
      let position = positions[submodality.wireName] ?? single ?? -1
      #expect(record.texts["14.013"] == "\(position)" && record.texts["14.012"] == "8")
      #expect(record.texts["14.003"] == (submodality.wireName.hasSuffix("Rolled") ? "1" : "0"))
    }
  }

  @Test func `what no transaction takes is named, and the rest is written`() async throws {
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
