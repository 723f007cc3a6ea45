import BenchmarkSupport
import PluginAPI

@testable import WSABI

/// A store of many people with many items, on the device.
struct LargeStore {
  let people: Int
  let items: Int
  let path: String
  static let key = VaultKeySource.key([UInt8](repeating: 0x5A, count: 32))

  private static let first = ["Ada", "Bruno", "Chloë", "Dmitri", "Eszter", "Farid", "Greta", "Hiro", "Inés", "Jürgen"]
  private static let last = [
    "Almeida", "Bergström", "Castillo", "Dubois", "Eriksen", "Fischer", "Gallo", "Horváth", "Ivanova", "Jansen",
  ]
  private static let words = [
    "RightThumbFlat", "RightIndexFlat", "RightMiddleFlat", "RightRingFlat", "RightLittleFlat", "LeftThumbFlat",
    "LeftIndexFlat", "LeftMiddleFlat", "LeftRingFlat", "LeftLittleFlat",
  ]

  /// What is said of a person of a number.
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
      // Those who wait at the same time are written together.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in start..<min(people, start + 200) {
          group.addTask {
            _ = try await store.importPerson(imported(number, time), from: "benchmark")
          }
        }
        try await group.waitForAll()
      }
    }
    await store.close()
  }

  private func imported(_ number: Int, _ time: Instant) -> ImportedPerson {
    let person = Person(id: 0, biography: Self.biography(number), created: time, modified: time)
    return ImportedPerson(
      person: person,
      items: (0..<items).map { place in
        let submodality = Submodality(wire: Self.words[place % 10])
        let device = DeviceDefinition(
          name: "desk \(place)", address: "http://127.0.0.1:8000/sensor/\(place)",
          configuration: WireDictionary([.init("submodality", .string(Self.words[place % 10]))]), edited: time)
        let draft = DraftItem(person: 0, modality: .finger, submodality: submodality, device: device)
        return ImportedPerson.Item(item: BiometricItem(draft, id: 0, index: place, at: time), captures: [])
      })
  }
}
