import PluginAPI
import PluginStore
import Testing

@testable import OpenBIS

@Suite struct EntityStoreImageTests {
  let folder = CacheFolder()

  private func image(_ first: UInt8, size: Int = 100) -> [UInt8] { [first] + [UInt8](repeating: 7, count: size - 1) }

  @Test func `the same bytes are kept once, under all their addresses`() throws {
    let store = folder.store()
    let hash = try store.keepImageAndWait(image(1), for: "http://a/1")
    #expect(try store.keepImageAndWait(image(1), for: "http://b/2") == hash)
    #expect(hash == SHA256.hexadecimal(of: image(1)))
    #expect(try store.imageHashAndWait(for: "http://a/1") == hash && store.imageHashAndWait(for: "http://b/2") == hash)
    #expect(try store.imageAndWait(hash) == image(1))
    #expect(try store.imageAndWait("unknown") == nil && store.imageHashAndWait(for: "http://c") == nil)
    let counts = try store.countsAndWait()
    #expect(counts.images == 1 && counts.imageBytes == 100)
    try store.keepImageAndWait(image(2), for: "http://a/1")
    #expect(try store.imageAndWait(store.imageHashAndWait(for: "http://a/1") ?? "") == image(2))
  }

  @Test func `images that come with rows are kept by their digest`() throws {
    let store = folder.store()
    var row = EntityRow("A", "a")
    row.images = [
      EntityImage(role: .marquee, source: .bytes(image(3)), format: "PNG"),
      EntityImage(role: .tiled, source: .unusable("no URL")),
    ]
    try store.take([row])
    let hash = SHA256.hexadecimal(of: image(3))
    #expect(
      try store.entityAndWait("A")?.images == [
        EntityImage(role: .marquee, source: .stored(hash), format: "PNG"),
        EntityImage(role: .tiled, source: .unusable("no URL")),
      ])
    #expect(try store.imageAndWait(hash) == image(3))
    #expect(try store.take([row]).unchanged == 1)
  }

  @Test func `the one used longest ago goes first, prominent ones last, and all fit the budget`() throws {
    let store = folder.store(EntityStore.Options(imageBudget: 350))
    let marquee = try store.keepImageAndWait(image(0), for: "m", role: .marquee)
    let first = try store.keepImageAndWait(image(1), for: "1")
    let second = try store.keepImageAndWait(image(2), for: "2")
    // Read again, so that the second one is the oldest.
    _ = try store.imageAndWait(first)
    try store.keepImageAndWait(image(3), for: "3")
    #expect(try store.imageAndWait(second) == nil && store.imageHashAndWait(for: "2") == nil)
    #expect(try store.imageAndWait(first) != nil && store.imageAndWait(marquee) != nil)
    try store.keepImageAndWait(image(4, size: 250), for: "4")
    #expect(try store.imageAndWait(marquee) != nil && store.imageAndWait(first) == nil)
    #expect(try store.countsAndWait().imageBytes == 350)
    // Larger than the budget: its digest is returned, but it is not stored.
    let huge = try store.keepImageAndWait(image(9, size: 400), for: "9")
    #expect(try store.imageAndWait(huge) == nil && store.countsAndWait().images == 2)
  }
}
