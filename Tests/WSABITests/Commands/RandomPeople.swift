import Foundation
import PluginAPI

@testable import WSABI
@testable import WSABISimulator

/// Random people, with everything that records can hold.
struct RandomPeople {
  private var chance: SeededChance
  private var captureNumber: Int

  init(seed: UInt64) {
    chance = SeededChance(seed)
    captureNumber = Int(seed % 1000) << 20
  }

  /// Returns the number of people in a test; WORKBENCH_EXCHANGE_PEOPLE raises it.
  static func count(usually usual: Int) -> Int {
    ProcessInfo.processInfo.environment["WORKBENCH_EXCHANGE_PEOPLE"].flatMap { Int($0) } ?? usual
  }

  /// Letters of many scripts, and characters that formats use.
  private static let letters = Array(
    "abcZÖé中ع🙂 \"\\/<>&;,:\n\t\u{0}\u{1C}\u{1D}\u{1E}\u{1F}\u{7F}\u{301}'=%{}[]")

  mutating func text(_ most: Int = 12) -> String {
    String((0..<chance.below(most + 1)).map { _ in Self.letters[chance.below(Self.letters.count)] })
  }

  mutating func below(_ bound: Int) -> Int { chance.below(bound) }

  mutating func instant() -> Instant {
    Instant(
      seconds: Int64(chance.below(4_000_000_000)) - 500_000_000, nanoseconds: Int32(chance.below(3) * 333_333_333))
  }

  mutating func biography() -> Biography {
    func texts(_ people: inout RandomPeople) -> [String] { (0..<people.chance.below(4)).map { _ in people.text() } }
    return Biography(
      firstName: text(), middleName: text(), lastName: text(), otherName: text(), aliases: texts(&self),
      datesOfBirth: texts(&self), placesOfBirth: texts(&self), gender: text(), hairColor: text(), race: text(),
      eyeColor: text(), height: text(), weight: text(), notes: text(300))
  }

  mutating func wireValue(_ level: Int = 0) -> WireValue {
    switch chance.below(level > 3 ? 10 : 16) {
    case 0: .null
    case 1: .string(text())
    case 2: .boolean(chance.below(2) == 0)
    case 3: .integer([0, 1, -7, .max, .min][chance.below(5)], type: "int")
    case 4: .decimal("-0.10000000000000000000000000001", type: "decimal")
    case 5:
      .double(
        [0, -0.0, 0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude][chance.below(7)],
        type: "double")
    case 6: .dateTime("2011-12-05T20:01:19.3921234-05:00")
    case 7: .bytes((0..<chance.below(9)).map { UInt8(truncatingIfNeeded: $0 &* 77) })
    case 8: .uri("http://127.0.0.1/?a=b&c")
    case 9: .other(text(), type: "int")
    case 10:
      .range(
        WireRange(
          minimum: wireValue(level + 1), maximum: chance.below(2) == 0 ? nil : wireValue(level + 1),
          minimumIsExclusive: nil, maximumIsExclusive: true))
    case 11: .resolution(WireResolution(width: "19.685", height: "500", unit: chance.below(2) == 0 ? nil : text()))
    case 12: .resource(WireResource(uri: text(), contentType: "image/png", relationship: nil))
    case 13:
      .parameter(
        SensorParameter(
          name: text(), type: "int", isReadOnly: true, supportsMultiple: false, defaultValue: wireValue(level + 1),
          allowedValues: [wireValue(level + 1), wireValue(level + 1)]))
    case 14: .array([wireValue(level + 1), wireValue(level + 1)], type: "Array")
    default: .dictionary(dictionary(level + 1))
    }
  }

  mutating func dictionary(_ level: Int = 0) -> WireDictionary {
    WireDictionary((0..<chance.below(5)).map { WireDictionary.Item("\($0)" + text(4), wireValue(level)) })
  }

  mutating func device() -> DeviceDefinition {
    DeviceDefinition(
      name: text(), address: "http://127.0.0.1:8000/" + text(3), configuration: dictionary(), edited: instant())
  }

  mutating func submodality() -> Submodality {
    chance.below(8) == 0 ? Submodality(wire: "Odd" + text()) : Submodality.known[chance.below(Submodality.known.count)]
  }

  mutating func data(pieces: Int = 4) -> [UInt8] {
    let count = [0, 1, 100, 5000, 300_000][chance.below(pieces)]
    var state = chance.next() | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  /// Puts a person with items and captures into a store.
  ///
  /// - Returns: Their number.
  mutating func add(to records: RecordStore, items most: Int = 6) async throws -> Int {
    let person = try await records.addPerson(biography(), at: instant())
    for _ in 0..<chance.below(most + 1) {
      let submodality = submodality()
      let draft = DraftItem(
        person: person.id, modality: submodality.modality ?? .iris, submodality: submodality, device: device())
      let item = try await records.addItem(draft, at: instant())
      let conditions = submodality.parts.map { _ in PartCondition.allCases[chance.below(4)] }
      _ = try await records.annotate(item.id, Annotation(conditions: conditions, notes: text(40)), at: instant())
      for _ in 0..<[0, 1, 1, 3][chance.below(4)] {
        if chance.below(4) == 0 {
          try await addAct(to: item.id, records)
          continue
        }
        captureNumber += 1
        let record = try await records.sampleCapture(
          item.id, StoreSamples.uuid(captureNumber), data(), metadata: dictionary())
        if chance.below(2) == 0 {
          _ = try await records.setQuality(of: record.id, .init(score: chance.below(101), scorer: text()))
        }
      }
    }
    _ = try await records.edit(person: person.id, person.biography, at: instant())
    return person.id
  }

  /// Adds several pictures of one response, one of which may be missing.
  private mutating func addAct(to item: Int, _ records: RecordStore) async throws {
    let lost = chance.below(4)
    var pictures: [(id: Int, data: [UInt8]?, part: String)] = []
    for place in 0..<chance.below(3) + 2 {
      captureNumber += 1
      pictures.append((captureNumber, place == lost && place > 0 ? nil : data(), text(6)))
    }
    try await records.sampleAct(item, pictures)
  }
}
