import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the flip animation between molecule and library.
@MainActor struct FlipTests {
  @Test func `the library flips to the front and accepts keys during the animation`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("library", ["returns": true, "flips": true], size: Size(width: 80, height: 12))
    await driver.settle()
    let narrow = driver.text.split(separator: "\n").map(String.init)
    #expect(narrow.allSatisfy { $0.prefix(30).allSatisfy { $0 == " " } })
    driver.press("down", "down", "enter")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("the key was lost")
      return
    }
    #expect(value == 2)
    for _ in 0..<5 { driver.advance(by: 0.03) }
    #expect(driver.text.hasPrefix("  Download new molecule"))
    driver.advance(by: 1)
    #expect(driver.text.hasPrefix("  Download new molecule"))
  }

  @Test func `the molecule flips to the front when the library closes`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("viewer", size: Size(width: 60, height: 20))
    await driver.settle()
    #expect(driver.frame.pictures.first?.rect.width == 60)
    driver.press("i")
    driver.send(.visible(false))
    driver.send(.visible(true))
    let width = try #require(driver.frame.pictures.first?.rect.width)
    #expect(width < 20)
    driver.advance(by: 0.03)
    #expect(try #require(driver.frame.pictures.first?.rect.width) > width)
    driver.advance(by: 0.03)
    driver.advance(by: 0.2)
    driver.advance(by: 0.2)
    driver.advance(by: 0.2)
    #expect(driver.frame.pictures.first?.rect.width == 60)
  }

  @Test func `a flip ends on time if frames are late, and can be turned off`() async throws {
    let plugin = try await LibraryFixture.plugin()
    var flip = Flip()
    let effects = flip.begin(plugin.context)
    guard case .timer(let timer)? = effects.first else {
      Issue.record("no timer was asked for")
      return
    }
    #expect(!timer.repeats && flip.share < 1)
    let late = Instant(seconds: plugin.context.now().seconds + 1)
    #expect(flip.receive(.timer(timer.id), at: late)?.isEmpty == true)
    #expect(flip.share == 1)
    #expect(flip.receive(.timer("spin"), at: late) == nil)
    try plugin.context.set("reduced-motion", to: true)
    #expect(flip.begin(plugin.context).isEmpty)
    #expect(flip.share == 1)
  }
}
