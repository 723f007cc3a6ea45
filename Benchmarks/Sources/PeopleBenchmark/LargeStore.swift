import BenchmarkSupport
import PluginAPI
import PluginVault

@testable import WSABI

/// A store of many people with many items, on the device.
struct LargeStore {
  let people: Int
  let items: Int
  let path: String
  /// Every so many items have a capture.
  static let itemsPerCapture = 5
  static let key = VaultKeySource.key([UInt8](repeating: 0x5A, count: 32))

  private static let first = ["Ada", "Bruno", "Chloë", "Dmitri", "Eszter", "Farid", "Greta", "Hiro", "Inés", "Jürgen"]
  private static let last = [
    "Almeida", "Bergström", "Castillo", "Dubois", "Eriksen", "Fischer", "Gallo", "Horváth", "Ivanova", "Jansen",
  ]
  private static let words = [
    "RightThumbFlat", "RightIndexFlat", "RightMiddleFlat", "RightRingFlat", "RightLittleFlat", "LeftThumbFlat",
    "LeftIndexFlat", "LeftMiddleFlat", "LeftRingFlat", "LeftLittleFlat",
  ]

  /// Returns the data of a person with a number.
  static func biography(_ number: Int) -> Biography {
    var biography = Biography()
    biography.firstName = first[number % 10]
    biography.middleName = "M\(number % 97)"
    biography.lastName = last[number / 10 % 10] + "-\(number)"
    biography.placesOfBirth = ["Town \(number % 311)"]
    biography.datesOfBirth = ["19\(50 + number % 50)-0\(1 + number % 9)-1\(number % 10)"]
    biography.notes = "enrolled at desk \(number % 13), came back \(number % 3) times"
    return biography
  }

  /// Makes the store.
  func fill() async throws {
    let store = try await RecordStore.create(at: path, key: Self.key)
    let time = RecordStore.systemClock()
    for start in stride(from: 0, to: people, by: 200) {
      // Writes that wait at the same time are combined.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in start..<min(people, start + 200) {
          group.addTask {
            _ = try await store.importPerson(try await imported(number, time, store), from: "benchmark")
          }
        }
        try await group.waitForAll()
      }
    }
    await store.close()
  }

  private func imported(_ number: Int, _ time: Instant, _ store: RecordStore) async throws -> ImportedPerson {
    let person = Person(id: 0, biography: Self.biography(number), created: time, modified: time)
    var all: [ImportedPerson.Item] = []
    for place in 0..<items {
      let submodality = Submodality(wire: Self.words[place % 10])
      let device = DeviceDefinition(
        name: "desk \(place)", address: "http://127.0.0.1:8000/sensor/\(place)",
        configuration: WireDictionary([.init("submodality", .string(Self.words[place % 10]))]), edited: time)
      let draft = DraftItem(person: 0, modality: .finger, submodality: submodality, device: device)
      let isCaptured = place % Self.itemsPerCapture == 0
      all.append(
        ImportedPerson.Item(
          item: BiometricItem(draft, id: 0, index: place, at: time),
          captures: isCaptured ? [try await capture(number, place, time, store)] : []))
    }
    return ImportedPerson(person: person, items: all)
  }

  /// Small, as it is the rows that are looked for, shown and destroyed; what is captured has no other than its number.
  private func capture(
    _ number: Int, _ place: Int, _ time: Instant, _ store: RecordStore
  ) async throws -> ImportedPerson.Capture {
    let data = Array("capture \(place) of person \(number)".utf8) + [UInt8](repeating: 0x5A, count: 600)
    let digest = SHA256Digest.of(data)
    guard let id = SHA256Digest.id(digest) else { throw VaultError.sinkClosed }
    let sink = try await store.importSink()
    try data.withUnsafeBytes { try sink.write($0) }
    let record = CaptureRecord(
      id: 0, item: 0, captureID: id, address: "http://127.0.0.1:8000/sensor/\(place)", sizeInBytes: data.count,
      sha256: digest, claimedType: "image/bmp", sniffedType: nil,
      metadata: WireDictionary([.init("submodality", .string(Self.words[place % 10]))]), received: time,
      quality: .init(score: number % 101, scorer: "benchmark"))
    return ImportedPerson.Capture(record: record, sink: sink, thumbnail: Array(data.prefix(200)))
  }
}
