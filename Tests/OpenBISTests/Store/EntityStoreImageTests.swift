import PluginAPI
import PluginText
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreImageTests {
  let folder = CacheFolder()

  private func image(_ first: UInt8, size: Int = 100) -> [UInt8] { [first] + [UInt8](repeating: 7, count: size - 1) }

  @Test func `equal images are stored once, under all their addresses`() async throws {
    let store = folder.store()
    let hash = try await store.keepImage(image(1), for: "http://a/1")
    #expect(try await store.keepImage(image(1), for: "http://b/2") == hash)
    #expect(hash == SHA256.hexadecimal(of: image(1)))
    #expect(try await store.imageHash(for: "http://a/1") == hash)
    #expect(try await store.imageHash(for: "http://b/2") == hash)
    #expect(try await store.image(hash) == image(1))
    #expect(try await store.image("unknown") == nil)
    #expect(try await store.imageHash(for: "http://c") == nil)
    let counts = try await store.counts()
    #expect(counts.images == 1 && counts.imageBytes == 100)
    try await store.keepImage(image(2), for: "http://a/1")
    #expect(try await store.image(await store.imageHash(for: "http://a/1") ?? "") == image(2))
  }

  @Test func `images in rows are stored by their digest`() async throws {
    let store = folder.store()
    var row = EntityRow("A", "a")
    row.images = [
      EntityImage(role: .marquee, source: .bytes(image(3)), format: "PNG"),
      EntityImage(role: .tiled, source: .unusable("no URL")),
    ]
    try await store.take([row])
    let hash = SHA256.hexadecimal(of: image(3))
    #expect(
      try await store.entity("A")?.images == [
        EntityImage(role: .marquee, source: .stored(hash), format: "PNG"),
        EntityImage(role: .tiled, source: .unusable("no URL")),
      ])
    #expect(try await store.image(hash) == image(3))
    #expect(try await store.take([row]).unchanged == 1)
  }

  @Test func `images are removed with the entities of a kind, unless others use them`() async throws {
    let store = folder.store()
    var (sample, dataSet) = (EntityRow("SAMPLE.S", "s"), EntityRow("DATA_SET.D", "d"))
    sample.images = [
      EntityImage(role: .tiled, source: .address("http://s/1"), format: "PNG"),
      EntityImage(role: .tiled, source: .address("http://s/2"), format: "PNG"),
      EntityImage(role: .tiled, source: .bytes(image(3)), format: "PNG"),
    ]
    dataSet.images = [
      EntityImage(role: .tiled, source: .address("http://d/2"), format: "PNG"),
      EntityImage(role: .tiled, source: .bytes(image(4)), format: "PNG"),
    ]
    try await store.take([sample, dataSet])
    let alone = try await store.keepImage(image(1), for: "http://s/1")
    let shared = try await store.keepImage(image(2), for: "http://s/2")
    try await store.keepImage(image(2), for: "http://d/2")
    #expect(try await store.counts().images == 4)
    #expect(try await store.removeAll(.sample) == 1)
    #expect(try await store.image(alone) == nil)
    #expect(try await store.image(SHA256.hexadecimal(of: image(3))) == nil)
    #expect(try await store.imageHash(for: "http://s/2") == nil)
    #expect(try await store.imageHash(for: "http://d/2") == shared)
    #expect(try await store.image(shared) == image(2))
    #expect(try await store.image(SHA256.hexadecimal(of: image(4))) == image(4))
    #expect(try await store.sweep(before: .max) == 1)
    #expect(try await store.counts().images == 0)
  }

  @Test func `the least recently used image is evicted first, prominent ones last, within the budget`() async throws {
    let store = folder.store(EntityStore.Options(imageBudget: 350))
    let marquee = try await store.keepImage(image(0), for: "m", role: .marquee)
    let first = try await store.keepImage(image(1), for: "1")
    let second = try await store.keepImage(image(2), for: "2")
    // Read again, so that the second one is the oldest.
    _ = try await store.image(first)
    try await store.keepImage(image(3), for: "3")
    #expect(try await store.image(second) == nil)
    #expect(try await store.imageHash(for: "2") == nil)
    #expect(try await store.image(first) != nil)
    #expect(try await store.image(marquee) != nil)
    try await store.keepImage(image(4, size: 250), for: "4")
    #expect(try await store.image(marquee) != nil)
    #expect(try await store.image(first) == nil)
    #expect(try await store.counts().imageBytes == 350)
    // Larger than the budget: its digest is returned, but it is not stored.
    let huge = try await store.keepImage(image(9, size: 400), for: "9")
    #expect(try await store.image(huge) == nil)
    #expect(try await store.counts().images == 2)
  }
}
