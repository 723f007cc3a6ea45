import FoundationEssentials
import TestSupport
import Testing

@testable import WSABI

/// Captures and the search for leftovers, by two programs with one store.
struct CaptureTurnsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path.path }
  private let own = CaptureTurns()
  private let others = CaptureTurns()

  init() throws { folder = try TemporaryFolder() }

  @Test func `nobody looks while something is captured, and everybody may when that is over`() throws {
    #expect(try own.beginCapturing(path) && own.beginCapturing(path))
    #expect(try others.beginCapturing(path))
    #expect(try !own.beginLooking(path) && !others.beginLooking(path))
    own.endCapturing()
    others.endCapturing()
    #expect(own.isCapturing && !others.isCapturing)
    #expect(try !others.beginLooking(path))
    own.endCapturing()
    #expect(try others.beginLooking(path))
  }

  @Test func `nothing is captured while somebody looks, and two do not look at once`() throws {
    #expect(try own.beginLooking(path))
    #expect(try !own.beginLooking(path) && !others.beginLooking(path))
    #expect(try !own.beginCapturing(path) && !others.beginCapturing(path))
    own.endLooking(beginsCapturing: false)
    #expect(try own.beginCapturing(path) && others.beginCapturing(path))
  }

  @Test func `a look that was refused leaves the captures of both sides as they are`() throws {
    #expect(try own.beginCapturing(path) && others.beginCapturing(path))
    let third = CaptureTurns()
    for turns in [own, others, third] { #expect(try !turns.beginLooking(path)) }
    own.endCapturing()
    #expect(try !third.beginLooking(path))
    others.endCapturing()
    #expect(try third.beginLooking(path))
  }

  @Test func `who fetches what was found lets others capture, and nobody look`() throws {
    #expect(try own.beginLooking(path))
    own.endLooking(beginsCapturing: true)
    #expect(own.isCapturing)
    #expect(try others.beginCapturing(path))
    others.endCapturing()
    #expect(try !others.beginLooking(path))
    own.endCapturing()
    #expect(try others.beginLooking(path))
  }

  @Test func `who cannot tell others of a capture does not capture`() {
    #expect(throws: VaultError.self) { try own.beginCapturing(path + "/nowhere") }
    #expect(throws: VaultError.self) { try own.beginLooking(path + "/nowhere") }
    #expect(!own.isCapturing)
  }
}
