import Foundation
import PluginAPI
import PluginImages
import PluginTesting
import Testing

@testable import WSABI

@MainActor @Suite struct LightboxControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  /// A picture whose every pixel encodes its position: red grows to the right, green downwards.
  private static let picture: Picture = {
    var pixels: [UInt8] = []
    for place in 0..<40_000 { pixels += [UInt8(place % 200), UInt8(place / 200), 0, 255] as [UInt8] }
    return Picture(width: 200, height: 200, pixels: pixels)
  }()

  private func lightbox(_ bytes: [UInt8]) async throws -> ScreenDriver {
    let items = try await plugin.add("Ada", ["RightThumbFlat"], capture: bytes)
    return try await test.screen(
      "lightbox", ["item": .integer(items[0].id)], size: Size(width: 40, height: 20))
  }

  /// Returns the first and last pixel that is shown.
  private func corners(_ screen: ScreenDriver) throws -> [Int] {
    let picture = try #require(screen.frame.pictures.first?.picture)
    let end = picture.pixels.count - 4
    return [picture.pixels[0], picture.pixels[1], picture.pixels[end], picture.pixels[end + 1]].map(Int.init)
  }

  @Test func `plus enlarges the picture, and minus and zero show more of it`() async throws {
    let screen = try await lightbox(try PNGWriter.bytes(of: Self.picture))
    #expect(screen.controller.status.map(\.text) == ["200×200"])
    let whole = try corners(screen)
    #expect(whole[0] <= 2 && whole[2] >= 197)
    await screen.press("+", "+")
    #expect(screen.controller.status.map(\.text) == ["200×200 · 225 %"])
    let part = try corners(screen)
    #expect(abs(part[0] - 55) <= 3 && abs(part[2] - 144) <= 3)
    await screen.press("-", "-")
    #expect(try corners(screen) == whole)
    await screen.press("+", "0")
    #expect(try corners(screen) == whole)
  }

  @Test func `arrows move an enlarged picture`() async throws {
    let screen = try await lightbox(try PNGWriter.bytes(of: Self.picture))
    await screen.press("+", "+", "right", "right", "right", "right")
    #expect(try corners(screen)[2] >= 197)
    await screen.press("up", "up", "up", "up")
    #expect(try corners(screen)[1] <= 2)
  }

  @Test func `the wheel zooms at the pointer, and the picture can be dragged`() async throws {
    let screen = try await lightbox(try PNGWriter.bytes(of: Self.picture))
    for _ in 0..<3 { await screen.send(.mouse(Mouse(.scroll(-1), button: .none, at: Point(x: 0, y: 0)))) }
    let before = try corners(screen)
    #expect(before[0] < 10)
    await screen.send(.mouse(Mouse(.press(clicks: 1), at: Point(x: 30, y: 10))))
    await screen.send(.mouse(Mouse(.drag, at: Point(x: 10, y: 10))))
    await screen.send(.mouse(Mouse(.release, at: Point(x: 10, y: 10))))
    #expect(try corners(screen)[0] > before[0] + 15)
    await screen.click(x: 5, y: 5, clicks: 2)
    #expect(screen.controller.status.map(\.text) == ["200×200"])
  }

  @Test func `a bitmap is shown, and other data is described`() async throws {
    let screen = try await lightbox(Self.bitmap)
    #expect(screen.frame.pictures.count == 1 && screen.controller.status.map(\.text) == ["2×1"])
    let other = try await plugin.add("Grace", ["RightThumbFlat"], capture: [0xFF, 0xA0, 0xFF, 0xA8, 1])
    let text = try await test.screen("lightbox", ["item": .integer(other[0].id)], size: Size(width: 60, height: 20))
      .text
    #expect(text.contains("cannot show the picture") && text.contains("Size: 5 bytes"))
  }

  @Test func `the lightbox follows the store: new captures appear, and deleted ones disappear`() async throws {
    let png = try PNGWriter.bytes(of: Self.picture)
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris", "Face2d"], capture: png)
    func status(_ screen: ScreenDriver) async -> [String] {
      await test.settle()
      return screen.controller.status.map(\.text)
    }
    let screen = try await test.screen("lightbox", ["item": .integer(items[2].id)], size: Size(width: 40, height: 20))
    await screen.press("+")
    #expect(await status(screen) == ["200×200 · 150 %"])
    try await plugin.records.sampleCapture(items[0].id, StoreSamples.uuid(7), png)
    // The picture on screen stays as it is, and pictures of other items are not beside it.
    #expect(await status(screen) == ["200×200 · 150 %"])
    await screen.press("p", "n")
    #expect(await status(screen) == ["200×200 · 150 %"] && screen.controller.title == "Face")
    let kept = try await plugin.records.sampleAct(
      items[2].id, [(8, Self.bitmap, ""), (9, png, ""), (10, Self.photograph, "")])
    // Its pictures arrive one after another, and the one on screen stays.
    #expect(await status(screen).first?.contains(" of 3 · ") == true)
    await screen.press("p", "p")
    #expect(await status(screen) == ["1 of 3 · 2×1"])
    await screen.press("n")
    #expect(await status(screen) == ["2 of 3 · 200×200"])
    // If the picture on screen is deleted, the next one is shown.
    try await plugin.records.deleteCapture(kept[1].id)
    #expect(await status(screen) == ["2 of 2 · 16×12"])
    try await plugin.records.deleteCapture(kept[0].id)
    #expect(await status(screen) == ["16×12"])
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
    _ = try await plugin.records.clear(items[2].id, at: StoreFolder.time)
    _ = await status(screen)
    #expect(screen.requests.contains { if case .pop = $0 { true } else { false } })
  }

  @Test func `the lightbox shows the pictures of one response in order, and no other item`()
    async throws
  {
    let png = try PNGWriter.bytes(of: Self.picture)
    let items = try await plugin.add("Ada", ["LeftThumbFlat", "BothIrises", "Face2d"], capture: png)
    try await plugin.records.sampleCapture(items[0].id, StoreSamples.uuid(7), png)
    try await plugin.records.sampleAct(
      items[1].id, [(11, Self.bitmap, "RightIris"), (12, nil, ""), (13, png, "LeftIris")])
    let screen = try await test.screen("lightbox", ["item": .integer(items[1].id)], size: Size(width: 40, height: 20))
    let loss = "1 of 3 pictures of the capture were not received (the service no longer has the data (invalidId))"
    #expect(screen.controller.title == "Right Iris")
    #expect(screen.controller.status.map(\.text) == ["1 of 2 · \(loss) · 2×1"])
    await screen.press("n")
    #expect(screen.controller.title == "Left Iris")
    await screen.press("n", "n", "right")
    #expect(screen.controller.title == "Left Iris")
    #expect(screen.controller.status.map(\.text) == ["2 of 2 · \(loss) · 200×200"])
    await screen.press("p", "p", "p")
    #expect(screen.controller.title == "Right Iris")
  }

  @Test func `a capture is shown under its original name, with the item's current name`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat"], capture: try PNGWriter.bytes(of: Self.picture))
    let draft = StoreSamples.draft(items[0].person, "RightIndexFlat")
    _ = try await plugin.records.edit(item: items[0].id, draft, at: StoreFolder.time, renaming: true)
    let screen = try await test.screen("lightbox", ["item": .integer(items[0].id)], size: Size(width: 40, height: 20))
    #expect(screen.controller.title == "Right Thumb")
    #expect(screen.controller.status.map(\.text) == ["the item is now 'Right Index' · 200×200"])
    let card = try await test.screen("card", ["item": .integer(items[0].id)], size: Size(width: 110, height: 30))
    #expect(card.text.contains("Right Index · Ada"))
    #expect(card.text.contains("Captured as") && card.text.contains("Right Thumb"))
  }

  @Test func `a JPEG photograph is shown`() async throws {
    let screen = try await lightbox(Self.photograph)
    #expect(screen.frame.pictures.count == 1 && screen.controller.status.map(\.text) == ["16×12"])
  }

  /// 16×12 gray pixels, progressive; made with libjpeg-turbo 2.1.5 at quality 60.
  private static let photograph = [UInt8](
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a
        YVpQYEpRUk//wgALCAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/2gAIAQEAAAABjH//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oA
        CAEBAAEFAh//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IR//2gAIAQEA
        AAAQ/wD/xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/EB//2Q==
        """, options: .ignoreUnknownCharacters) ?? Data())

  /// Two pixels of 24 bits, written by hand.
  private static let bitmap: [UInt8] =
    [0x42, 0x4D, 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]
    + [0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [255, 0, 0, 0, 0, 255, 0, 0]
}
